import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { CliError, exitCodes } from '../errors/errors.ts';

/** Where a service may be found beside the options and the environment: what one that was started here has left. */
export interface LocalPlace {
  /** The working directory: an absolute path. */
  cwd: string;
  /** Where a service keeps its data; a relative one is looked for in every directory from the working one up. */
  dataDir: string;
}

/** A service that was started on this machine, as its data directory tells of it. */
export interface LocalService {
  /** The file with its key; undefined where it has left none. */
  keyFile: string | undefined;
  /** The address it said it listens on; undefined where it is not running. */
  url: string | undefined;
  /** The file in which it says so. */
  urlFile: string;
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

/** The text of a file that only its owner may change or read. Throws what a user can mend. */
function readOwn(file: string, what: string): string {
  // Windows has no such mode: every file there looks open to all.
  const isOpen = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
  if (isOpen) throw unusable(`the ${what} in ${file} is open to other users`, `Close it: chmod 600 ${file}`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : error;
    throw unusable(`the ${what} in ${file} cannot be read (${why})`, 'Give --url and --key.');
  }
}

/** The key in a key file. Throws what a user can mend. */
export function readKey(file: string): string {
  return readOwn(file, 'key');
}

function readAddress(file: string): string {
  const url = readOwn(file, 'address');
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw unusable(
    `${file} holds no address of a service`,
    'Start the service again, or give --url and --key.',
  );
}

/**
 * The service whose data directory is in the working directory or in the nearest one above that has it. Undefined where
 * there is none. Throws for a record of its address that cannot be used, rather than to look further.
 */
export function findLocalService({ cwd, dataDir }: LocalPlace): LocalService | undefined {
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
