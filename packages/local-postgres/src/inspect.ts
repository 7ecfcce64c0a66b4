import { createHash } from 'node:crypto';
import { access, readFile, realpath, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Binaries, findBinaries } from './binaries.ts';
import type { EmbeddedPostgres } from './index.ts';
import { obstacle } from './permissions.ts';
import { findRunning } from './server-process.ts';
import { ROSTER } from './shared-lock.ts';
import { PORT } from './socket.ts';
import { isRoot, unprivilegedUser } from './users.ts';

/** What there is of an embedded PostgreSQL, as found without starting it or making anything. */
export interface EmbeddedInspection {
  /** The version of the programs; undefined where this platform has none, for the reason beside it. */
  version: string | undefined;
  unavailable: string | undefined;
  /** Where the data are, or would be. */
  directory: string;
  /** The major version that wrote the data; undefined where there are none yet. */
  dataVersion: string | undefined;
  /** How to connect where it runs already; undefined where it does not. */
  running: EmbeddedPostgres['connection'] | undefined;
  /** What the disk of the data has left, in bytes. */
  freeBytes: number;
}

/**
 * Looks at the embedded PostgreSQL of a data directory.
 *
 * @param dataDir ROSTER_DATA_DIR, an absolute path, which need not exist
 * @param fallbackDir as in `startEmbedded`
 */
export async function inspectEmbedded(
  dataDir: string,
  fallbackDir = '/var/lib/roster',
): Promise<EmbeddedInspection> {
  const found = await findBinaries().catch((error: Error) => error);
  const binaries: Partial<Binaries> = found instanceof Error ? {} : found;
  const directory = await placeOf(dataDir, fallbackDir);
  const dataVersion = await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(() => undefined);
  const server = dataVersion === undefined ? undefined : await findRunning(directory);
  const { existing } = await settled(directory);
  const { bavail, bsize } = await statfs(existing);
  return {
    version: binaries.version,
    unavailable: found instanceof Error ? found.message : undefined,
    directory,
    dataVersion: dataVersion?.trim(),
    running: server && { host: server.socketDirectory, port: PORT, user: ROSTER, database: ROSTER },
    freeBytes: bavail * bsize,
  };
}

/** Where `choosePlace` would find or put the data, by the same rules and without making it. */
async function placeOf(dataDir: string, fallbackDir: string): Promise<string> {
  const { existing, real } = await settled(dataDir);
  const plain = join(real, 'postgres', 'data');
  if (!isRoot() || (await exists(plain))) return plain;
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 16);
  const elsewhere = join((await settled(fallbackDir)).real, hash, 'data');
  if (await exists(elsewhere)) return elsewhere;
  return (await obstacle(existing, await unprivilegedUser(), 'pass')) === undefined ? plain : elsewhere;
}

/** A path without symbolic links, of which the end may not exist; and the part that does. */
async function settled(path: string): Promise<{ existing: string; real: string }> {
  try {
    const real = await realpath(path);
    return { existing: real, real };
  } catch {
    const above = await settled(dirname(path));
    return { existing: above.existing, real: join(above.real, basename(path)) };
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
