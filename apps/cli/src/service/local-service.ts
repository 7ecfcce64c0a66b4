import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isHttpUrl } from '../errors.ts';
import { readPrivate, unusable } from './private-files.ts';

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

function isPresent(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Not a directory, or not readable: not a data directory of this user.
    return false;
  }
}

/** Reads a key file. Throws `CliError` if other users can read it, or if it is unreadable. */
export function readKey(file: string): string {
  return (readPrivate(file, 'key') ?? '').trim();
}

function readAddress(file: string): string {
  const url = (readPrivate(file, 'address') ?? '').trim();
  if (isHttpUrl(url)) return url;
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
