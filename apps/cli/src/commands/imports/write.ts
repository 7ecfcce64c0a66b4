import type { Import } from '@roster/client';
import type { Row } from '../../contract/columns.ts';
import { CliError } from '../../errors.ts';
import { counted, grouped } from '../../ui/text.ts';
import { applyChange, type MakeCommand, operationCommand } from '../command-builder.ts';
import type { CommandContext } from '../context.ts';
import { addWait, isAwaited } from '../jobs/follow.ts';
import { followImport, summaryOf, undoNote } from './follow.ts';

function summaryLine(ended: Import, { commandLine }: CommandContext): string {
  const { id, step } = ended;
  const summary = summaryOf(ended);
  const { created, updated, unchanged, errors, warnings, skipped } = summary;
  const parts =
    step === 'write'
      ? [`Created ${grouped(created)}`, `updated ${grouped(updated)}`]
      : [`Nothing was written: ${grouped(created)} would be created`, `${grouped(updated)} updated`];
  if (unchanged > 0) parts.push(`${grouped(unchanged)} unchanged`);
  if (warnings > 0) parts.push(`${grouped(warnings)} with warnings`);
  if (skipped > 0) parts.push(`${grouped(skipped)} skipped`);
  if (errors > 0)
    parts.push(`${counted(errors, ['row', 'rows'])} with errors: ${commandLine(`imports errors ${id}`)}`);
  const next =
    step === 'write'
      ? undoNote(summary, commandLine)
      : `Write it with: ${commandLine(`imports write ${id}`)}\n`;
  return `${parts.join(', ')}.\n${next}`;
}

/**
 * `imports write` writes an import that was checked, `imports resume` continues one that was interrupted, and `imports correct` checks
 * corrected rows again.
 */
export function importStepCommand(operation: 'write' | 'resume' | 'correct'): MakeCommand {
  return operationCommand(operation, {
    addOptions: addWait,
    run: async (call, context) => {
      const { io, printer } = context;
      const started = await applyChange<Row & Import>(call, context);
      if (started === undefined) return;
      const isWaiting = isAwaited(call.options, context);
      const current = isWaiting ? await followImport(started, context) : started;
      if (!printer.isForPeople) await printer.record(current);
      if (!isWaiting) return;
      io.stderr.write(summaryLine(current, context));
      if (current.status !== 'completed')
        throw new CliError(`the import ended as ${current.status.replaceAll('_', ' ')}`);
    },
  });
}
