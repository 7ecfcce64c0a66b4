import { setTimeout as sleep } from 'node:timers/promises';

/** What a balancer would see that asks whether the server is ready. */
export interface Readiness {
  checks: number;
  /** The most failed checks in a row: at two a balancer sends the server nothing more. */
  failedInRow: number;
  slowestMs: number;
}

/** As in deploy/haproxy.cfg: `inter 500ms` is also how long a check may take. */
const INTERVAL_MS = 500;

/** Asks /readyz as the balancer does, until it is stopped; then answers what it saw. */
export function watchReadiness(port: number): () => Promise<Readiness> {
  const stopping = new AbortController();
  const seen: Readiness = { checks: 0, failedInRow: 0, slowestMs: 0 };
  const watch = async () => {
    let failed = 0;
    while (!stopping.signal.aborted) {
      const startMs = performance.now();
      const isReady = await fetch(`http://127.0.0.1:${port}/readyz`, {
        signal: AbortSignal.timeout(INTERVAL_MS),
      }).then(
        ({ ok }) => ok,
        () => false,
      );
      failed = isReady ? 0 : failed + 1;
      seen.checks += 1;
      seen.failedInRow = Math.max(seen.failedInRow, failed);
      seen.slowestMs = Math.max(seen.slowestMs, performance.now() - startMs);
      await sleep(INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const watching = watch();
  return async () => {
    stopping.abort();
    await watching;
    return seen;
  };
}
