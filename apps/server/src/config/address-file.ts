import { readFile, rm } from 'node:fs/promises';
import { writePrivateFile } from './data-directory.ts';

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
