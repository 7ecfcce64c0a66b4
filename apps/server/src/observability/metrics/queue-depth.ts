import { type Backlog, readBacklog } from '@roster/api/server';
import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { Gauge, type Registry } from 'prom-client';

/** Then the scrape goes without these metrics; Prometheus waits for ten seconds. */
const TIMEOUT_MS = 1_000;

interface Definition {
  name: string;
  help: string;
  numberOf: (backlog: Backlog) => number;
}

const definitions: Definition[] = [
  {
    name: 'roster_events_last_position',
    help: 'The newest position in the log of events.',
    numberOf: ({ log }) => log.lastPosition,
  },
  {
    name: 'roster_events_compacted_position',
    help: 'Up to which position the log of events is compacted.',
    numberOf: ({ log }) => log.compactedTo,
  },
  {
    name: 'roster_events_waiting',
    help: 'Committed events that have no position yet; at most 10,000 are counted.',
    numberOf: ({ log }) => log.waiting,
  },
  {
    name: 'roster_events_oldest_waiting_seconds',
    help: 'The age of the oldest event that has no position yet; 0 where none waits.',
    numberOf: ({ log }) => log.oldestWaitingS,
  },
  {
    name: 'roster_webhook_deliveries_pending',
    help: 'Deliveries to active webhooks that are not made yet.',
    numberOf: ({ queue }) => queue.pending,
  },
  {
    name: 'roster_webhook_deliveries_due',
    help: 'Deliveries whose time has come and that no server has taken.',
    numberOf: ({ queue }) => queue.due,
  },
  {
    name: 'roster_webhook_deliveries_in_flight',
    help: 'Deliveries that a server has taken and is making.',
    numberOf: ({ queue }) => queue.inFlight,
  },
  {
    name: 'roster_webhook_oldest_due_seconds',
    help: 'For how long the delivery that waits longest has been due; 0 where none is.',
    numberOf: ({ queue }) => queue.oldestDueS,
  },
  {
    name: 'roster_webhook_lag_seconds',
    help: 'Age of the oldest event that was not sent to an active webhook whose receiver responds; 0 if there is none.',
    numberOf: ({ queue }) => queue.lagS,
  },
  {
    name: 'roster_webhook_failing_lag_seconds',
    help: 'Age of the oldest event that was not delivered to a failing or paused webhook; 0 if there is none.',
    numberOf: ({ queue }) => queue.failingLagS,
  },
  {
    name: 'roster_webhooks_failing',
    help: 'Active webhooks whose last attempt failed.',
    numberOf: ({ queue }) => queue.failing,
  },
  {
    name: 'roster_webhook_unread_events',
    help: 'Events that the active webhook furthest behind has not read in the log.',
    numberOf: ({ queue }) => queue.unread,
  },
  {
    name: 'roster_scheduled_changes_pending',
    help: 'Scheduled changes that have not happened yet; at most 10,000 are counted.',
    numberOf: ({ scheduled }) => scheduled.pending,
  },
  {
    name: 'roster_scheduled_changes_due',
    help: 'Scheduled changes whose time has come.',
    numberOf: ({ scheduled }) => scheduled.due,
  },
  {
    name: 'roster_scheduled_changes_oldest_due_seconds',
    help: 'For how long the scheduled change that waits longest has been due; 0 if there is none.',
    numberOf: ({ scheduled }) => scheduled.oldestDueS,
  },
];

/** Counts the queues of the database, for all servers. Left out if it does not respond, which `roster_database_up` shows. */
export function measureBacklog(registry: Registry, db: Kysely<Database>): void {
  let reading: Promise<Backlog | undefined> | undefined;
  // The gauges of concurrent scrapes share one read.
  const backlog = () => {
    reading ??= readBacklog(db, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  new Gauge({
    name: 'roster_database_up',
    help: '1 if the database responded to this scrape within a second, else 0.',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      this.set((await backlog()) === undefined ? 0 : 1);
    },
  });
  for (const { name, help, numberOf } of definitions) {
    new Gauge({
      name,
      help,
      aggregator: 'max',
      registers: [registry],
      async collect() {
        const read = await backlog();
        if (read === undefined) this.remove();
        else this.set(numberOf(read));
      },
    });
  }
}
