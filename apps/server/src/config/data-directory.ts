import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
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

/** A server may listen on every interface. */
export function reachable(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  const host = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }[hostname] ?? hostname;
  return `${protocol}//${host}${port && `:${port}`}`;
}

/**
 * Only its owner may read the file. A crash leaves it until the next start. Returns a function that removes it unless a later start has
 * replaced it.
 */
export async function recordAddress(file: string, url: string): Promise<() => Promise<void>> {
  const address = reachable(url);
  await writePrivateFile(file, address);
  return async () => {
    if ((await readAddress(file)) === address) await rm(file, { force: true });
  };
}

export async function readAddress(file: string): Promise<string | undefined> {
  return (await readFile(file, 'utf8').catch(() => '')).trim() || undefined;
}
