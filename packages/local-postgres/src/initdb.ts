import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, EmbeddedUnavailable } from './errors.ts';
import { syncDirectory } from './fsync-directory.ts';
import type { Place } from './layout.ts';
import { ensureDirectory } from './private-directory.ts';
import type { Log } from './server-log.ts';
import { spawnAs } from './users.ts';

const UNFINISHED = 'data.unfinished-';

/**
 * Sees that there is a cluster which these programs can open.
 *
 * @returns false when there is none yet, or only an empty directory
 * @throws EmbeddedUnavailable when another major version wrote it, or it is no cluster at all
 */
export async function clusterExists({ data, binaries }: Place): Promise<boolean> {
  const names = await readdir(data).catch((error) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw new EmbeddedUnavailable(`The data directory ${data} cannot be read: ${error.message}.`, {
      cause: error,
    });
  });
  if (names.length === 0) return false;
  const version = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) {
    throw new EmbeddedUnavailable(
      `${data} holds files, but no PostgreSQL data (no PG_VERSION): move it away.`,
    );
  }
  if (version.trim() === binaries.major) return true;
  throw new EmbeddedUnavailable(
    `The data in ${data} were written by PostgreSQL ${version.trim()}, while this is PostgreSQL ` +
      `${binaries.major}. Back them up with the release of Roster that wrote them (roster-server backup), ` +
      'and restore the backup into a new directory with this one.',
  );
}

/**
 * Makes a new cluster, whose super-user is `roster`. It is made under another name and renamed when complete, so
 * that one half made, by a process that was killed, is never taken for a whole one.
 *
 * @param sync false leaves it to the operating system when the files reach the disk
 * @throws EmbeddedUnavailable with the last lines of the log when initdb fails
 */
export async function initialise(place: Place, log: Log, sync: boolean): Promise<void> {
  await removeUnfinished(place.home);
  const draft = join(place.home, UNFINISHED + randomBytes(6).toString('hex'));
  await ensureDirectory(draft, place.owner, 0o700);
  try {
    await runInitdb(place, { draft, log, sync });
    await rename(draft, place.data);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // A process that cannot see our lock, in another container, was faster: its cluster is as good as ours.
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
  }
  if (sync) await syncDirectory(place.home);
}

async function runInitdb(place: Place, { draft, log, sync }: { draft: string; log: Log; sync: boolean }) {
  const { initdb } = place.binaries;
  const flags = ['-D', draft, '-U', 'roster', '-A', 'trust', '--encoding=UTF8', ...locale()];
  const child = spawn(initdb, [...flags, ...(sync ? [] : ['--no-sync'])], {
    cwd: '/',
    // With a zone named, initdb need not look through all of the system's for the local one.
    env: { TZ: 'UTC' },
    stdio: ['ignore', log.fd, log.fd],
    ...spawnAs(place.owner),
  });
  const [code, signal] = await once(child, 'exit').catch((error) => {
    const hint = codeOf(error) === 'ENOENT' ? ' On Linux it needs the GNU C library.' : '';
    throw new EmbeddedUnavailable(`${initdb} cannot be run: ${error.message}.${hint}`, { cause: error });
  });
  if (code === 0) return;
  throw new EmbeddedUnavailable(
    `A new database could not be made in ${place.home} (initdb: ${signal ?? `exit code ${code}`}). ` +
      `The end of its log ${log.path}:\n${await log.tail()}\n`,
  );
}

/** Texts sort by code point and letters are Unicode's, on every platform alike; macOS has no locale C.UTF-8. */
function locale(): string[] {
  return process.platform === 'darwin' ? ['--locale=C', '--lc-ctype=en_US.UTF-8'] : ['--locale=C.UTF-8'];
}

async function removeUnfinished(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(UNFINISHED)) continue;
    // An initdb whose parent was killed may still be writing there; then the next start removes the rest.
    await rm(join(home, name), { recursive: true, force: true, maxRetries: 1 }).catch(() => undefined);
  }
}
