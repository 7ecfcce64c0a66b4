import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Owner } from './users.ts';

/** Permission bits of one class of users: one octal digit of a file's mode. */
const EXECUTE = 0o1;
const READ = 0o4;

/**
 * Finds what denies a user access to a path, by the mode bits of the path and of every directory above it.
 *
 * @param path absolute, without symbolic links; it exists
 * @param user the user who needs access
 * @param access 'search' to pass through the directory, 'read' to read the file, 'execute' to run the program
 * @returns the first path, from the root downwards, that denies access; undefined if none does
 */
export async function findDenied(path: string, user: Owner, access: 'search' | 'read' | 'execute') {
  const parents: string[] = [];
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    parents.unshift(parent);
    if (parent === dirname(parent)) break;
  }
  for (const directory of parents) {
    if (!isGranted(await stat(directory), user, EXECUTE)) return directory;
  }
  const bits = { search: EXECUTE, read: READ, execute: EXECUTE | READ }[access];
  return isGranted(await stat(path), user, bits) ? undefined : path;
}

function isGranted(stats: Stats, user: Owner, bits: number): boolean {
  const shift = stats.uid === user.uid ? 6 : stats.gid === user.gid ? 3 : 0;
  return ((stats.mode >> shift) & bits) === bits;
}
