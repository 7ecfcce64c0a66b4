import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isHttpUrl } from '../errors.ts';
import { readPrivate, unusable } from './private-files.ts';

export interface LocalServiceSearch {
  /** The working directory: an absolute path. */
  cwd: string;
  dataDir: string;
}

export interface LocalService {
  keyFile: string | undefined;
  /** The address that it listens on; undefined if it is not running. */
  url: string | undefined;
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
