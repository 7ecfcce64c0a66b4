import { readFile, rm } from 'node:fs/promises';
import { writePrivateFile } from '../config/data-directory.ts';

/** The URL at which this machine reaches a server, which may listen on every interface. */
function reachable(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  const host = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }[hostname] ?? hostname;
  return `${protocol}//${host}${port && `:${port}`}`;
}

/**
 * Writes the URL of a server that listens to a file. After a crash the file stays until the next start.
 *
 * @param file the file, which only its owner may read; its directory is created
 * @param url what the server listens on, which may be the address of every interface
 * @returns a function that removes the file, unless another server of the same data directory has replaced it
 */
export async function recordAddress(file: string, url: string): Promise<() => Promise<void>> {
  const address = reachable(url);
  await writePrivateFile(file, address);
  return async () => {
    const recorded = await readFile(file, 'utf8').catch(() => '');
    if (recorded.trim() === address) await rm(file, { force: true });
  };
}
