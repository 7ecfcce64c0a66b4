import { chmod, chown, lstat, mkdir } from 'node:fs/promises';
import { codeOf, EmbeddedUnavailable } from './errors.ts';
import { isRoot, type Owner } from './users.ts';

/**
 * Makes a directory that belongs to `owner`, or makes sure that the one which is there does. A directory made by
 * somebody else is never used, since whoever made it can put anything into it.
 *
 * @param path absolute; the directory above it exists
 * @param owner who it is to belong to; when we are not root, ourselves
 * @param mode its permissions, of which nobody else may ever have the right to write
 * @throws EmbeddedUnavailable when it is somebody else's, open to writing by others, or not a directory
 */
export async function ensureDirectory(path: string, owner: Owner, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw refused(path, error);
  }
  const stats = await lstat(path);
  if (!stats.isDirectory()) throw new EmbeddedUnavailable(`${path} is in the way: it is not a directory.`);
  // Killed between making it and giving it away, root left a directory that is still root's.
  if (isRoot() && stats.uid === 0 && owner.uid !== 0) {
    await chown(path, owner.uid, owner.gid).catch((error) => Promise.reject(refused(path, error)));
  } else if (stats.uid !== owner.uid) {
    throw new EmbeddedUnavailable(
      `${path} belongs to user id ${stats.uid}, not to user id ${owner.uid}: remove it, or run as its owner.`,
    );
  }
  if ((stats.mode & 0o777) !== mode) await chmod(path, mode);
}

function refused(path: string, error: unknown): EmbeddedUnavailable {
  const reason = error instanceof Error ? error.message : String(error);
  return new EmbeddedUnavailable(`${path} cannot be made: ${reason}.`, { cause: error });
}
