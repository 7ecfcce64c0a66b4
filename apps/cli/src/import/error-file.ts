import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';
import { usageError } from '../failures.ts';
import { printable } from '../output/text.ts';
import { escapeFormula } from './formulas.ts';
import type { Fault } from './rows.ts';

const header = ['row', 'line', 'column', 'code', 'reason'] as const;

/** Writes what is wrong as CSV, one line for each. Throws a usage error where the file cannot be written. */
export async function writeFaults(faults: Iterable<Fault>, file: string, cwd: string): Promise<void> {
  const out = createWriteStream(resolve(cwd, file));
  const opened = once(out, 'open');
  await opened.catch((error: NodeJS.ErrnoException) => {
    throw usageError(`--errors cannot write ${file} (${error.code})`);
  });
  out.write(stringify([header]));
  for (const fault of faults) {
    const cells = header.map((name) => escapeFormula(String(fault[name])));
    if (!out.write(stringify([cells]))) await once(out, 'drain');
  }
  out.end();
  await finished(out);
}

/** What is wrong, for a person: the first few, one line for each. */
export function faultLines(faults: Iterable<Fault>, countMax: number): string {
  const lines: string[] = [];
  for (const { row, line, column, reason } of faults) {
    if (lines.length === countMax) break;
    const where = row === line ? `row ${row}` : `row ${row} (line ${line})`;
    lines.push(`  ${where}: ${printable([column, reason].filter(Boolean).join(' '))}\n`);
  }
  return lines.join('');
}
