import { stringify } from 'csv-stringify/sync';
import { createOwnFile } from '../../output/private-file.ts';
import { escapeFormula } from '../read/formulas.ts';
import type { Fault } from '../read/rows.ts';

const header = ['row', 'line', 'column', 'code', 'reason'] as const;

/** Writes what is wrong as CSV, one line for each. Throws a usage error where the file cannot be written. */
export async function writeFaults(faults: Iterable<Fault>, file: string, cwd: string): Promise<void> {
  const { write, end } = await createOwnFile(file, cwd, '--errors ');
  await write(stringify([header]));
  for (const fault of faults) {
    const cells = header.map((name) => escapeFormula(String(fault[name])));
    await write(stringify([cells]));
  }
  await end();
}

/** What is wrong, for a person: the first few, one line for each. */
export function faultLines(faults: Iterable<Fault>, countMax: number): string {
  const lines: string[] = [];
  for (const { row, line, column, reason } of faults) {
    if (lines.length === countMax) break;
    const where = row === line ? `row ${row}` : `row ${row} (line ${line})`;
    lines.push(`  ${where}: ${[column, reason].filter(Boolean).join(' ')}\n`);
  }
  return lines.join('');
}
