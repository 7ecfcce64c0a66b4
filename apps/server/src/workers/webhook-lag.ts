import { readLaggingWebhooks, startPeriodicJob } from '@roster/api/server';
import type { Database } from '@roster/db';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';

export const LAG_WARNED_S = 60;
const INTERVAL_MS = 60_000;

type Log = Pick<FastifyBaseLogger, 'warn'>;

/** Logs the ID: a URL may hold a secret. */
export async function warnOfLag(db: Kysely<Database>, log: Log): Promise<void> {
  for (const { webhookId, lagS, isSlow } of await readLaggingWebhooks(db, { moreThanS: LAG_WARNED_S }))
    log.warn({ webhookId, lagS: Math.round(lagS), isSlow }, 'a webhook has fallen behind');
}

/** Every minute, on one server. The returned function does not wait for a running check. */
export function startLagWatch(db: Kysely<Database>, log: Log): () => void {
  let isStopped = false;
  const stop = startPeriodicJob(db, {
    name: 'webhook lag',
    intervalMs: INTERVAL_MS,
    run: () => warnOfLag(db, log),
    onError: (error) => {
      if (!isStopped) log.warn({ err: error }, 'the lag of webhooks could not be read');
    },
  });
  return () => {
    isStopped = true;
    void stop();
  };
}
