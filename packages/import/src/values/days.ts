import { trimmedText } from '@roster/fields/text';

/** The forms of days in cells. `iso` is `2027-12-31`. */
export type DateFormat = 'iso' | 'day-first' | 'month-first' | 'year-first';

/**
 * A day as spreadsheets write it: three numbers between dots, slashes or hyphens, of which one may be a year of four digits, perhaps with
 * a time after it.
 */
const dayPattern =
  /^(\d{1,2}|\d{4})[./-](\d{1,2})[./-](\d{1,2}|\d{4})(?:[T ] *\d{1,2}:\d{2}[\d:.,]* *(?:[ap]\.? ?m\.?)?(?:z|[+-]\d{2}:?\d{2})?)?$/i;

/** The parts of a day in the order in which they are written; undefined for anything else. */
function partsOfDay(text: string): [number, number, number] | undefined {
  const [, first, second, third] = dayPattern.exec(trimmedText(text)) ?? [];
  return first === undefined ? undefined : [Number(first), Number(second), Number(third)];
}

const isMonth = (value: number) => value >= 1 && value <= 12;

const padded = (value: number, length: number) => String(value).padStart(length, '0');

/** A year of two digits is one of this century: licences end in the future. */
const fullYear = (year: number) => (year < 100 ? 2_000 + year : year);

/** A day as the service takes it: `2027-12-31`. What is no day in that format stays as it is, and is rejected by the service. */
export function toIsoDay(text: string, format: DateFormat): string {
  const parts = format === 'iso' ? undefined : partsOfDay(text);
  if (parts === undefined) return text;
  const [first, second, third] = parts;
  const [year, month, day] =
    format === 'year-first'
      ? [first, second, third]
      : format === 'month-first'
        ? [third, first, second]
        : [third, second, first];
  if (!isMonth(month) || day < 1 || day > 31) return text;
  return `${padded(fullYear(year), 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

/**
 * The format in which the days of a column are probably written; undefined if none is a day. A number above 12 says which is the
 * day; if none does, the day is first, as nearly everywhere.
 */
export function guessDateFormat(texts: readonly string[]): DateFormat | undefined {
  const days = texts.map(partsOfDay).filter((parts) => parts !== undefined);
  if (days.length === 0) return undefined;
  const [isIso, isYearFirst] = [/^\d{4}-\d{2}-\d{2}/, /^\d{4}/].map((pattern) =>
    texts.every((text) => pattern.test(trimmedText(text))),
  );
  if (isIso) return 'iso';
  if (isYearFirst) return 'year-first';
  const national = days.filter(([first]) => first <= 31);
  return national.some(([, second]) => !isMonth(second)) ? 'month-first' : 'day-first';
}
