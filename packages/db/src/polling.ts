export interface PollingOptions {
  /** Milliseconds from the end of a run to the next, unless `wake` is called. */
  intervalMs: number;
  /** The least milliseconds between two runs, which `wake` does not shorten; 0 unless given. */
  pauseMs?: number;
  /** Milliseconds from a run that failed to the next, which `wake` does not shorten; 500 unless given. */
  retryMs?: number;
  /** Called with the error of each run that failed. */
  onError: (error: unknown) => void;
}

export interface Polling {
  /** Runs the job as soon as the pause allows. A call during a run leads to another run after it. */
  wake(): void;
  /** Starts no further run, and resolves when the current one has ended. Idempotent; never rejects. */
  stop(): Promise<void>;
}

const RETRY_MS = 500;

/**
 * Runs a job at once and then again and again until it is stopped: every `intervalMs`, or sooner if woken. Two runs never
 * overlap.
 *
 * @param job resolves with `'more'` if it left work behind, so that it runs again at once; rejects if it failed
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a job that has nothing to say is an ordinary async function
export function startPolling(job: () => Promise<'more' | void>, options: PollingOptions): Polling {
  const { intervalMs, pauseMs = 0, retryMs = RETRY_MS, onError } = options;
  let isStopped = false;
  let isWoken = false;
  /** Ends the current wait, if there is one. */
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
