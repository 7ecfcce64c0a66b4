import {
  BaselineChangedError,
  type ConnectionTarget,
  type Inspection,
  inspect,
  inspectLocalPostgres,
  inspectSessions,
  LocalPostgresUnavailable,
  maxConnections,
  type SessionSupport,
  SQLSTATE,
} from '@roster/db';
import type { Config } from '../../config/config.ts';
import { faultsOf } from '../../known-faults.ts';
import { sessionProblem } from '../../server.ts';
import { maxWorkerConnections } from '../../workers/index.ts';
import { type Finding, ok, problem, type Result, warning } from './finding.ts';

const GIBIBYTE = 1024 ** 3;
const FREE_LOW_BYTES = GIBIBYTE;
/** PostgreSQL needs about 40 MB for its first files, and 16 MB for each segment of the WAL. */
const FREE_MIN_BYTES = GIBIBYTE / 8;

export async function checkLocalPostgres(config: Config): Promise<Finding[]> {
  const found = await inspectLocalPostgres(config.dataDir);
  const { version, directory, dataVersion, running, freeBytes } = found;
  const subject = 'local-postgres';
  if (version instanceof LocalPostgresUnavailable) return [{ subject, ...problem(version.message) }];
  const findings: Finding[] = [{ subject, ...checkDataDirectory({ directory, dataVersion, version }) }];
  const free = `${(freeBytes / GIBIBYTE).toFixed(1)} GiB are free there`;
  const level = freeBytes < FREE_MIN_BYTES ? 'problem' : freeBytes < FREE_LOW_BYTES ? 'warning' : 'ok';
  findings.push({ level, subject: 'disk', detail: free, values: { freeBytes } });
  if (running !== undefined) findings.push(...(await checkDatabase({ connection: running, config })));
  else findings.push({ subject, ...ok('is not running; a start would start it') });
  return findings;
}

interface DataDirectory {
  directory: string;
  dataVersion: string | undefined;
  version: string;
}

function checkDataDirectory({ directory, dataVersion, version }: DataDirectory): Result {
  const values = { directory, dataVersion: dataVersion ?? null, version };
  if (dataVersion === undefined)
    return ok(`a start would create a new database in ${directory} (PostgreSQL ${version})`, values);
  const detail = `the data are in ${directory} (PostgreSQL ${version})`;
  if (version.startsWith(`${dataVersion}.`)) return ok(detail, values);
  return problem(`${detail}, but were written by PostgreSQL ${dataVersion}, and cannot be opened`, values);
}

const VERSION_MIN = 150_000;
const LOCAL_POSTGRES_CONNECTIONS = 1;

export async function checkDatabase({
  connection,
  config,
}: {
  connection: ConnectionTarget;
  config: Config;
}): Promise<Finding[]> {
  let found: Inspection;
  let sessions: SessionSupport;
  try {
    sessions = await inspectSessions({ ...config.database, connection });
    // Without its prepared statements any other query may fail.
    if (!sessions.keepsStatements) return [{ subject: 'sessions', ...checkSessions(sessions) }];
    found = await inspect({ ...config.database, connection });
  } catch (error) {
    if (error instanceof BaselineChangedError) return [{ subject: 'migrations', ...problem(error.message) }];
    return [
      { subject: 'database', ...problem(`cannot be reached: ${messageOf(error)}; ${adviceFor(error)}`) },
    ];
  }
  return [
    { subject: 'database', ...checkConnection(found) },
    ...faultsOf('PostgreSQL', found.version).map((fault) => ({ subject: 'known-faults', ...warning(fault) })),
    { subject: 'encoding', ...checkEncoding(found) },
    { subject: 'rights', ...checkPrivileges(found) },
    { subject: 'extension', ...checkExtension(found) },
    { subject: 'migrations', ...checkMigrations(found) },
    { subject: 'connections', ...checkConnectionLimit(found, config) },
    { subject: 'sessions', ...checkSessions(sessions) },
    { subject: 'durability', ...checkDurability(found) },
  ];
}

/** The dialect wraps the error of the network or of PostgreSQL. */
function messageOf(error: unknown): string {
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

const advice: Record<string, string> = {
  [SQLSTATE.invalidAuthorizationSpecification]:
    'name a user in DATABASE_URL that may connect from this machine (pg_hba.conf)',
  [SQLSTATE.invalidPassword]: 'correct the user or the password in DATABASE_URL',
  [SQLSTATE.invalidCatalogName]: 'create that database, or name another one in DATABASE_URL',
  [SQLSTATE.tooManyConnections]:
    'raise max_connections of PostgreSQL, or close connections of other programs',
  ENOTFOUND: 'correct the host in DATABASE_URL',
  ENOENT: 'correct the path in DATABASE_URL, or start PostgreSQL',
};

function adviceFor(error: unknown): string {
  const { code, message } = innermostOf(error) as Error & { code?: string };
  if (message.includes('startup parameter'))
    return 'add it to ignore_startup_parameters in pgbouncer.ini (docs/operations/install.md, Connect through a pooler)';
  return advice[code ?? ''] ?? 'start PostgreSQL there, or correct DATABASE_URL';
}

function checkConnection({ version, versionNumber, connectMs, user, database }: Inspection): Result {
  const values = { version, versionNumber, connectMs: Math.round(connectMs), user, database };
  const detail = `PostgreSQL ${version} responds in ${values.connectMs} ms to ${user} in ${database}`;
  if (versionNumber >= VERSION_MIN) return ok(detail, values);
  return problem(`${detail}: 15 or later is required`, values);
}

function checkEncoding({ encoding: found, hasUnicodeCollation }: Inspection): Result {
  if (found !== 'UTF8')
    return problem(`the encoding of the database is ${found}: create one with encoding UTF8`);
  if (!hasUnicodeCollation) return problem('PostgreSQL was built without ICU, which sorts names');
  return ok('UTF8, and names can be sorted');
}

function checkPrivileges({
  isInRecovery,
  isReadOnly,
  mayCreateInSchema,
  schema,
  migrations: { pending },
}: Inspection): Result {
  if (isInRecovery) return problem('it is a standby, which rejects writes: name the primary');
  if (isReadOnly) return problem('its transactions are read-only (default_transaction_read_only)');
  if (schema === null) return problem('there is no schema in the search path of this user');
  if (mayCreateInSchema) return ok(`this user may create tables in the schema ${schema}`);
  const detail = `this user may not create in the schema ${schema}`;
  return pending.length > 0
    ? problem(`${detail}, and migrations are pending`)
    : warning(`${detail}: later migrations will fail`);
}

function checkExtension({ trigrams }: Inspection): Result {
  const values = { name: 'pg_trgm', state: trigrams };
  if (trigrams === 'installed') return ok('pg_trgm is installed', values);
  if (trigrams === 'creatable') return ok('pg_trgm would be created', values);
  if (trigrams === 'absent')
    return problem('pg_trgm is not available on that server: install its contrib package', values);
  return problem(
    'pg_trgm is not installed, and this user may not create it: run `create extension pg_trgm` as another user',
    values,
  );
}

function checkMigrations({ migrations: { pending, unknown } }: Inspection): Result {
  const values = { pending, unknown };
  if (pending.length > 0) return ok(`a start would run ${pending.join(', ')}`, values);
  if (unknown.length === 0) return ok('up to date', values);
  return warning(
    `a newer release has migrated the database (${unknown.join(', ')}); this release works with it, but upgrade it`,
    values,
  );
}

function checkConnectionLimit(
  { connectionsMax, connectionsOpen }: Inspection,
  { database, processes }: Config,
): Result {
  const each = maxConnections(database) + maxWorkerConnections() + LOCAL_POSTGRES_CONNECTIONS;
  const ours = processes * each;
  const values = { ours, connectionsMax, connectionsOpen };
  const detail = `this server opens at most ${ours} of the ${connectionsMax} that PostgreSQL allows; ${connectionsOpen} are open`;
  const lower = `lower ROSTER_DATABASE_CONNECTIONS_MAX${processes > 1 ? ' or ROSTER_PROCESSES' : ''}`;
  if (ours > connectionsMax) return problem(`${detail}: ${lower}`, values);
  if (ours + connectionsOpen > connectionsMax) return warning(`${detail}: there may not be enough`, values);
  return ok(detail, values);
}

function checkSessions(sessions: SessionSupport): Result {
  const found = sessionProblem(sessions);
  if (found !== undefined) return problem(found);
  if (sessions.receivesNotifications === null) return warning('on a standby no session can listen');
  return ok('a session keeps its prepared statements and receives what another one notifies');
}

function checkDurability({ durability: { fsync, synchronousCommit, fullPageWrites } }: Inspection): Result {
  const off = Object.entries({
    fsync,
    synchronous_commit: synchronousCommit,
    full_page_writes: fullPageWrites,
  })
    .filter(([, isOn]) => !isOn)
    .map(([name]) => name);
  const values = { off };
  if (off.length === 0) return ok('what is acknowledged is on disk', values);
  return warning(`${off.join(' and ')} off: acknowledged changes may be lost in a power failure`, values);
}
