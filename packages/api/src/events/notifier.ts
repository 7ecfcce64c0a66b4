/** What this process knows of the log's growth without asking. */
export interface Feed {
  /** To be called after a commit of this process: positions can be given. */
  committed(): void;
  /** To be called when positions were given, by any process. */
  grown(): void;
  /** Calls `listener` whenever the log has grown, until the function it returns is called. */
  subscribe(listener: () => void): () => void;
  /** How often the log is known to have grown; to be asked before reading it. */
  growth(): number;
  /** Resolves when it has grown since, the time is over or the signal fires, whichever comes first; never rejects. */
  grownSince(growth: number, timeMs: number, signal: AbortSignal): Promise<void>;
}

/** Brings those who change records, the giver of positions and those who follow the log together. */
export function createFeed({ onCommit }: { onCommit: () => void }): Feed {
  const listeners = new Set<() => void>();
  let growth = 0;
  return {
    committed: onCommit,
    grown() {
      growth += 1;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    growth: () => growth,
    grownSince(since, timeMs, signal) {
      if (since !== growth || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          listeners.delete(wake);
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, timeMs);
        listeners.add(wake);
        signal.addEventListener('abort', wake);
      });
    },
  };
}
