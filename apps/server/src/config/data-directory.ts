import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from './config.ts';

type DataDirectory = Pick<Config, 'dataDir'>;

export function keyFileOf({ dataDir }: DataDirectory): string {
  return join(dataDir, 'key');
}

/** The command line sends the key of the data directory to no other URL than this file's. */
export function addressFileOf({ dataDir }: DataDirectory): string {
  return join(dataDir, 'url');
}

/** Writes atomically, to a file that only its owner may read. Creates its directory. */
export async function writePrivateFile(file: string, line: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  // A new file: the mode of an old one might let others read.
  const fresh = `${file}.${randomUUID()}`;
  await writeFile(fresh, `${line}\n`, { mode: 0o600, flag: 'wx' });
  await rename(fresh, file);
}
