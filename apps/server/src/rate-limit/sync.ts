import { randomUUID } from 'node:crypto';
import { deleteExpiredRates, syncCallerRates, unregisterServer } from '@roster/api/server';
import { type ConnectionTarget, connect, startPolling } from '@roster/db';
import { type DistributedRateLimiter, SYNC_INTERVAL_MS } from './distributed-limiter.ts';

export interface RateLimitSyncOptions {
  connection: ConnectionTarget;
  /** Called with the error when the database stops answering; once, until it answers again. */
  onFailure: (error: unknown) => void;
}

export interface RateLimitSync {
  /** Reports the last requests, removes the server from those that synchronise, and closes the connection. */
  stop(): Promise<void>;
}

/** The connections that the synchronisation opens; it has no read-only statement, so that its pipeline opens none. */
export const SYNC_CONNECTIONS_MAX = 1;

const STATEMENT_MS = 1_000;
const DELETE_EVERY_MS = 60_000;

/**
 * Synchronises a limiter with those of the other servers, at once and then twice in every `SYNC_INTERVAL_MS`. However many
 * requests there are, the database sees four statements a second from each server, on a connection of their own, so that
 * they wait for nothing else. No request waits for them.
 */
export function startRateLimitSync(
  limiter: DistributedRateLimiter,
  { connection, onFailure }: RateLimitSyncOptions,
): RateLimitSync {
  const db = connect({
    connection,
    pool: { max: SYNC_CONNECTIONS_MAX },
    pipeline: { connections: 1 },
    timeouts: { statementMs: STATEMENT_MS, connectMs: STATEMENT_MS, silenceMs: STATEMENT_MS * 1.25 },
  });
  const server = randomUUID();
  let isAvailable = true;
  let deletedMs = performance.now();

  async function sync(): Promise<'more' | undefined> {
    const started = limiter.startSync();
    try {
      limiter.synced(started, await syncCallerRates(db, { server, ...started }));
    } catch (error) {
      limiter.failed(started);
      throw error;
    }
    isAvailable = true;
    if (performance.now() - deletedMs > DELETE_EVERY_MS) {
      deletedMs = performance.now();
      await deleteExpiredRates(db);
    }
    return started.isMore ? 'more' : undefined;
  }

  async function leave(): Promise<void> {
    await sync();
    await unregisterServer(db, server);
  }

  const polling = startPolling(sync, {
    intervalMs: SYNC_INTERVAL_MS / 2,
    retryMs: SYNC_INTERVAL_MS / 2,
    onError: (error) => {
      if (isAvailable) onFailure(error);
      isAvailable = false;
    },
  });
  return {
    stop: async () => {
      await polling.stop();
      await leave().catch(() => undefined);
      await db.destroy();
    },
  };
}
