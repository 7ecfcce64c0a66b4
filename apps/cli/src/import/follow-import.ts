import { setTimeout } from 'node:timers/promises';
import type { Import } from '@roster/client';
import type { CommandContext } from '../context/command-context.ts';
import { type Progress, progressOn } from './progress.ts';

/** Between two looks at an import, which grow with its length. */
const INTERVAL_MIN_MS = 100;
const INTERVAL_MAX_MS = 1_000;

const labels = { read: 'Reading  ', check: 'Checking ', write: 'Importing' } as const;

/** Shows how far an import is: a phase for each of its steps. */
function showProgress(
  progress: Progress,
  current: Import,
  shown: Import['step'] | undefined,
): Import['step'] {
  const { step, total, processed } = current;
  if (step !== shown) {
    if (shown !== undefined) {
      progress.show(1, total);
      progress.end();
    }
    progress.begin(labels[step]);
  }
  // The number of rows is not known while they are read.
  progress.show(step === 'read' || total === 0 ? 0 : processed / total, step === 'read' ? total : processed);
  return step;
}

/** Shows the progress of an import on stderr until its job has ended; resolves to what it is then. */
export async function followImport(
  started: Import,
  { client, callOptions, io }: Pick<CommandContext, 'client' | 'callOptions' | 'io'>,
): Promise<Import> {
  const { signal } = callOptions;
  const progress = progressOn(io);
  let current = started;
  let shown: Import['step'] | undefined;
  for (let interval = INTERVAL_MIN_MS; ; interval = Math.min(interval * 1.5, INTERVAL_MAX_MS)) {
    shown = showProgress(progress, current, shown);
    if (current.finishedAt !== null) {
      progress.show(1, current.total);
      break;
    }
    await setTimeout(interval, undefined, { signal });
    current = await client.imports.get.query({ id: started.id }, { signal });
  }
  progress.end();
  return current;
}
