import { inspectLocalPostgres } from '@roster/db';
import type { Config } from '../config/config.ts';
import { checkDatabase } from './database.ts';
import type { Finding } from './finding.ts';

const GIBIBYTE = 1024 ** 3;
const FREE_LOW_BYTES = GIBIBYTE;
/** PostgreSQL needs about 40 MB for its first files, and 16 MB for each segment of the WAL. */
const FREE_MIN_BYTES = GIBIBYTE / 8;

/** Checks the directory, version and disk of the local PostgreSQL and, if it runs, its database. */
export async function checkLocalPostgres(config: Config): Promise<Finding[]> {
  const found = await inspectLocalPostgres(config.dataDir);
  const { version, unavailable, directory, dataVersion, running, freeBytes } = found;
  if (version === undefined) {
    return [{ level: 'problem', subject: 'local-postgres', detail: unavailable ?? 'There are no binaries.' }];
  }
  const findings: Finding[] = [checkDataDirectory({ directory, dataVersion, version })];
  const free = `${(freeBytes / GIBIBYTE).toFixed(1)} GiB are free there`;
  const level = freeBytes < FREE_MIN_BYTES ? 'problem' : freeBytes < FREE_LOW_BYTES ? 'warning' : 'ok';
  findings.push({ level, subject: 'disk', detail: free, values: { freeBytes } });
  if (running !== undefined) findings.push(...(await checkDatabase({ connection: running, config })));
  else
    findings.push({
      level: 'ok',
      subject: 'local-postgres',
      detail: 'is not running; a start would start it',
    });
  return findings;
}

interface DataDirectory {
  directory: string;
  dataVersion: string | undefined;
  version: string;
}

function checkDataDirectory({ directory, dataVersion, version }: DataDirectory): Finding {
  const subject = 'local-postgres';
  const values = { directory, dataVersion: dataVersion ?? null, version };
  if (dataVersion === undefined) {
    const detail = `a start would create a new database in ${directory} (PostgreSQL ${version})`;
    return { level: 'ok', subject, detail, values };
  }
  const detail = `the data are in ${directory} (PostgreSQL ${version})`;
  if (version.startsWith(`${dataVersion}.`)) return { level: 'ok', subject, detail, values };
  const why = `, but were written by PostgreSQL ${dataVersion}, and cannot be opened`;
  return { level: 'problem', subject, detail: detail + why, values };
}
