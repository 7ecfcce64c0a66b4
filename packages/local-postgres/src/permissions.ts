import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Owner } from './users.ts';

/** The rights of one class of users, as the octal digit of a file's mode. */
const SEARCH = 0o1;
const READ = 0o4;

/**
 * Finds what keeps a user away from a path, by the mode bits of the path and of every directory above it.
 *
 * @param path an absolute path with no symbolic links in it, which exists
 * @param owner the user who is to reach it
 * @param want 'pass' to go through the directory at its end, 'read' to read the file, 'run' to run the program
 * @returns the first path from the root downwards that denies it, or undefined when all is open
 */
export async function obstacle(path: string, owner: Owner, want: 'pass' | 'read' | 'run') {
  const above: string[] = [];
  for (let at = dirname(path); ; at = dirname(at)) {
    above.unshift(at);
    if (at === dirname(at)) break;
  }
  for (const directory of above) {
    if (!grants(await stat(directory), owner, SEARCH)) return directory;
  }
  const rights = { pass: SEARCH, read: READ, run: SEARCH | READ }[want];
  return grants(await stat(path), owner, rights) ? undefined : path;
}

function grants(stats: Stats, owner: Owner, rights: number): boolean {
  const shift = stats.uid === owner.uid ? 6 : stats.gid === owner.gid ? 3 : 0;
  return ((stats.mode >> shift) & rights) === rights;
}
