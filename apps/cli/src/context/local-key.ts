import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { CliError, exitCodes } from '../errors/errors.ts';

/** The directories from which the data directory of a service on this machine is looked for. */
export interface LocalServiceSearch {
  /** The working directory: an absolute path. */
  cwd: string;
  /** The data directory; a relative path is resolved against the working directory and each of its parents. */
  dataDir: string;
}

/** A service on this machine, as its data directory describes it. */
export interface LocalService {
  /** The file with its key; undefined if there is none. */
  keyFile: string | undefined;
  /** The address that it listens on; undefined if it is not running. */
  url: string | undefined;
  /** The file that holds the address while the service runs. */
  urlFile: string;
}

function* upwards(directory: string): Generator<string> {
  yield directory;
  const parent = dirname(directory);
  if (parent !== directory) yield* upwards(parent);
}

function unusable(message: string, hint: string): CliError {
  return new CliError(message, { exitCode: exitCodes.notAllowed, hint });
}

function isPresent(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Not a directory, or not readable: not a data directory of this user.
    return false;
  }
}

/** Reads a file that only its owner may read or write. Throws `CliError` if other users can, or if it is unreadable. */
function readOwn(file: string, what: string): string {
  // Windows has no such mode: every file there looks readable by everyone.
  const isOpen = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
  if (isOpen)
    throw unusable(`the ${what} in ${file} can be read by other users`, `Restrict it: chmod 600 ${file}`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : error;
    throw unusable(`the ${what} in ${file} cannot be read (${why})`, 'Pass --url and --key.');
  }
}

/** Reads a key file. Throws `CliError` if other users can read it, or if it is unreadable. */
export function readKey(file: string): string {
  return readOwn(file, 'key');
}

function readAddress(file: string): string {
  const url = readOwn(file, 'address');
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw unusable(
    `${file} does not contain the address of a service`,
    'Start the service again, or pass --url and --key.',
  );
}

/**
 * Finds the service whose data directory is in the working directory or in its nearest parent that has one. Undefined if
 * there is none. Throws `CliError` if the recorded address is unusable; it does not search further up.
 */
export function findLocalService({ cwd, dataDir }: LocalServiceSearch): LocalService | undefined {
  for (const directory of upwards(cwd)) {
    const [keyFile, urlFile] = ['key', 'url'].map((name) => join(resolve(directory, dataDir), name));
    const [hasKey, hasUrl] = [keyFile, urlFile].map((file) => file !== undefined && isPresent(file));
    if (!(hasKey || hasUrl) || urlFile === undefined) continue;
    return {
      keyFile: hasKey ? keyFile : undefined,
      url: hasUrl ? readAddress(urlFile) : undefined,
      urlFile,
    };
  }
  return undefined;
}
