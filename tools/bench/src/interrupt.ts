import process from 'node:process';

/**
 * Waits for a run, or for a signal to stop it (SIGINT, SIGTERM): then it throws, so that the owner of what was
 * started ends it.
 */
export function interruptible<Result>(run: Promise<Result>): Promise<Result> {
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => reject(new Error(`stopped by ${signal}`)));
    }
  });
  return Promise.race([run, interrupted]);
}
