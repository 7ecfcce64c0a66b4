import { allRecords, type Import } from '@roster/client';
import { ERROR_COLUMN } from '@roster/import';
import { type Inputs, roster } from '../../../api/client.ts';
import { csvRow, ndjsonRow } from './downloaded-rows.ts';
import type { ImportRow } from './fault-words.ts';

/** The rows in a call: the limit of the service. */
const PAGE_SIZE = 200;

/** The mark at the beginning by which a spreadsheet knows UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** All rows of an import, or some, in the order of the file. */
function rowsOf(query: Inputs['imports']['rows']): AsyncGenerator<ImportRow> {
  return allRecords((cursor, signal) =>
    roster.imports.rows.query({ ...query, limit: PAGE_SIZE, cursor }, { signal }),
  );
}

/**
 * The rows of an import that have errors as a file of its own format, with the errors in the first column, to be corrected and imported.
 *
 * @param wordsOf words what is wrong with a row
 */
export async function errorRowsFile(file: Import, wordsOf: (row: ImportRow) => string): Promise<Blob> {
  const { id, format, delimiter, columns } = file;
  const isCsv = format === 'csv';
  // A file that was corrected has the column already.
  const isKept = (place: number) => columns[place]?.name.toLowerCase() !== ERROR_COLUMN;
  const names = columns.map(({ name }) => name).filter((_, place) => isKept(place));
  const parts = isCsv ? [BYTE_ORDER_MARK, csvRow([ERROR_COLUMN, ...names], delimiter)] : [];
  for await (const row of rowsOf({ id, outcome: ['error'] })) {
    const { cells } = row;
    const kept = cells.filter((_, place) => isKept(place));
    // A row with too few or too many cells keeps those it has; the error comes first, where it is always in its column.
    parts.push(isCsv ? csvRow([wordsOf(row), ...kept], delimiter) : ndjsonRow(cells[0] ?? '', wordsOf(row)));
  }
  return new Blob(parts, { type: isCsv ? 'text/csv;charset=utf-8' : 'application/x-ndjson' });
}

/** Makes a CSV file of what became of each row of an import, and which record it matched by what. */
export async function matchesFile({ id, delimiter }: Import): Promise<Blob> {
  const parts = [BYTE_ORDER_MARK, csvRow(['row', 'outcome', 'matchedBy', 'id'], delimiter)];
  for await (const { row, outcome, matchedBy, recordId } of rowsOf({ id }))
    parts.push(csvRow([String(row), outcome ?? '', matchedBy ?? '', recordId ?? ''], delimiter));
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}

/** The name of a file that is made of an import: `agents.csv` and `agents.xlsx` have the errors `agents-errors.csv`. */
export function downloadName({ name, format }: Import, what: string, extension: string = format): string {
  const [base, given] = /^(.*?)(?:\.([^.]*))?$/.exec(name ?? 'import')?.slice(1) ?? [];
  const end = given?.toLowerCase() === 'xlsx' ? format : given;
  return `${base}-${what}.${extension === format ? (end ?? format) : extension}`;
}
