import { randomBytes } from 'node:crypto';
import { chmod, link, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, LocalPostgresInUse } from '../errors.ts';
import { readStartTime } from './process-info.ts';

/** Held by the one process that starts, uses and stops the server of a directory. */
export interface OwnerLock {
  /** Idempotent. */
  release(): Promise<void>;
}

const RETRY_MS = 20;
const CLAIM_MAX_AGE_MS = 600_000;

/**
 * Acquires the lock of a directory. A process that was killed does not keep it: an owner is identified by its process id and its
 * start time.
 *
 * The lock is a sequence of numbered files, of which the highest counts: it names the owner, or is empty if the lock
 * was released. A process acquires the lock by creating the next number with link(2), which succeeds for one process
 * only. The highest file is never removed, so no process can remove a lock that another one has just acquired.
 *
 * @param directory exists and is private to the owner of the database
 * @throws LocalPostgresInUse if another process holds it
 */
export async function acquireOwnerLock(directory: string): Promise<OwnerLock> {
  const self = `${process.pid} ${await readStartTime(process.pid)}`;
  const claim = join(directory, `draft-${process.pid}-${randomBytes(6).toString('hex')}`);
  await writeFile(claim, self, { flag: 'wx' });
  try {
    // Root and the owner of the database both acquire and release it; the directory keeps out everyone else.
    await chmod(claim, 0o666);
    for (;;) {
      const path = await tryAcquire(directory, claim);
      if (path !== undefined) return { release: () => releaseLock(path) };
      await sleep(RETRY_MS);
    }
  } finally {
    await rm(claim, { force: true });
  }
}

/** The id of the process that holds the lock of a directory; undefined if none does, or there is no directory. */
export async function findOwner(directory: string): Promise<number | undefined> {
  return readOwner(join(directory, String(highestOf(await readdir(directory).catch(() => [])))));
}

async function readOwner(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(emptyIfMissing);
  const [pid = '', ...started] = text.split(' ');
  return text !== '' && (await readStartTime(Number(pid))) === started.join(' ') ? Number(pid) : undefined;
}

/** Returns the path of the lock that this process has acquired; undefined if another process was faster. */
async function tryAcquire(directory: string, claim: string): Promise<string | undefined> {
  const top = highestOf(await readdir(directory));
  const owner = await readOwner(join(directory, String(top)));
  if (owner !== undefined) throw new LocalPostgresInUse(dirname(directory), owner);
  const path = join(directory, String(top + 1));
  try {
    await link(claim, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw error;
  }
  // The listing may be outdated: others may have gone on, removed this number, and hold a higher one.
  const names = await readdir(directory);
  if (highestOf(names) !== top + 1) {
    await rm(path, { force: true });
    return undefined;
  }
  await removeStale(directory, names, top);
  return path;
}

async function releaseLock(path: string): Promise<void> {
  // The file may be gone: others have acquired the lock since, or the whole directory was removed.
  await truncate(path).catch(emptyIfMissing);
}

function highestOf(names: string[]): number {
  return Math.max(0, ...names.filter((name) => /^\d+$/.test(name)).map(Number));
}

function emptyIfMissing(error: unknown): string {
  if (codeOf(error) === 'ENOENT') return '';
  throw error;
}

/** Removes outdated numbers, and the claims of processes that were killed while they waited. */
async function removeStale(directory: string, names: string[], top: number): Promise<void> {
  for (const name of names) {
    const path = join(directory, name);
    if (/^\d+$/.test(name)) {
      // The previous number stays, so that a listing made at the same time contains at least one of the two.
      if (Number(name) < top) await rm(path, { force: true });
    } else {
      const stats = await stat(path).catch(() => undefined);
      if (stats !== undefined && Date.now() - stats.mtimeMs > CLAIM_MAX_AGE_MS)
        await rm(path, { force: true });
    }
  }
}
