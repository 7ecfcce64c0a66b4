import { readFile, rm } from 'node:fs/promises';
import { writePrivateFile } from './data-directory.ts';

/** The URL at which this machine reaches a server, which may listen on every interface. */
export function reachable(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  const host = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }[hostname] ?? hostname;
  return `${protocol}//${host}${port && `:${port}`}`;
}

/**
 * Writes the URL of the server that owns a data directory to a file. After a crash the file stays until the next start.
 *
 * @param file the file, which only its owner may read; its directory is created
 * @param url what the server listens on, which may be the address of every interface
 * @returns a function that removes the file, unless a later start has replaced it
 */
export async function recordAddress(file: string, url: string): Promise<() => Promise<void>> {
  const address = reachable(url);
  await writePrivateFile(file, address);
  return async () => {
    if ((await readAddress(file)) === address) await rm(file, { force: true });
  };
}

/** Reads the URL in a file; undefined if there is none. */
export async function readAddress(file: string): Promise<string | undefined> {
  return (await readFile(file, 'utf8').catch(() => '')).trim() || undefined;
}
