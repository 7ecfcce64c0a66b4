import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureDirectory, syncDirectory } from './directories.ts';
import { codeOf, IncompatibleDataError, LocalPostgresUnavailable } from './errors.ts';
import type { DataLayout } from './layout.ts';
import type { ServerLog } from './server-log.ts';
import { spawnAs } from './users.ts';

const PARTIAL_PREFIX = 'data.unfinished-';

/**
 * Checks whether there is a cluster that these programs can open.
 *
 * @returns false if the data directory does not exist or is empty
 * @throws IncompatibleDataError if another major version of PostgreSQL wrote it
 * @throws LocalPostgresUnavailable if it contains anything else
 */
export async function clusterExists({ data, binaries }: DataLayout): Promise<boolean> {
  const names = await readdir(data).catch((error) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw new LocalPostgresUnavailable(`The data directory ${data} cannot be read: ${error.message}.`, {
      cause: error,
    });
  });
  if (names.length === 0) return false;
  const version = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) {
    throw new LocalPostgresUnavailable(
      `${data} contains files, but no PostgreSQL data (no PG_VERSION): move them away.`,
    );
  }
  if (version.trim() === binaries.major) return true;
  throw new IncompatibleDataError(
    `The data in ${data} were written by PostgreSQL ${version.trim()}, and this is PostgreSQL ` +
      `${binaries.major}, which cannot open them.`,
  );
}

/**
 * Creates a new cluster, whose superuser has the name of the layout. It is created under a temporary name and renamed
 * when complete, so that the partial cluster of a process that was killed is never used.
 *
 * @param sync whether to sync the files to disk
 * @throws LocalPostgresUnavailable with the last lines of the log if initdb fails
 */
export async function createCluster(layout: DataLayout, log: ServerLog, sync: boolean): Promise<void> {
  await removePartialClusters(layout.home);
  const directory = join(layout.home, PARTIAL_PREFIX + randomBytes(6).toString('hex'));
  await ensureDirectory(directory, layout.owner, 0o700);
  try {
    await runInitdb(layout, { directory, log, sync });
    await rename(directory, layout.data);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    // A process in another container, which does not see our start lock, was faster. Its cluster is as good.
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
  }
  if (sync) await syncDirectory(layout.home);
}

interface InitdbOptions {
  directory: string;
  log: ServerLog;
  sync: boolean;
}

async function runInitdb(layout: DataLayout, { directory, log, sync }: InitdbOptions): Promise<void> {
  const { initdb } = layout.binaries;
  const flags = ['-D', directory, '-U', layout.name, '-A', 'trust', '--encoding=UTF8', ...localeFlags()];
  const child = spawn(initdb, [...flags, ...(sync ? [] : ['--no-sync'])], {
    cwd: '/',
    // With a time zone set, initdb does not search all zones of the system for the local one.
    env: { TZ: 'UTC' },
    stdio: ['ignore', log.fd, log.fd],
    ...spawnAs(layout.owner),
  });
  const [code, signal] = await once(child, 'exit').catch((error) => {
    const hint = codeOf(error) === 'ENOENT' ? ' On Linux it needs the GNU C library.' : '';
    throw new LocalPostgresUnavailable(`${initdb} cannot be run: ${error.message}.${hint}`, { cause: error });
  });
  if (code === 0) return;
  throw new LocalPostgresUnavailable(
    `No database could be created in ${layout.home} (initdb: ${signal ?? `exit code ${code}`}). ` +
      `The end of the log ${log.path}:\n${await log.tail()}\n`,
  );
}

/** Text sorts by code point and character classes are Unicode's on every platform. macOS has no locale C.UTF-8. */
function localeFlags(): string[] {
  return process.platform === 'darwin' ? ['--locale=C', '--lc-ctype=en_US.UTF-8'] : ['--locale=C.UTF-8'];
}

async function removePartialClusters(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(PARTIAL_PREFIX)) continue;
    // If the parent of an initdb was killed, initdb may still be writing; then the next start removes the rest.
    await rm(join(home, name), { recursive: true, force: true, maxRetries: 1 }).catch(() => undefined);
  }
}
