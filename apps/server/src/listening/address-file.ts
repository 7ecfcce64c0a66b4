import { readFile, rm } from 'node:fs/promises';
import { writePrivateFile } from '../config/data-directory.ts';

/** The URL at which this machine reaches a server, which may listen on every interface. */
function reachable(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  const host = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }[hostname] ?? hostname;
  return `${protocol}//${host}${port && `:${port}`}`;
}

/** How long a recorded server may take to answer before it counts as ended. */
const ANSWER_MS = 2_000;

/** Whether a server of Roster answers at a URL. */
async function isServed(url: string): Promise<boolean> {
  if (!URL.canParse('/healthz', url)) return false;
  try {
    const response = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(ANSWER_MS) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/**
 * Writes the URL of a server that listens to a file, unless the file has the URL of another server that answers: the first of
 * several servers on one data directory keeps it. After a crash the file stays until the next start.
 *
 * @param file the file, which only its owner may read; its directory is created
 * @param url what the server listens on, which may be the address of every interface
 * @returns a function that removes the file if this server has written it and no other has replaced it
 */
export async function recordAddress(file: string, url: string): Promise<() => Promise<void>> {
  const address = reachable(url);
  const recorded = await readAddress(file);
  if (recorded !== '' && recorded !== address && (await isServed(recorded))) return async () => undefined;
  await writePrivateFile(file, address);
  return async () => {
    if ((await readAddress(file)) === address) await rm(file, { force: true });
  };
}

/** The URL in a file; empty if there is none. */
async function readAddress(file: string): Promise<string> {
  return (await readFile(file, 'utf8').catch(() => '')).trim();
}
