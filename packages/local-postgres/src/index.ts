import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { findBinaries } from './binaries.ts';
import { resolvePath } from './directories.ts';
import { codeOf, type LocalPostgresInUse, LocalPostgresUnavailable } from './errors.ts';
import { findHome, PORT, resolveLayout, socketDirectoryOf } from './layout.ts';
import { findHolder } from './lock.ts';
import { startOwnServer } from './own-server.ts';
import { isRunning } from './postmaster.ts';

export { IncompatibleDataError, LocalPostgresInUse, LocalPostgresUnavailable } from './errors.ts';

export interface LocalPostgresOptions {
  /** The directory for the database, an absolute path. It is created if it does not exist. */
  dataDir: string;
  /** The name of the superuser, the database and the server; always the same for one data directory. 'postgres' unless given. */
  name?: string;
  /** More settings for the server, by PostgreSQL's names; they override the defaults. */
  settings?: Record<string, string>;
  /** For root: the directory for data and programs that `nobody` cannot reach elsewhere. '/var/lib/local-postgres' unless given. */
  fallbackDir?: string;
  /** Receives messages for people about what is being done. */
  onProgress?: (message: string) => void;
}

/** The parameters with which node-postgres connects. The host is the directory of a unix socket, or in tests an address too. */
export interface LocalPostgresConnection {
  host: string;
  port: number;
  user: string;
  database: string;
}

/** A PostgreSQL that runs, and that this process owns. */
export interface LocalPostgres {
  connection: LocalPostgresConnection;
  /** PostgreSQL's data directory. */
  directory: string;
  /** Stops the server and waits for its end. Idempotent. */
  close(): Promise<void>;
}

/** The state of a local PostgreSQL, found without starting it or creating anything. */
export interface LocalPostgresInspection {
  /** The version of the programs, or why this platform has none. */
  version: string | LocalPostgresUnavailable;
  /** The directory that has the data, or would have them. */
  directory: string;
  /** The major version of PostgreSQL that wrote the data; undefined if there are none. */
  dataVersion: string | undefined;
  /** The connection to the server; undefined if it does not run. */
  running: LocalPostgresConnection | undefined;
  /** Why it cannot be started: a process owns it; undefined if none does. */
  inUse: LocalPostgresInUse | undefined;
  /** The free space of the disk with the data, in bytes. */
  freeBytes: number;
}

export const DEFAULTS = {
  name: 'postgres',
  settings: {},
  fallbackDir: '/var/lib/local-postgres',
  onProgress: () => undefined,
} satisfies Partial<LocalPostgresOptions>;

/**
 * Starts the PostgreSQL of a data directory, which it creates on first use, and owns it until it is closed: one process at a time
 * does. The server listens on a unix socket that only its user can open, and on no network port. If this process is killed, the
 * server goes on until the next start, which replaces it; if the server is killed, this process starts it again.
 *
 * @throws LocalPostgresInUse if another process owns it
 * @throws LocalPostgresUnavailable if PostgreSQL cannot be run here; the message is for people and says why
 */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const { settings, ...rest } = { ...DEFAULTS, ...options };
  try {
    const layout = await resolveLayout({ ...rest, binaries: await findBinaries() });
    const close = await startOwnServer({ layout, settings, onProgress: rest.onProgress });
    return { connection: connectionTo(layout), directory: layout.data, close };
  } catch (error) {
    // Errors of the operating system (a full disk, a missing permission) are for people too.
    if (error instanceof LocalPostgresUnavailable || codeOf(error) === undefined) throw error;
    throw new LocalPostgresUnavailable(`${error}.`, { cause: error });
  }
}

/** Inspects the PostgreSQL of a data directory, which need not exist, and changes nothing. */
export async function inspectLocalPostgres(
  options: Pick<LocalPostgresOptions, 'dataDir' | 'name' | 'fallbackDir'>,
): Promise<LocalPostgresInspection> {
  const { dataDir, name, fallbackDir } = { ...DEFAULTS, ...options };
  const layout = { name, ...(await findHome(dataDir, fallbackDir)) };
  const directory = join(layout.home, 'data');
  const { bavail, bsize } = await statfs((await resolvePath(directory)).existing);
  const dataVersion = await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(() => undefined);
  return {
    version: await findBinaries().then(
      ({ version }) => version,
      (error: LocalPostgresUnavailable) => error,
    ),
    directory,
    dataVersion: dataVersion?.trim(),
    running: (await isRunning(directory)) ? connectionTo(layout) : undefined,
    inUse: findHolder(layout.home),
    freeBytes: bavail * bsize,
  };
}

const connectionTo = (layout: Parameters<typeof socketDirectoryOf>[0]): LocalPostgresConnection => ({
  host: socketDirectoryOf(layout),
  port: PORT,
  user: layout.name,
  database: layout.name,
});
