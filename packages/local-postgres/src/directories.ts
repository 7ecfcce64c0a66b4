import { randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, LocalPostgresUnavailable } from './errors.ts';
import { isRoot, type Owner } from './users.ts';

/**
 * Creates a directory that belongs to `owner`, or checks that an existing one does: another user could put anything into theirs.
 *
 * @param path absolute; its parent exists
 * @param mode its permissions, which must not let other users write
 * @throws LocalPostgresUnavailable if it belongs to another user or is not a directory
 */
export async function ensureDirectory(path: string, owner: Owner, mode: number): Promise<void> {
  await mkdir(path, { mode }).catch((error) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  const stats = await lstat(path);
  if (!stats.isDirectory()) throw new LocalPostgresUnavailable(`${path} is not a directory: move it away.`);
  // A root process that was killed between mkdir and chown left a directory that still belongs to root.
  if (isRoot() && stats.uid === 0) await chown(path, owner.uid, owner.gid);
  else if (stats.uid !== owner.uid) {
    throw new LocalPostgresUnavailable(
      `${path} belongs to user id ${stats.uid}, not to user id ${owner.uid}: remove it, or run as its owner.`,
    );
  }
  if ((stats.mode & 0o777) !== mode) await chmod(path, mode);
}

const UNFINISHED = '.unfinished-';

/**
 * Creates a directory under a temporary name and renames it when it is complete, unless another process is faster.
 *
 * @param unchangedMs the age of temporary directories, left by processes that were killed, from which they are removed
 * @throws what `fill` throws; nothing is left then
 */
export async function createWhole(
  path: string,
  unchangedMs: number,
  fill: (unfinished: string) => Promise<void>,
): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    const left = join(dirname(path), name);
    const { mtimeMs } = await lstat(left).catch(() => ({ mtimeMs: Date.now() }));
    if (!isUnfinished(name) || Date.now() - mtimeMs < unchangedMs) continue;
    // If the parent of a program was killed, the program may still be writing; then the next call removes the rest.
    await rm(left, { recursive: true, force: true }).catch(() => undefined);
  }
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
