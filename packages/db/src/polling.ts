export interface PollingOptions {
  /** Milliseconds from the end of a run to the next. */
  intervalMs: number;
  /** Minimum pause in milliseconds, even after `wake`. Defaults to 0. */
  pauseMs?: number;
  /** Milliseconds after a failed run, even after `wake`. Defaults to 500. */
  retryMs?: number;
  onError: (error: unknown) => void;
}

export interface Polling {
  /** Runs the job as soon as the pause allows. During a run it leads to another. */
  wake(): void;
  /** Resolves when the current run has ended. Idempotent; never rejects. */
  stop(): Promise<void>;
}

const RETRY_MS = 500;

/**
 * Runs a job at once and then every `intervalMs`, or sooner if woken. Runs never overlap.
 *
 * @param job resolves with `'more'` to run again at once
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a job that has nothing to say is an ordinary async function
export function startPolling(job: () => Promise<'more' | void>, options: PollingOptions): Polling {
  const { intervalMs, pauseMs = 0, retryMs = RETRY_MS, onError } = options;
  let isStopped = false;
  let isWoken = false;
  let endWait = (): void => undefined;
  let endWaitIfWoken = (): void => undefined;

  function wait(timeMs: number, { isWakeable }: { isWakeable: boolean }): Promise<void> {
    if (isStopped || timeMs <= 0 || (isWakeable && isWoken)) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        endWaitIfWoken = () => undefined;
        resolve();
      };
      const timer = setTimeout(end, timeMs);
      endWait = end;
      if (isWakeable) endWaitIfWoken = end;
    });
  }

  async function run(): Promise<void> {
    try {
      if ((await job()) === 'more') return;
    } catch (error) {
      onError(error);
      return wait(retryMs, { isWakeable: false });
    }
    await wait(pauseMs, { isWakeable: false });
    await wait(intervalMs - pauseMs, { isWakeable: true });
  }

  async function runUntilStopped(): Promise<void> {
    while (!isStopped) {
      isWoken = false;
      await run();
    }
  }

  const running = runUntilStopped();
  return {
    wake() {
      isWoken = true;
      endWaitIfWoken();
    },
    stop() {
      isStopped = true;
      endWait();
      return running;
    },
  };
}
