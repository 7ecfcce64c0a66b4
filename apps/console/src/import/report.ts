import { escapeFormula, unescapeFormula } from '@roster/import';
import { readBatch, readFaulty } from './journal.ts';
import { ERROR_COLUMN } from './mapping.ts';
import type { FaultyRow, ImportDocument, MatchedRow } from './types.ts';

/** Rows of the report that are in memory at once. */
const PAGE_ROWS = 500;

/** Text before which a spreadsheet reads UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A cell of a CSV file that no spreadsheet executes, and that an import reads as it was. */
function csvCell(text: string, delimiter: string): string {
  const cell = escapeFormula(unescapeFormula(text));
  return /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A row of a CSV file. */
export function csvRow(cells: readonly string[], delimiter: string): string {
  return `${cells.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`;
}

/** What is wrong with a row, in one text. */
function errorText({ errors }: FaultyRow): string {
  return errors.map(({ column, message }) => (column === '' ? message : `${column}: ${message}`)).join('; ');
}

function memberOf(cell: string): unknown {
  try {
    return /^[[{]/.test(cell) ? (JSON.parse(cell) as unknown) : cell;
  } catch {
    return cell;
  }
}

/** A line of the report in the format of the file. */
export function reportLine({ inspection }: Pick<ImportDocument, 'inspection'>, row: FaultyRow): string {
  const { format, delimiter, headers } = inspection;
  if (format === 'csv') {
    // A row with too few or too many cells keeps those it has; the error comes first, where it is always in its column.
    return csvRow([errorText(row), ...row.cells], delimiter);
  }
  const members = headers.map((header, index) => [header, memberOf(row.cells[index] ?? '')] as const);
  const given = members.filter(([, member]) => member !== '');
  return `${JSON.stringify({ [ERROR_COLUMN]: errorText(row), ...Object.fromEntries(given) })}\n`;
}

/** The faulty rows of an import as a file of its own format, with what is wrong in a first column, to be fixed and dropped again. */
export async function reportOf(document: ImportDocument): Promise<Blob> {
  const { id, inspection } = document;
  const isCsv = inspection.format === 'csv';
  const parts: string[] = isCsv
    ? [BYTE_ORDER_MARK, csvRow([ERROR_COLUMN, ...inspection.headers], inspection.delimiter)]
    : [];
  for (let after = 0; ; ) {
    const rows = await readFaulty(id, after, PAGE_ROWS);
    parts.push(rows.map((row) => reportLine(document, row)).join(''));
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.row;
  }
  return new Blob(parts, { type: isCsv ? 'text/csv;charset=utf-8' : 'application/x-ndjson' });
}

/** What each row matched in the check, by its number in the file: a CSV file for spreadsheets. */
export async function matchesOf({ id, inspection, batches }: ImportDocument): Promise<Blob> {
  const { delimiter } = inspection;
  const matched: MatchedRow[] = [];
  for (const number of batches) matched.push(...((await readBatch(id, number))?.matched ?? []));
  const rows = matched
    .toSorted((one, other) => one.row - other.row)
    .map(({ row, matchedBy, id }) => csvRow([String(row), matchedBy ?? '', id ?? ''], delimiter));
  return new Blob([BYTE_ORDER_MARK, csvRow(['row', 'matchedBy', 'id'], delimiter), ...rows], {
    type: 'text/csv;charset=utf-8',
  });
}

/** Lets the browser save a file. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** `agents.ndjson` has the matches `agents-matches.csv`. */
export function matchesName(fileName: string): string {
  return fileName.replace(/(\.[^.]*)?$/, '-matches.csv');
}

/** `agents.csv` has the report `agents-errors.csv`. */
export function reportName(fileName: string): string {
  return fileName.replace(/(\.[^.]*)?$/, '-errors$1');
}
