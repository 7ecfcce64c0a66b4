import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { CliError, exitCodes } from './failures.ts';

/** Where a key may be found beside the flags and the environment: what a service started here has left. */
export interface LocalPlace {
  /** The working directory: an absolute path. */
  cwd: string;
  /** Where a service keeps its data; a relative one is looked for in every directory from the working one up. */
  dataDir: string;
}

/** A key and the file it is in. */
export interface LocalKey {
  key: string;
  file: string;
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether what is sent to a URL stays on this machine. A name that merely may point here does not count. */
export function isLocal(url: string): boolean {
  return loopback.test(new URL(url).hostname);
}

function* upwards(directory: string): Generator<string> {
  yield directory;
  const parent = dirname(directory);
  if (parent !== directory) yield* upwards(parent);
}

function unusable(message: string, remedy: string): CliError {
  return new CliError(message, { exitCode: exitCodes.notAllowed, remedy });
}

function isPresent(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A file where a directory should be, or a directory that is closed to us: nothing of ours.
    return false;
  }
}

/** The text of a key file. Throws what a user can mend. */
function readKey(file: string): string {
  // Windows has no such mode: every file there looks open to all.
  const isOpen = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
  if (isOpen) throw unusable(`the key in ${file} is open to other users`, `Close it: chmod 600 ${file}`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : error;
    throw unusable(`the key in ${file} cannot be read (${why})`, 'Give another with --key or ROSTER_KEY.');
  }
}

/**
 * The key that an embedded service has left in its data directory: in the working directory or in the nearest one
 * above that has it. Undefined where there is none. Throws for one that cannot be used, rather than to look further.
 */
export function findLocalKey({ cwd, dataDir }: LocalPlace): LocalKey | undefined {
  for (const directory of upwards(cwd)) {
    const file = join(resolve(directory, dataDir), 'key');
    if (isPresent(file)) return { key: readKey(file), file };
  }
  return undefined;
}
