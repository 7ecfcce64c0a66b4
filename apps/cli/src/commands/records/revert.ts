import type { FieldChange } from '@roster/client';
import { type Row, valueAt } from '../../contract/columns.ts';
import type { Resource } from '../../contract/resources.ts';
import { printable, textOf } from '../../ui/text.ts';
import { operationCommand, reportChange } from '../command-builder.ts';
import type { CommandContext } from '../context.ts';

type Reverted = Row & { changes: FieldChange[]; notReverted: FieldChange[] };

interface Outcome {
  reverted: Reverted;
  toVersion: unknown;
}

function statusNote(
  { reverted, toVersion }: Outcome,
  { name }: Resource,
  { commandLine }: CommandContext,
): string {
  const status = reverted.notReverted.find(({ field }) => field === 'status');
  if (status === undefined) return '';
  const operation = status.after === 'active' ? 'reactivate' : 'deactivate';
  return (
    `The status does not change: it is ${status.before}, and was ${status.after} in version ${toVersion}. ` +
    `Change it with: ${commandLine(`${name} ${operation} ${reverted.id}`)}\n`
  );
}

function keptNote({ reverted: { notReverted } }: Outcome): string {
  const kept = notReverted
    .filter(({ field }) => field !== 'status' && field !== 'scheduledChanges')
    .map(({ field, before }) => `${field} ${textOf(before) || '""'}`);
  return kept.length === 0 ? '' : `Kept, because they have changed since: ${printable(kept.join(', '))}\n`;
}

function scheduleNote({ reverted }: Outcome, { commandLine }: CommandContext): string {
  const differs = reverted.notReverted.some(({ field }) => field === 'scheduledChanges');
  if (!differs) return '';
  const command = commandLine(`scheduled-changes list --subject ${reverted.id}`);
  return `Scheduled changes stay as they are. List them with: ${command}\n`;
}

const columns = [
  { field: 'field', title: 'FIELD' },
  { field: 'before', title: 'NOW', widthMin: 12 },
  { field: 'after', title: 'THEN', widthMin: 12 },
];

async function reportDryRun(
  { reverted, toVersion }: Outcome,
  resource: Resource,
  { io, json, printer }: CommandContext,
): Promise<void> {
  const { changes } = reverted;
  if (json !== undefined) return printer.record(reverted);
  async function* page() {
    yield { items: changes };
  }
  await printer.pages(page(), columns);
  const name = printable(String(valueAt(reverted, resource.nameField)));
  const nothing = changes.length === 0 ? ', which would change nothing' : '';
  io.stderr.write(
    `Would revert the ${resource.singular} "${name}" (version ${reverted.version}) to version ${toVersion}${nothing}. ` +
      'Nothing was changed.\n',
  );
}

export const revertCommand = operationCommand('revert', {
  run: async ({ resource, operation, input }, context) => {
    const { io, printer, procedures, callOptions, isDryRun } = context;
    const reverted = await procedures.revert.mutate(input, callOptions);
    const outcome = { reverted, toVersion: reverted.version, ...input };
    io.stderr.write(
      statusNote(outcome, resource, context) + scheduleNote(outcome, context) + keptNote(outcome),
    );
    if (isDryRun) return reportDryRun(outcome, resource, context);
    if (reverted.changes.length === 0) {
      io.stderr.write(
        keptNote(outcome) === ''
          ? `The ${resource.singular} already equals version ${outcome.toVersion}; nothing was changed.\n`
          : 'Nothing was changed.\n',
      );
      if (printer.isForPeople) return;
    }
    const done = `to version ${outcome.toVersion}`;
    await reportChange({ resource, operation, record: reverted, with: done }, context);
  },
});
