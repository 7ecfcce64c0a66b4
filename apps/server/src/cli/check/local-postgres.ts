import { inspectLocalPostgres, LocalPostgresUnavailable } from '@roster/db';
import type { Config } from '../../config/config.ts';
import { checkDatabase } from './database.ts';
import { type Finding, ok, problem, type Result } from './finding.ts';

const GIBIBYTE = 1024 ** 3;
const FREE_LOW_BYTES = GIBIBYTE;
/** PostgreSQL needs about 40 MB for its first files, and 16 MB for each segment of the WAL. */
const FREE_MIN_BYTES = GIBIBYTE / 8;

/** Checks the directory, version and disk of the local PostgreSQL and, if it runs, its database. */
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
