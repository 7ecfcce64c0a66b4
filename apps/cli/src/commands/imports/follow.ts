import type { Import } from '@roster/client';
import { followProgress } from '../../ui/progress.ts';
import type { CommandContext } from '../context.ts';

const labels = { read: 'Reading  ', check: 'Checking ', write: 'Importing' } as const;

/** The phase of an import: one for each of its steps. The number of rows is not known while they are read. */
function phaseOf({ step, total, processed, finishedAt }: Import) {
  const label = labels[step];
  if (finishedAt !== null) return { label, share: 1, count: total };
  if (step === 'read') return { label, share: 0, count: total };
  return { label, share: total === 0 ? 0 : processed / total, count: processed };
}

/** Shows the progress of an import on stderr until its job has ended; resolves to what it is then. */
export function followImport(
  started: Import,
  { client, callOptions, io }: Pick<CommandContext, 'client' | 'callOptions' | 'io'>,
): Promise<Import> {
  const { signal } = callOptions;
  const read = () => client.imports.get.query({ id: started.id }, { signal });
  return followProgress(started, { read, phaseOf, io, signal });
}
