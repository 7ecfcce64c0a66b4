import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Import } from '@roster/client';
import { operationContract } from '../../contract/operations.ts';
import { parseInput } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { CliError } from '../../errors.ts';
import { counted } from '../../ui/text.ts';
import { applyChange } from '../change.ts';
import { buildRecordCommand } from '../command-builder.ts';
import type { CommandContext, ContextFactory } from '../context.ts';
import { addWait, isAwaited } from '../jobs/follow.ts';
import { followImport, summaryOf, undoNote } from './follow.ts';

function summaryLine(ended: Import, { commandLine }: CommandContext): string {
  const { id, step } = ended;
  const summary = summaryOf(ended);
  const { created, updated, unchanged, rejected } = summary;
  const number = (value: number) => value.toLocaleString('en');
  const parts =
    step === 'write'
      ? [`Created ${number(created)}`, `updated ${number(updated)}`]
      : [`Nothing was written: ${number(created)} would be created`, `${number(updated)} updated`];
  if (unchanged > 0) parts.push(`${number(unchanged)} unchanged`);
  if (rejected > 0)
    parts.push(`${counted(rejected, ['row', 'rows'])} rejected: ${commandLine(`imports errors ${id}`)}`);
  const next =
    step === 'write'
      ? undoNote(summary, commandLine)
      : `Write it with: ${commandLine(`imports write ${id}`)}\n`;
  return `${parts.join(', ')}.\n${next}`;
}

/** `imports write` writes an import that was checked, `imports resume` continues one that was interrupted. */
export function importStepCommand(operation: 'write' | 'resume') {
  return (resource: Resource, createContext: ContextFactory): CommandUnknownOpts => {
    const { fields } = operationContract(resource.name, operation);
    const command = buildRecordCommand(resource, operation);
    addWait(command);
    return command.action(async (id, options, command) => {
      const context = await createContext(resource, command);
      const { io, printer } = context;
      const input = { ...parseInput(fields, options), id };
      const record = await applyChange({ resource, operation, input }, context);
      if (record === undefined) return;
      // The response of the procedure, which `applyChange` does not know.
      const started = { ...record } as Import;
      const isWaiting = isAwaited(command.opts(), context);
      const current = isWaiting ? await followImport(started, context) : started;
      if (!printer.isForPeople) await printer.record(current);
      if (!isWaiting) return;
      io.stderr.write(summaryLine(current, context));
      if (current.status !== 'completed')
        throw new CliError(`the import ended as ${current.status.replaceAll('_', ' ')}`);
    });
  };
}
