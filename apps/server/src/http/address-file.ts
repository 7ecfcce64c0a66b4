import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '../bootstrap-key.ts';
import type { Config } from '../config/config.ts';

/** Where a server with the local PostgreSQL records the address it listens on: the command line sends its key to no other. */
export function addressFileOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'url');
}

/** The address at which this machine reaches a server that listens on every interface. */
function reachable(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  const host = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }[hostname] ?? hostname;
  return `${protocol}//${host}${port && `:${port}`}`;
}

/**
 * Records the address of a server that listens. Answers what removes the record again, unless another server of the same
 * data has replaced it. After a crash it stays until the next start.
 */
export async function recordAddress(file: string, url: string): Promise<() => Promise<void>> {
  const address = reachable(url);
  await writePrivateFile(file, address);
  return async () => {
    const recorded = await readFile(file, 'utf8').catch(() => '');
    if (recorded.trim() === address) await rm(file, { force: true });
  };
}
