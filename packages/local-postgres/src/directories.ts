import { randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, ForeignDataError, LocalPostgresUnavailable } from './errors.ts';
import { isRoot, type Owner } from './users.ts';

/**
 * Creates a directory owned by `owner`, or checks an existing one: another user could put anything into
 * theirs.
 *
 * @param path absolute; its parent exists
 * @param mode must not let other users write
 * @throws LocalPostgresUnavailable if it belongs to another user or is not a directory
 */
export async function ensureDirectory(path: string, owner: Owner, mode: number): Promise<void> {
  await mkdir(path, { mode }).catch((error) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  const stats = await lstat(path);
  if (!stats.isDirectory()) throw new LocalPostgresUnavailable(`${path} is not a directory: move it away.`);
  // A root process killed between mkdir and chown left a directory that still belongs to root.
  if (isRoot() && stats.uid === 0) await chown(path, owner.uid, owner.gid);
  else if (stats.uid !== owner.uid) {
    throw new ForeignDataError(
      `${path} belongs to user id ${stats.uid}, not to user id ${owner.uid}: run as its owner, or use a different directory.`,
    );
  }
  if ((stats.mode & 0o777) !== mode) await chmod(path, mode);
}

const UNFINISHED = '.unfinished-';

/**
 * Fills a temporary directory and renames it, unless another process is faster. If `fill` throws, nothing is
 * left.
 *
 * @param unchangedMs the age at which temporary directories of killed processes are removed
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
    // A program whose parent was killed may still be writing; then the next call removes the rest.
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

export const isUnfinished = (name: string): boolean => name.includes(UNFINISHED);

/** Without symbolic links. `existing` is the part that exists. */
export async function resolvePath(path: string): Promise<{ existing: string; real: string }> {
  try {
    const real = await realpath(path);
    return { existing: real, real };
  } catch {
    const parent = await resolvePath(dirname(path));
    return { existing: parent.existing, real: join(parent.real, basename(path)) };
  }
}
