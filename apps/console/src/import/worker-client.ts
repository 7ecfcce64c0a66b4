import type { Reply, Request, Tasks } from './worker/import.worker.ts';

/**
 * Runs a task in a worker of its own, which ends with it: its memory is free again, and the page stays quick. The signal ends it at
 * once. Throws what the worker says of a file that cannot be read.
 *
 * @param onProgress called with the number of rows that are read
 */
export function runTask<Name extends keyof Tasks>(
  task: Name,
  input: Tasks[Name]['input'],
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (rows: number) => void } = {},
): Promise<Tasks[Name]['output']> {
  const worker = new Worker(new URL('./worker/import.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Tasks[Name]['output']>((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
    worker.addEventListener('error', ({ message }) =>
      reject(new Error(message || 'The worker could not be started.')),
    );
    worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      if ('progress' in data) onProgress?.(data.progress);
      else if ('error' in data) reject(new Error(data.error));
      else resolve(data.output as Tasks[Name]['output']);
    });
    worker.postMessage({ task, ...input } as Request);
  }).finally(() => worker.terminate());
}
