import type { ServiceStatus } from '@roster/client';
import { expect, it } from 'vitest';
import { problemsOf } from './problems.ts';

const at = '2026-01-31T08:00:00.000Z';
const server = { id: 'a', host: 'roster-1', pid: 1, version: '0.1.0', startedAt: at };

const well: ServiceStatus = {
  asOf: at,
  server: { ...server, uptimeS: 60 },
  servers: [{ ...server, lastSeenAt: at }],
  database: {
    version: '18.4',
    sizeBytes: 50_000_000,
    connections: { open: 20, max: 97 },
    circuits: { requests: 'closed', workers: 'closed' },
    migrations: { latest: '0028', pending: [], unknown: [] },
  },
  sequencer: { lastPosition: 4711, waiting: 1, oldestWaitingS: 0.1 },
  deliveries: {
    pending: 3,
    due: 1,
    inFlight: 1,
    oldestDueS: 0.2,
    lagS: 0.2,
    failingLagS: 0,
    failing: 0,
    unread: 0,
  },
  jobs: { queued: 1, running: 1, oldestQueuedS: 2 },
  scheduledChanges: { pending: 12, due: 0, oldestDueS: 0 },
};

const ids = (status: ServiceStatus) => problemsOf(status).map(({ id }) => id);

it('a service that works off its queues has no problem', () => {
  expect(ids(well)).toEqual([]);
});

it('an open circuit breaker comes before what is only late', () => {
  const circuits = { requests: 'open', workers: 'open' } as const;
  const late = { ...well.deliveries, oldestDueS: 61, failing: 2 };
  const status = { ...well, database: { ...well.database, circuits }, deliveries: late };
  expect(ids(status)).toEqual(['circuit-requests', 'circuit-workers', 'deliveries', 'webhooks']);
});

it('deliveries are late if the oldest that is due waits, or the oldest event in the log', () => {
  for (const late of [{ oldestDueS: 61 }, { lagS: 61 }])
    expect(ids({ ...well, deliveries: { ...well.deliveries, ...late } })).toEqual(['deliveries']);
  expect(ids({ ...well, deliveries: { ...well.deliveries, failingLagS: 61 } })).toEqual([]);
});

it('a database of another release is a problem', () => {
  const migrations = { latest: '0028', pending: ['0029'], unknown: ['0030'] };
  const status = { ...well, database: { ...well.database, migrations } };
  expect(ids(status)).toEqual(['migrations-pending', 'migrations-unknown']);
});

it('events, jobs and scheduled changes that wait for long are problems', () => {
  const status = {
    ...well,
    sequencer: { ...well.sequencer, oldestWaitingS: 11 },
    jobs: { ...well.jobs, oldestQueuedS: 301 },
    scheduledChanges: { ...well.scheduledChanges, oldestDueS: 61 },
  };
  expect(ids(status)).toEqual(['sequencer', 'jobs', 'scheduledChanges']);
});

it('servers of different versions, and connections that are nearly all taken, are problems', () => {
  const servers = ['0.1.0', '0.2.0'].map((version) => ({ ...server, version, lastSeenAt: at }));
  const database = { ...well.database, connections: { open: 95, max: 97 } };
  expect(ids({ ...well, servers, database })).toEqual(['connections', 'versions']);
});
