import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type Binaries, findBinaries } from './binaries/binaries.ts';
import { resolvePath } from './directories.ts';
import { LocalPostgresInUse, type LocalPostgresUnavailable, withAdvice } from './errors.ts';
import { findHome } from './layout.ts';
import { DEFAULTS, type LocalPostgresConnection, type LocalPostgresOptions } from './options.ts';
import { lockDirectoryOf } from './server/own-server.ts';
import { findOwner } from './server/owner-lock.ts';
import { findRunningServer } from './server/server-process.ts';
import { PORT } from './server/socket.ts';

/** The state of a local PostgreSQL, found without starting it or creating anything. */
export interface LocalPostgresInspection {
  /** The version of the programs; undefined if this platform has none. */
  version: string | undefined;
  /** Why there are no programs; undefined if there are. */
  unavailable: string | undefined;
  /** The directory that has the data, or would have them. */
  directory: string;
  /** The major version of PostgreSQL that wrote the data; undefined if there are none. */
  dataVersion: string | undefined;
  /** The connection to the server; undefined if it does not run. */
  running: LocalPostgresConnection | undefined;
  /** The id of the process that owns the server; undefined if none does. */
  owner: number | undefined;
  /** The free space of the disk with the data, in bytes. */
  freeBytes: number;
}

/**
 * Inspects the PostgreSQL of a data directory and changes nothing.
 *
 * @param options those given to `startLocalPostgres`; the data directory need not exist
 */
export async function inspectLocalPostgres(
  options: Pick<LocalPostgresOptions, 'dataDir' | 'name' | 'fallbackDir' | 'advice'>,
): Promise<LocalPostgresInspection> {
  const { dataDir, name, fallbackDir, advice } = { ...DEFAULTS, ...options };
  const found = await findBinaries().catch((error: LocalPostgresUnavailable) => error);
  const binaries: Partial<Binaries> = found instanceof Error ? {} : found;
  const { home } = await findHome(dataDir, fallbackDir);
  const directory = join(home, 'data');
  const dataVersion = await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(() => undefined);
  const server = dataVersion === undefined ? undefined : await findRunningServer(directory);
  const { existing } = await resolvePath(directory);
  const { bavail, bsize } = await statfs(existing);
  return {
    version: binaries.version,
    unavailable: found instanceof Error ? withAdvice(found, advice).message : undefined,
    directory,
    dataVersion: dataVersion?.trim(),
    owner: await findOwner(lockDirectoryOf(home)),
    running: server && { host: server.socketDirectory, port: PORT, user: name, database: name },
    freeBytes: bavail * bsize,
  };
}

/**
 * Checks that no other process owns the server of a data directory, before anything is created.
 *
 * @throws LocalPostgresInUse if one does
 */
export async function checkNotOwned(
  options: Pick<LocalPostgresOptions, 'dataDir' | 'fallbackDir' | 'advice'>,
): Promise<void> {
  const { dataDir, fallbackDir, advice } = { ...DEFAULTS, ...options };
  const { home } = await findHome(dataDir, fallbackDir);
  const owner = await findOwner(lockDirectoryOf(home));
  if (owner !== undefined) throw withAdvice(new LocalPostgresInUse(home, owner), advice);
}
