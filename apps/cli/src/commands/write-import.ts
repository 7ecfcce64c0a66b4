import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Import } from '@roster/client';
import { addWait, isAwaited } from '../bulk/follow-job.ts';
import type { ContextFactory } from '../context/command-context.ts';
import { counted } from '../context/report-change.ts';
import { operationContract } from '../contract/contract.ts';
import { CliError } from '../errors/errors.ts';
import { followImport } from '../import/follow-import.ts';
import { applyChange } from '../input/apply-change.ts';
import { parseInput } from '../options/fields.ts';
import type { Resource } from '../resources.ts';
import { buildRecordCommand } from './command-builder.ts';

/** The outcome of an import, in a sentence. */
function summaryOf({ id, created, updated, unchanged, rejected }: Import): string {
  const parts = [`Created ${created.toLocaleString('en')}`, `updated ${updated.toLocaleString('en')}`];
  if (unchanged > 0) parts.push(`${unchanged.toLocaleString('en')} unchanged`);
  if (rejected > 0) parts.push(`${counted(rejected, ['row', 'rows'])} rejected: roster imports errors ${id}`);
  return `${parts.join(', ')}.\nUndo it with: roster imports undo ${id}\n`;
}

/** `write <id>`: writes an import that was checked, or lets one go on, and follows it. */
export function writeImportCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const { fields } = operationContract(resource.name, 'write');
  const command = buildRecordCommand(resource, 'write');
  addWait(command);
  return command.action(async (id, options, command) => {
    const context = await createContext(resource, command);
    const { io, json, printer } = context;
    const done = await applyChange(
      { resource, operation: 'write', input: { ...parseInput(fields, options), id } },
      context,
    );
    if (done?.record === undefined) return;
    // The response of the procedure, which `applyChange` does not know.
    const started = { ...done.record } as Import;
    const isWaiting = isAwaited(command.opts(), context);
    const current = isWaiting ? await followImport(started, context) : started;
    if (!io.isTerminal || json !== undefined) await printer.record(current);
    if (!isWaiting) return;
    io.stderr.write(summaryOf(current));
    if (current.status !== 'completed')
      throw new CliError(`the import ended as ${current.status.replaceAll('_', ' ')}`);
  });
}
