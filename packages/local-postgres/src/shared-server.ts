import { setTimeout as sleep } from 'node:timers/promises';
import { type AcquiredServer, type AcquireOptions, acquire, release } from './acquire.ts';

/** A server that this process shares with others. */
export interface SharedServer {
  socketDirectory: string;
  /** Whether it was already running. */
  adopted: boolean;
  /** Releases the server; its last user stops it. Idempotent. */
  close(): Promise<void>;
}

const RESTART_PAUSE_MIN_MS = 50;
const RESTART_PAUSE_MAX_MS = 30_000;

/**
 * Acquires the server of a layout, starting it if it does not run and creating its cluster if there is none. If the
 * server is killed while this process uses it, starts it again.
 *
 * @throws LocalPostgresUnavailable if the server can be neither started nor used
 */
export async function openSharedServer(options: Omit<AcquireOptions, 'mayCreate'>): Promise<SharedServer> {
  const first = await acquire({ ...options, mayCreate: true });
  let acquired: AcquiredServer | undefined = first;
  if (first.adopted) options.onProgress(`using the server that already runs on ${options.layout.data}`);
  const closing = new AbortController();

  const supervise = async (): Promise<void> => {
    while (acquired !== undefined && !closing.signal.aborted) {
      await acquired.lease.lost;
      if (closing.signal.aborted) return;
      options.onProgress('the connection to the database server was lost');
      acquired = undefined;
      acquired = await acquireAgain({ ...options, mayCreate: false }, closing.signal);
    }
  };
  const supervised = supervise();

  const close = async (): Promise<void> => {
    closing.abort();
    // While the server is being restarted, wait for the outcome, which may be a server to release.
    if (acquired === undefined) await supervised;
    await release(options.layout, acquired);
  };
  let closed: Promise<void> | undefined;
  return {
    socketDirectory: first.server.socketDirectory,
    adopted: first.adopted,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

async function acquireAgain(
  options: AcquireOptions,
  closing: AbortSignal,
): Promise<AcquiredServer | undefined> {
  for (let pauseMs = RESTART_PAUSE_MIN_MS; ; pauseMs = Math.min(2 * pauseMs, RESTART_PAUSE_MAX_MS)) {
    await sleep(pauseMs, undefined, { ref: false, signal: closing }).catch(() => undefined);
    if (closing.aborted) return undefined;
    try {
      const acquired = await acquire(options);
      options.onProgress('the database server runs again');
      return acquired;
    } catch (error) {
      options.onProgress(`the database server cannot be started again yet: ${error}`);
    }
  }
}
