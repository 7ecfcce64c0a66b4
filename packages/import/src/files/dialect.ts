import { trimmedText } from '@roster/fields/text';
import { parse } from 'csv-parse/sync';
import { type Dialect, isBlank, recordDelimiters } from '../csv.ts';
import { FileError } from './settings.ts';

const DELIMITERS = [',', ';', '\t', '|'];
/** The lines by which a dialect is chosen. */
const LINES = 50;
const TITLES_MAX = 10;

const isBlankCell = (cell: string) => trimmedText(cell) === '';

/** The cells of a record without the blank ones at its end. */
const withoutBlankEnd = (record: readonly string[]) =>
  record.slice(0, record.findLastIndex((cell) => !isBlankCell(cell)) + 1);

/** The first records of a text, read so that nothing is an error. */
function firstRecords(text: string, delimiter: string, lineEnd: Dialect['lineEnd']): string[][] {
  return parse(text, {
    delimiter,
    record_delimiter: recordDelimiters[lineEnd],
    relax_quotes: true,
    relax_column_count: true,
    to: LINES,
    // An open quote at the end is of a record that the beginning of the file cuts.
    skip_records_with_error: true,
  });
}

/** The width that most records have, and the part of the records that have it. */
function commonWidth(records: readonly string[][]): { width: number; share: number } {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [width, count] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one), [0, 0]);
  return { width, share: records.length === 0 ? 0 : count / records.length };
}

/** The delimiter that divides most records into the same number of cells; of several, the one with the most cells. */
function chooseDelimiter(text: string, lineEnd: Dialect['lineEnd']): string {
  const ranked = DELIMITERS.map((delimiter) => {
    const records = firstRecords(text, delimiter, lineEnd).filter((record) => !isBlank(record));
    return { delimiter, ...commonWidth(records) };
  })
    .filter(({ width }) => width > 1)
    .toSorted((one, other) => other.share - one.share || other.width - one.width);
  return ranked[0]?.delimiter ?? ',';
}

/** Values of records, which are never the names of columns. */
const dataPatterns = [
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  /^\+?\d[\d\s().-]{6,}$/,
  /^https?:/i,
  /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/,
];

/** The first cell of a header that looks like the value of a record; undefined if none does. */
const dataIn = (header: readonly string[]) =>
  header.find((cell) => dataPatterns.some((pattern) => pattern.test(trimmedText(cell))));

/** The index of the header among records: the first with more than one name, if most have that and those before it are titles. */
function headerIndex(records: readonly string[][]): number {
  const namesIn = (record: readonly string[]) => record.filter((cell) => !isBlankCell(cell)).length;
  const firstGiven = records.findIndex((record) => !isBlank(record));
  const wide = records.filter((record) => namesIn(record) > 1).length;
  const given = records.filter((record) => !isBlank(record)).length;
  const firstWide = records.findIndex((record) => namesIn(record) > 1);
  return wide * 2 >= given && firstWide >= 0 && firstWide - firstGiven <= TITLES_MAX ? firstWide : firstGiven;
}

/**
 * Finds out how a CSV file is divided and where its header is, by its beginning. A first line `sep=;` says the delimiter. Throws
 * `FileError` for a file without a header.
 *
 * @param given the delimiter, if the import names it
 */
export function dialectOf(text: string, given?: string): Dialect & { header: string[] } {
  const lineEnd = text.includes('\n') || !text.includes('\r') ? 'lf' : 'cr';
  const [first = '', said] = /^"?sep=([,;\t|])"?(?:\r?\n|\r)/i.exec(text) ?? [];
  const body = text.slice(first.length);
  const delimiter = given ?? said ?? chooseDelimiter(body, lineEnd);
  const records = firstRecords(body, delimiter, lineEnd);
  const index = headerIndex(records);
  const header = withoutBlankEnd(records[index] ?? []);
  if (header.length === 0)
    throw new FileError('required', 'the file is empty; its first line must be a header');
  const value = dataIn(header);
  if (value !== undefined)
    throw new FileError(
      'no_header',
      `the first line is a record, not the names of the columns: it has "${trimmedText(value)}"; add a line with the names`,
    );
  const headerRow = (first === '' ? 0 : 1) + index + 1;
  return { delimiter, lineEnd, headerRow, header };
}
