import type { Reply, Request, Tasks } from './import.worker.ts';
import workerUrl from './import.worker.ts?worker&url';

/** Trusted types, which not every browser has yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): unknown };
}

/** The address of the worker for a page whose policy takes no plain text for it. It is the only one that this policy knows. */
function trustedUrl(): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  scriptPolicy ??= trustedTypes?.createPolicy('roster-import', { createScriptURL: () => workerUrl });
  return (scriptPolicy?.createScriptURL(workerUrl) ?? workerUrl) as string;
}

let scriptPolicy: ReturnType<TrustedTypes['createPolicy']> | undefined;

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
  const worker = new Worker(trustedUrl(), { type: 'module' });
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
