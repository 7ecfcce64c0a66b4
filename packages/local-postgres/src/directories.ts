import { randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, LocalPostgresUnavailable, messageOf } from './errors.ts';
import { isRoot, type Owner } from './users.ts';

/**
 * Creates a directory that belongs to `owner`, or checks that an existing one does. A directory that another user
 * created is never used, because that user can put anything into it.
 *
 * @param path absolute; its parent exists
 * @param owner the user it is to belong to; the current user unless this process is root
 * @param mode its permissions, which must not let other users write
 * @throws LocalPostgresUnavailable if it belongs to another user or is not a directory
 */
export async function ensureDirectory(path: string, owner: Owner, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw cannotCreate(path, error);
  }
  const stats = await lstat(path);
  if (!stats.isDirectory()) {
    throw new LocalPostgresUnavailable(`${path} is not a directory: move it away.`);
  }
  // A root process that was killed between mkdir and chown left a directory that still belongs to root.
  if (isRoot() && stats.uid === 0 && owner.uid !== 0) {
    await chown(path, owner.uid, owner.gid).catch((error) => Promise.reject(cannotCreate(path, error)));
  } else if (stats.uid !== owner.uid) {
    throw new LocalPostgresUnavailable(
      `${path} belongs to user id ${stats.uid}, not to user id ${owner.uid}: remove it, or run as its owner.`,
    );
  }
  if ((stats.mode & 0o777) !== mode) await chmod(path, mode);
}

const UNFINISHED = '.unfinished-';

/**
 * Creates a directory under a temporary name beside it and renames it when it is complete, so that one is never used that a process
 * which was killed has left. If another process is faster, its directory stays.
 *
 * @throws what `fill` throws; nothing is left then
 */
export async function createWhole(path: string, fill: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${path}${UNFINISHED}${randomBytes(6).toString('hex')}`;
  try {
    await fill(unfinished);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
  }
}

/** Whether a name is that of a directory which `createWhole` has not finished. */
export const isUnfinished = (name: string): boolean => name.includes(UNFINISHED);

/** Removes what `createWhole` of processes that were killed has left in a directory: all, or what was not changed for so long. */
export async function removeUnfinished(
  directory: string,
  unchangedMs = Number.NEGATIVE_INFINITY,
): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!isUnfinished(name)) continue;
    const path = join(directory, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats === undefined || Date.now() - stats.mtimeMs < unchangedMs) continue;
    // If the parent of a program was killed, the program may still be writing; then the next call removes the rest.
    await rm(path, { recursive: true, force: true, maxRetries: 1 }).catch(() => undefined);
  }
}

/**
 * Syncs a directory to disk, so that a file created or renamed in it keeps its name after a power failure.
 * @throws the error of the file system
 */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Whether a path exists, even as a dangling symbolic link; false if it cannot be looked up. */
export async function pathExists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** A path without symbolic links, whose last parts need not exist; and the part of it that does exist. */
export async function resolvePath(path: string): Promise<{ existing: string; real: string }> {
  try {
    const real = await realpath(path);
    return { existing: real, real };
  } catch {
    const parent = await resolvePath(dirname(path));
    return { existing: parent.existing, real: join(parent.real, basename(path)) };
  }
}

function cannotCreate(path: string, error: unknown): LocalPostgresUnavailable {
  return new LocalPostgresUnavailable(`${path} cannot be created: ${messageOf(error)}.`, { cause: error });
}
