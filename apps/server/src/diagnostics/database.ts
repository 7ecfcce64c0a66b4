import { type ConnectionTarget, type Inspection, inspect, maxConnections } from '@roster/db';
import type { Config } from '../config/config.ts';
import { WORKER_CONNECTIONS_MAX } from '../workers/index.ts';
import type { Finding } from './index.ts';

const VERSION_MIN = 150_000;
/** To hear of changes, and for the local one, whose server lives as long as somebody holds on to it. */
const CONNECTIONS_BESIDE = 2;

type Found = Omit<Finding, 'subject'>;
const ok = (detail: string, values?: Finding['values']): Found => ({
  level: 'ok',
  detail,
  ...(values && { values }),
});
const problem = (detail: string, values?: Finding['values']): Found => ({
  ...ok(detail, values),
  level: 'problem',
});
const warning = (detail: string, values?: Finding['values']): Found => ({
  ...ok(detail, values),
  level: 'warning',
});

/** What there is to say of a PostgreSQL, whether it is ours or the operator's. */
export async function databaseFindings({
  connection,
  config,
}: {
  connection: ConnectionTarget;
  config: Config;
}): Promise<Finding[]> {
  let found: Inspection;
  try {
    found = await inspect({ ...config.database, connection });
  } catch (error) {
    return [{ subject: 'database', ...problem(`cannot be reached: ${reasonOf(error)}; ${mendOf(error)}`) }];
  }
  return [
    { subject: 'database', ...reached(found) },
    { subject: 'encoding', ...encoding(found) },
    { subject: 'rights', ...rights(found) },
    { subject: 'extension', ...extension(found) },
    { subject: 'migrations', ...migrations(found) },
    { subject: 'connections', ...connections(found, config) },
    { subject: 'notices', ...notices(found) },
    { subject: 'durability', ...durability(found) },
  ];
}

/** What the network or PostgreSQL said; an error of ours holds theirs. */
export function reasonOf(error: unknown): string {
  const innermost = innermostOf(error);
  if (innermost instanceof AggregateError && innermost.message === '') {
    return innermost.errors.map((one: Error) => one.message).join(', ');
  }
  return innermost.message;
}

function innermostOf(error: unknown): Error {
  const { cause } = error as Error;
  return cause instanceof Error ? cause : (error as Error);
}

/** What to do when PostgreSQL cannot be reached, by the SQLSTATE it sent or the code of the system. */
const mends: Record<string, string> = {
  '28000': 'name a user in DATABASE_URL that PostgreSQL lets in from here (pg_hba.conf)',
  '28P01': 'correct the user or the password in DATABASE_URL',
  '3D000': 'create that database, or name another one in DATABASE_URL',
  '53300': 'raise max_connections of PostgreSQL, or close connections of others',
  ENOTFOUND: 'correct the host in DATABASE_URL',
  ENOENT: 'correct the path in DATABASE_URL, or start PostgreSQL',
};

function mendOf(error: unknown): string {
  const { code } = innermostOf(error) as { code?: string };
  return mends[code ?? ''] ?? 'start PostgreSQL there, or correct DATABASE_URL';
}

function reached({ version, versionNumber, connectMs, user, database }: Inspection): Found {
  const values = { version, versionNumber, connectMs: Math.round(connectMs), user, database };
  const detail = `PostgreSQL ${version} answers in ${values.connectMs} ms, to ${user} in ${database}`;
  if (versionNumber >= VERSION_MIN) return ok(detail, values);
  return problem(`${detail}: it has to be 15 or later`, values);
}

function encoding({ encoding: found, hasUnicodeCollation }: Inspection): Found {
  if (found !== 'UTF8') return problem(`the database is in ${found}: make one with encoding UTF8`);
  if (!hasUnicodeCollation) return problem('PostgreSQL was built without ICU, by which names are sorted');
  return ok('UTF8, and names can be sorted');
}

function rights({
  isInRecovery,
  isReadOnly,
  mayCreateInSchema,
  schema,
  migrations: { pending },
}: Inspection): Found {
  if (isInRecovery) return problem('it is a standby, which takes no writes: name the primary');
  if (isReadOnly) return problem('its transactions only read (default_transaction_read_only)');
  if (schema === null) return problem('there is no schema in the search path of this user');
  if (mayCreateInSchema) return ok(`tables may be made in the schema ${schema}`);
  const detail = `this user may not create in the schema ${schema}`;
  return pending.length > 0
    ? problem(`${detail}, and there is to migrate`)
    : warning(`${detail}: no migration could run`);
}

function extension({ trigrams }: Inspection): Found {
  const values = { name: 'pg_trgm', state: trigrams };
  if (trigrams === 'installed') return ok('pg_trgm is there', values);
  if (trigrams === 'creatable') return ok('pg_trgm would be created', values);
  if (trigrams === 'absent')
    return problem('pg_trgm is not on that server: install its contrib package', values);
  return problem('pg_trgm is not there, and this user may not create it: `create extension pg_trgm`', values);
}

function migrations({ migrations: { pending, unknown } }: Inspection): Found {
  const values = { pending, unknown };
  if (pending.length > 0) return ok(`a start would run ${pending.join(', ')}`, values);
  if (unknown.length === 0) return ok('up to date', values);
  return warning(
    `a newer release has been here (${unknown.join(', ')}); this one works with what it knows of, but is to be upgraded`,
    values,
  );
}

function connections({ connectionsMax, connectionsOpen }: Inspection, { database }: Config): Found {
  const ours =
    maxConnections(database) + maxConnections({ pool: { max: WORKER_CONNECTIONS_MAX } }) + CONNECTIONS_BESIDE;
  const values = { ours, connectionsMax, connectionsOpen };
  const detail = `this server opens ${ours} at most, of ${connectionsMax}, of which ${connectionsOpen} are open`;
  if (ours > connectionsMax) return problem(`${detail}: lower ROSTER_DATABASE_CONNECTIONS_MAX`, values);
  if (ours + connectionsOpen > connectionsMax) return warning(`${detail}: there may be too few`, values);
  return ok(detail, values);
}

function notices({ receivesNotifications, isInRecovery }: Inspection): Found {
  if (receivesNotifications) return ok('what one session notifies, another one hears');
  if (isInRecovery) return warning('a standby lets nobody listen');
  return problem(
    'a session does not hear what another one notifies, as behind a pooler in transaction mode: revoked keys and new ' +
      'events would not be heard of; connect to PostgreSQL itself, or to a pooler in session mode',
  );
}

function durability({ durability: { fsync, synchronousCommit, fullPageWrites } }: Inspection): Found {
  const off = Object.entries({
    fsync,
    synchronous_commit: synchronousCommit,
    full_page_writes: fullPageWrites,
  })
    .filter(([, isOn]) => !isOn)
    .map(([name]) => name);
  const values = { off };
  if (off.length === 0) return ok('what is acknowledged is on disk', values);
  return warning(`${off.join(' and ')} off: what is acknowledged may be lost with the power`, values);
}
