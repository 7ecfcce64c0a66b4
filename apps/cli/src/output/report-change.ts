import type { Session } from '../context/command-context.ts';
import { type Noun, type Row, valueAt } from '../resources.ts';

/** What has become of a record, by the verb that did it. */
const past: Readonly<Record<string, string>> = {
  create: 'Created',
  update: 'Updated',
  revert: 'Reverted',
  deactivate: 'Deactivated',
  reactivate: 'Reactivated',
  restore: 'Restored',
  revoke: 'Revoked',
  rotate: 'Rotated the secret of',
  replay: 'Replaying the events to',
};

/** A count with what is counted: `24 agents`. */
export function counted(count: number, [one, many]: readonly [string, string]): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** What was changed, and how. */
export interface ChangeReport {
  noun: Pick<Noun, 'singular' | 'namePlace'>;
  verb: string;
  record: Row;
  /** What was changed with it: `and its 24 agents`. */
  with?: string;
}

/**
 * Prints what a change answered: for a person one sentence, and of a secret that it is not shown again; for a program the
 * record. An answer that is no record of the resource, such as that of a test, is printed as it is.
 */
export async function reportChange(report: ChangeReport, { printer, io, json }: Session): Promise<void> {
  const { noun, verb, record } = report;
  const done = past[verb];
  const name = valueAt(record, noun.namePlace);
  if (!io.isTerminal || json !== undefined || done === undefined || name === undefined) {
    await printer.record(record);
  } else {
    const id = verb === 'create' ? ` (${record.id})` : '';
    io.stderr.write(`${done} ${name}${report.with === undefined ? '' : ` ${report.with}`}${id}\n`);
    if ('secret' in record) {
      const { listing } = await import('./table.ts');
      io.stdout.write(listing({ secret: record.secret }, io.stdout.color));
    }
  }
  if (io.isTerminal && 'secret' in record) {
    io.stderr.write('The secret is shown this once: keep it now, nobody can show it again.\n');
  }
}
