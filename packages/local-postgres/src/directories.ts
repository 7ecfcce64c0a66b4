import { chmod, chown, lstat, mkdir, open, realpath } from 'node:fs/promises';
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
