import type { Import } from '@roster/client';
import { followProgress } from '../../ui/progress.ts';
import type { CommandContext } from '../context.ts';

const labels = { read: 'Reading  ', check: 'Checking ', write: 'Importing' } as const;

/** The number of rows isn't known while the file is read. */
function phaseOf({ step, total, processed, finishedAt }: Import) {
  const label = labels[step];
  if (finishedAt !== null) return { label, share: 1, count: total };
  if (step === 'read') return { label, share: 0, count: total };
  return { label, share: total === 0 ? 0 : processed / total, count: processed };
}

/** Shows the progress of an import until its current step has ended. Resolves to the import after that. */
export function followImport(
  started: Import,
  { client, callOptions, io }: Pick<CommandContext, 'client' | 'callOptions' | 'io'>,
): Promise<Import> {
  const { signal } = callOptions;
  const read = () => client.imports.get.query({ id: started.id }, { signal });
  return followProgress(started, { read, phaseOf, io, signal });
}

/** The counts of what an import did, or would do. */
export function summaryOf(current: Import) {
  const { id, total, findings, created, updated, unchanged, errors, warnings, skipped } = current;
  return {
    id,
    rows: total,
    created,
    updated,
    unchanged,
    errors,
    warnings,
    skipped,
    matchedByEmail: findings?.matchedByEmail ?? 0,
    createdWithoutKey: findings?.createdWithoutKey ?? 0,
    createdWithoutEmail: findings?.createdWithoutEmail ?? 0,
    lookAlikes: findings?.lookAlikes ?? 0,
  };
}

export type Summary = ReturnType<typeof summaryOf>;

export function undoNote(
  { id, created, updated }: Summary,
  commandLine: CommandContext['commandLine'],
): string {
  return created + updated === 0 ? '' : `Undo it with: ${commandLine(`imports undo ${id}`)}\n`;
}
