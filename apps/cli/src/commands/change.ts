import { type Row, valueAt } from '../contract/columns.ts';
import { camelCase } from '../contract/fields.ts';
import type { Input } from '../contract/options.ts';
import type { Resource } from '../contract/resources.ts';
import type { CommandContext } from './context.ts';

interface Change {
  resource: { name: string };
  operation: string;
  input: Input;
}

/** Sends a change. Resolves to the record in the response; undefined if there is none. */
export async function applyChange<Record extends Row = Row>(
  { resource, operation, input }: Change,
  { procedures, callOptions }: CommandContext,
): Promise<Record | undefined> {
  const procedure = procedures[camelCase(operation)];
  if (procedure === undefined) throw new Error(`There is no procedure ${resource.name}.${operation}`);
  return procedure.mutate(input, callOptions);
}

const pastTense: Readonly<Record<string, string>> = {
  create: 'Created',
  invite: 'Invited',
  update: 'Updated',
  revert: 'Reverted',
  merge: 'Merged into',
  unmerge: 'Restored',
  deactivate: 'Deactivated',
  reactivate: 'Reactivated',
  transfer: 'Transferred',
  'transfer-agents': 'Transferred the agents of',
  schedule: 'Scheduled a change of',
  restore: 'Restored',
  cancel: 'Cancelled',
  revoke: 'Revoked',
  'revoke-sessions': 'Ended the sessions of',
  rotate: 'Rotated the secret of',
  replay: 'Replaying the events to',
};

export interface ChangeReport {
  resource: Pick<Resource, 'singular' | 'nameField'>;
  operation: string;
  record: Row;
  /** The other records that were changed: `and its 24 agents`. */
  with?: string;
}

/**
 * Prints the result of a change: one sentence on a terminal, the record in a pipe. A response that isn't a record of the
 * resource, such as that of `webhooks test`, is printed unchanged.
 */
export async function reportChange(report: ChangeReport, { printer, io }: CommandContext): Promise<void> {
  const { resource, operation, record } = report;
  const done = pastTense[operation];
  const name = valueAt(record, resource.nameField);
  if (!printer.isForPeople || done === undefined || name === undefined) {
    await printer.record(record);
  } else {
    const id = operation === 'create' || operation === 'invite' ? ` (${record.id})` : '';
    // The name is that of a different record, to which this one belongs.
    const own = resource.nameField.includes('.') ? `the ${resource.singular} of ` : '';
    io.stderr.write(`${done} ${own}${name}${report.with === undefined ? '' : ` ${report.with}`}${id}\n`);
    if ('secret' in record) {
      const { listing } = await import('../ui/table.ts');
      io.stdout.write(listing({ secret: record.secret }, io.stdout.color));
    }
    if (typeof record.link === 'string') io.stdout.write(`${record.link}\n`);
  }
  if (io.isTerminal && 'secret' in record) {
    io.stderr.write("The secret is shown only once: store it now, it can't be shown again.\n");
  }
  if (io.isTerminal && typeof record.link === 'string') {
    io.stderr.write(
      'The link is shown only once and works once. Anyone who opens it can sign in as this person: share it with no one else.\n',
    );
  }
}
