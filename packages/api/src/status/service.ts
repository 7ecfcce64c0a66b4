import { connectionCounts, type Database, migrationState } from '@roster/db';
import type { Kysely } from 'kysely';
import type { RunningServer } from './registry.ts';
import {
  readDatabaseFacts,
  readDeliveryQueueStats,
  readEventLogStats,
  readJobStats,
  readScheduledChangeStats,
  readServers,
} from './repository.ts';
import { LISTED_MAX, type ServiceStatus } from './schemas.ts';

export interface StatusOptions {
  /** The connections of requests, and of the workers. */
  databases: { requests: Kysely<Database>; workers: Kysely<Database> };
  server: RunningServer;
  now: () => Date;
}

/** Reads the status; concurrent and quickly repeated calls share what one has read. */
export type ReadStatus = () => Promise<ServiceStatus>;

/** The time for which a status that was read is answered again. */
const STATUS_TTL_MS = 1_000;

function circuitOf(db: Kysely<Database>): 'closed' | 'open' {
  return connectionCounts(db).isCircuitOpen ? 'open' : 'closed';
}

async function readDatabase({
  requests,
  workers,
}: StatusOptions['databases']): Promise<ServiceStatus['database']> {
  const [facts, { pending, unknown }] = await Promise.all([
    readDatabaseFacts(requests),
    migrationState(requests),
  ]);
  const { version, sizeBytes, connectionsOpen, connectionsMax, latestMigration } = facts;
  return {
    version,
    sizeBytes,
    connections: { open: connectionsOpen, max: connectionsMax },
    circuits: { requests: circuitOf(requests), workers: circuitOf(workers) },
    migrations: {
      latest: latestMigration,
      pending: pending.slice(0, LISTED_MAX),
      unknown: unknown.slice(0, LISTED_MAX),
    },
  };
}

async function readNow({ databases, server, now }: StatusOptions): Promise<ServiceStatus> {
  const db = databases.requests;
  const [database, servers, log, deliveries, jobs, scheduledChanges] = await Promise.all([
    readDatabase(databases),
    readServers(db),
    readEventLogStats(db),
    readDeliveryQueueStats(db),
    readJobStats(db),
    readScheduledChangeStats(db),
  ]);
  const { lastPosition, waiting, oldestWaitingS } = log;
  const { id, host, pid, version, startedAt } = server;
  const at = now();
  const uptimeS = Math.max(0, (at.getTime() - startedAt.getTime()) / 1_000);
  return {
    asOf: at.toISOString(),
    server: { id, host, pid, version, startedAt: startedAt.toISOString(), uptimeS },
    servers,
    database,
    sequencer: { lastPosition, waiting, oldestWaitingS },
    deliveries,
    jobs,
    scheduledChanges,
  };
}

/**
 * Creates what reads the status of the service. However often it is called, the database is read once in a second, over connections
 * that no caller can cancel; a failure is not kept.
 */
export function createStatusReader(options: StatusOptions): ReadStatus {
  let reading: Promise<ServiceStatus> | undefined;
  let readMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (reading !== undefined && performance.now() - readMs < STATUS_TTL_MS) return reading;
    const current = readNow(options);
    reading = current;
    readMs = performance.now();
    current.catch(() => {
      if (reading === current) reading = undefined;
    });
    return current;
  };
}
