/** Tells this process about changes of the log, so that it need not poll the database. */
export interface EventNotifier {
  /** Call it after a commit of this process: the sequencer can assign positions. */
  onCommit(): void;
  notify(): void;
  subscribe(listener: () => void): () => void;
  /** The number of changes so far. Take it before reading the log, for `waitForChange`. */
  version(): number;
  /** Resolves at a change after `version`, after `timeoutMs`, or on abort. Never rejects. */
  waitForChange(version: number, timeoutMs: number, signal: AbortSignal): Promise<void>;
}

/** @param onCommit called after each commit of this process; the server passes the sequencer's wake-up */
export function createEventNotifier({ onCommit }: { onCommit: () => void }): EventNotifier {
  const listeners = new Set<() => void>();
  let version = 0;
  return {
    onCommit,
    notify() {
      version += 1;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
    waitForChange(since, timeoutMs, signal) {
      if (since !== version || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          listeners.delete(wake);
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, timeoutMs);
        listeners.add(wake);
        signal.addEventListener('abort', wake);
      });
    },
  };
}
