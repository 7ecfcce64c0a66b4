import { inspectLocalPostgres } from '@roster/db';
import type { Config } from '../config/config.ts';
import { databaseFindings } from './database.ts';
import type { Finding } from './index.ts';

const GIBIBYTE = 1024 ** 3;
const FREE_LOW_BYTES = GIBIBYTE;
/** Below this PostgreSQL may not even make its first files (about 40 MB, and 16 MB for each segment of its log). */
const FREE_MIN_BYTES = GIBIBYTE / 8;

/** What there is of the local PostgreSQL; where it runs, it is asked as any other. */
export async function localPostgresFindings(config: Config): Promise<Finding[]> {
  const found = await inspectLocalPostgres(config.dataDir);
  const { version, unavailable, directory, dataVersion, running, freeBytes } = found;
  if (version === undefined) {
    return [{ level: 'problem', subject: 'local-postgres', detail: unavailable ?? 'There are no binaries.' }];
  }
  const findings: Finding[] = [placeFinding({ directory, dataVersion, version })];
  const free = `${(freeBytes / GIBIBYTE).toFixed(1)} GiB are free there`;
  const level = freeBytes < FREE_MIN_BYTES ? 'problem' : freeBytes < FREE_LOW_BYTES ? 'warning' : 'ok';
  findings.push({ level, subject: 'disk', detail: free, values: { freeBytes } });
  if (running !== undefined) findings.push(...(await databaseFindings({ connection: running, config })));
  else
    findings.push({ level: 'ok', subject: 'local-postgres', detail: 'does not run; a start would start it' });
  return findings;
}

interface Place {
  directory: string;
  dataVersion: string | undefined;
  version: string;
}

function placeFinding({ directory, dataVersion, version }: Place): Finding {
  const subject = 'local-postgres';
  const values = { directory, dataVersion: dataVersion ?? null, version };
  if (dataVersion === undefined) {
    const detail = `a start would make a new database in ${directory} (PostgreSQL ${version})`;
    return { level: 'ok', subject, detail, values };
  }
  const detail = `the data are in ${directory} (PostgreSQL ${version})`;
  if (version.startsWith(`${dataVersion}.`)) return { level: 'ok', subject, detail, values };
  const why = `, and were written by PostgreSQL ${dataVersion}, which cannot be opened`;
  return { level: 'problem', subject, detail: detail + why, values };
}
