import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from './config.ts';

type DataDirectory = Pick<Config, 'dataDir'>;

/** The file in which a server with the local PostgreSQL keeps its first key, for the command line and for `curl`. */
export function keyFileOf({ dataDir }: DataDirectory): string {
  return join(dataDir, 'key');
}

/** The file in which it records the URL it listens on: the command line sends the key of that file to no other URL. */
export function addressFileOf({ dataDir }: DataDirectory): string {
  return join(dataDir, 'url');
}

/** Writes one line to a file that only its owner may read, atomically. Creates its directory. */
export async function writePrivateFile(file: string, line: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  // A new file replaces an old one, whose mode might let others read.
  const fresh = `${file}.${randomUUID()}`;
  await writeFile(fresh, `${line}\n`, { mode: 0o600, flag: 'wx' });
  await rename(fresh, file);
}
