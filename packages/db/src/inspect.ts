import { setTimeout } from 'node:timers/promises';
import { type ConnectOptions, clientConfig, codeOf, SQLSTATE } from '@roster/postgres';
import { type Kysely, sql } from 'kysely';
import { Client } from 'pg';
import { connect } from './connect.ts';
import { type MigrationState, migrationState } from './migrate.ts';
import type { Database } from './tables.ts';

export interface Inspection {
  version: string;
  /** Such as 180004. */
  versionNumber: number;
  connectMs: number;
  user: string;
  database: string;
  encoding: string;
  isInRecovery: boolean;
  isReadOnly: boolean;
  /** The schema for new tables; null if the search path has none. */
  schema: string | null;
  mayCreateInSchema: boolean;
  /** The required extension pg_trgm. */
  trigrams: 'installed' | 'creatable' | 'forbidden' | 'absent';
  hasUnicodeCollation: boolean;
  connectionsMax: number;
  connectionsOpen: number;
  /** Whether acknowledged changes survive a power failure. */
  durability: { fsync: boolean; synchronousCommit: boolean; fullPageWrites: boolean };
  migrations: MigrationState;
}

/** Depends on the connection pooler in front of the database. */
export interface SessionSupport {
  keepsStatements: boolean;
  /** Whether NOTIFY reaches other sessions; null on a standby, where LISTEN is not possible. */
  receivesNotifications: boolean | null;
}

type Sessions = readonly [Client, Client];
type InspectOptions = Pick<ConnectOptions, 'connection' | 'timeouts'>;

const CONNECT_TIMEOUT_MS = 3_000;
/** Far longer than a notification takes, because without it a server does not start. */
const NOTIFICATION_TIMEOUT_MS = 10_000;
/** Fails if a pooler has no connection for the session. */
const QUERY_TIMEOUT_MS = 10_000;

/** Errors of prepared statements on a connection shared with another session. */
const errorsOfSharing: readonly string[] = [
  SQLSTATE.duplicatePreparedStatement,
  SQLSTATE.invalidSqlStatementName,
];

/** Throws the error of PostgreSQL or of the system. */
export async function inspect(options: InspectOptions): Promise<Inspection> {
  const startedMs = performance.now();
  const db = connect({
    ...options,
    applicationName: 'roster check',
    pool: { max: 2 },
    pipeline: { connections: 1 },
  });
  try {
    await sql`select 1`.execute(db);
    const connectMs = performance.now() - startedMs;
    const facts = await readFacts(db);
    const migrations = await migrationState(db);
    return { ...facts, connectMs, migrations };
  } finally {
    await db.destroy();
  }
}

type Facts = Omit<Inspection, 'connectMs' | 'migrations'>;

/** From the catalog, whose tables are unknown to the builder. */
async function readFacts(db: Kysely<Database>): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select
      split_part(current_setting('server_version'), ' ', 1) as version,
      current_setting('server_version_num')::int as "versionNumber",
      current_user as user,
      current_database() as database,
      current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as "isInRecovery",
      current_setting('default_transaction_read_only')::boolean as "isReadOnly",
      current_schema() as schema,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreateInSchema",
      case
        when exists (select from pg_extension where extname = 'pg_trgm') then 'installed'
        when not exists (select from pg_available_extensions where name = 'pg_trgm') then 'absent'
        when (select rolsuper from pg_roles where rolname = current_user) then 'creatable'
        when has_database_privilege(current_database(), 'create')
          and exists (select from pg_available_extension_versions where name = 'pg_trgm' and trusted) then 'creatable'
        else 'forbidden'
      end as trigrams,
      exists (select from pg_collation where collname = 'und-x-icu') as "hasUnicodeCollation",
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as "connectionsMax",
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "connectionsOpen",
      json_build_object(
        'fsync', current_setting('fsync')::boolean,
        'synchronousCommit', current_setting('synchronous_commit') <> 'off',
        'fullPageWrites', current_setting('full_page_writes')::boolean
      ) as durability`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a select without a table returned no row');
  return row;
}

/** Throws the error of PostgreSQL or of the system. */
export async function inspectSessions({ connection, timeouts }: InspectOptions): Promise<SessionSupport> {
  const config = {
    ...clientConfig(connection, 'roster check'),
    connectionTimeoutMillis: timeouts?.connectMs ?? CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  };
  const sessions = [new Client(config), new Client(config)] as const;
  for (const session of sessions) session.on('error', () => undefined);
  try {
    await Promise.all(sessions.map((session) => session.connect()));
    const isShared = await isOneProcess(sessions);
    return {
      keepsStatements: await keepsStatements(sessions),
      receivesNotifications: isShared ? false : await deliversNotifications(sessions),
    };
  } finally {
    await Promise.allSettled(sessions.map((session) => session.end()));
  }
}

/** As with a pooler in transaction mode. */
async function isOneProcess(sessions: Sessions): Promise<boolean> {
  const processes = new Set<unknown>();
  for (const session of sessions) {
    const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid');
    processes.add(rows[0]?.pid);
  }
  return processes.size < sessions.length;
}

/** Behind a pooler that shares connections, the name is taken or the statement missing. */
async function keepsStatements([one, other]: Sessions): Promise<boolean> {
  try {
    for (const session of [one, other, one, other])
      await session.query({ name: 'roster_check', text: 'select 1' });
    return true;
  } catch (error) {
    if (errorsOfSharing.includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}

async function deliversNotifications([listener, notifier]: Sessions): Promise<boolean | null> {
  try {
    const received = new Promise<boolean>((resolve) => listener.once('notification', () => resolve(true)));
    await listener.query('listen roster_check');
    await notifier.query("select pg_notify('roster_check', '')");
    return await Promise.race([received, setTimeout(NOTIFICATION_TIMEOUT_MS, false, { ref: false })]);
  } catch (error) {
    if (codeOf(error) === SQLSTATE.readOnlySqlTransaction) return null;
    throw error;
  }
}
