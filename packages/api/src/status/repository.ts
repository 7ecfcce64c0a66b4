import { compileOnce, type Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { timeText } from '../resources/json/record-json.ts';
import { ALIVE_MS } from './registry.ts';
import { LISTED_MAX, type ServiceStatus } from './schemas.ts';

const selectServers = compileOnce<object, ServiceStatus['servers'][number]>(
  () => sql`
    select id, host, pid, version, ${timeText(sql.ref<Date>('started_at'))} as "startedAt",
      ${timeText(sql.ref<Date>('seen_at'))} as "lastSeenAt"
    from running_server where seen_at > now() - ${sql.lit(`${ALIVE_MS} ms`)}::interval
    order by started_at, id limit ${sql.lit(LISTED_MAX)}`,
  { isReadOnly: true },
);

/** The servers that have been seen lately, the oldest first. */
export function readServers(db: Kysely<Database>): Promise<ServiceStatus['servers']> {
  return selectServers.execute(db, {});
}

interface DatabaseFacts {
  version: string;
  sizeBytes: number;
  connectionsOpen: number;
  connectionsMax: number;
  latestMigration: string | null;
}

const selectFacts = compileOnce<object, DatabaseFacts>(
  () => sql`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database())::float8 as "sizeBytes",
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "connectionsOpen",
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as "connectionsMax",
      (select max(name) from kysely_migration) as "latestMigration"`,
  { isReadOnly: true },
);

/** Reads the facts that PostgreSQL has of itself. The size takes longer, the more files the database has: some 2 ms for 1,000. */
export async function readDatabaseFacts(db: Kysely<Database>): Promise<DatabaseFacts> {
  const [facts] = await selectFacts.execute(db, {});
  if (facts === undefined) throw new Error('a select without a table is one row');
  return facts;
}

const selectJobs = compileOnce<object, ServiceStatus['jobs']>(
  () => sql`
    select count(*) filter (where status = 'queued')::int as queued,
      count(*) filter (where status = 'running')::int as running,
      coalesce(
        greatest(extract(epoch from now() - min(created_at) filter (where status = 'queued')), 0), 0
      )::float8 as "oldestQueuedS"
    from job where finished_at is null`,
  { isReadOnly: true },
);

/** The jobs that have not ended. */
export async function readJobStats(db: Kysely<Database>): Promise<ServiceStatus['jobs']> {
  const [stats] = await selectJobs.execute(db, {});
  if (stats === undefined) throw new Error('an aggregate without groups returned no row');
  return stats;
}
