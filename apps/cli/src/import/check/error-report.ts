import { escapeFormula, type RowError } from '@roster/import';
import { stringify } from 'csv-stringify/sync';
import { createPrivateFile } from '../../output/private-file.ts';
import type { RowMatch } from '../journal.ts';

const header = ['row', 'line', 'column', 'code', 'reason'];

/** Writes errors as CSV, one per line. Throws a usage error if the file cannot be written. */
export async function writeErrorFile(
  rowErrors: Iterable<RowError>,
  file: string,
  cwd: string,
): Promise<void> {
  const { write, end } = await createPrivateFile(file, cwd, '--errors ');
  await write(stringify([header]));
  for (const { row, line, column, code, message } of rowErrors) {
    const cells = [String(row), String(line), column, code, message];
    await write(stringify([cells.map(escapeFormula)]));
  }
  await end();
}

/** Writes what each row matched as CSV, one row per line. Throws a usage error if the file cannot be written. */
export async function writeMatchFile(matches: Iterable<RowMatch>, file: string, cwd: string): Promise<void> {
  const { write, end } = await createPrivateFile(file, cwd, '--matches ');
  await write(stringify([['row', 'line', 'status', 'matchedBy', 'id']]));
  for (const { row, line, status, matchedBy, id } of matches)
    await write(stringify([[row, line, status, matchedBy ?? '', id ?? '']]));
  await end();
}

/** The first `countMax` errors as text, one per line. */
export function rowErrorLines(rowErrors: Iterable<RowError>, countMax: number): string {
  const lines: string[] = [];
  for (const { row, line, column, message } of rowErrors) {
    if (lines.length === countMax) break;
    const where = row === line ? `row ${row}` : `row ${row} (line ${line})`;
    lines.push(`  ${where}: ${[column, message].filter(Boolean).join(' ')}\n`);
  }
  return lines.join('');
}
