/** Tells the parts of this process that the event log has changed, so that they need not poll the database for it. */
export interface EventNotifier {
  /** To be called after a commit of this process: the sequencer can assign positions. */
  onCommit(): void;
  /** To be called when any process has assigned positions: wakes all readers that wait for a change. */
  notify(): void;
  /** Calls `listener` at every change of the log, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** The number of changes so far. A reader takes it before it reads the log, for `waitForChange`. */
  version(): number;
  /**
   * Resolves at the first change after `version`, after `timeoutMs`, or when the signal aborts, whichever comes first. Never
   * rejects.
   */
  waitForChange(version: number, timeoutMs: number, signal: AbortSignal): Promise<void>;
}

/** @param onCommit Called after each commit of this process; the server passes what wakes the sequencer. */
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
