import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { findBinaries } from './binaries.ts';
import { resolvePath } from './directories.ts';
import { codeOf, type LocalPostgresInUse, LocalPostgresUnavailable } from './errors.ts';
import { findHome, PORT, resolveLayout, socketDirectoryOf } from './layout.ts';
import { findHolder } from './lock.ts';
import { startOwnServer } from './own-server.ts';
import { isRunning } from './postmaster.ts';

export {
  ForeignDataError,
  IncompatibleDataError,
  LocalPostgresInUse,
  LocalPostgresUnavailable,
} from './errors.ts';

export interface LocalPostgresOptions {
  /** An absolute path, created if necessary. */
  dataDir: string;
  /** Must not change for a data directory. Defaults to 'postgres'. */
  name?: string;
  /** PostgreSQL settings that override the defaults. */
  settings?: Record<string, string>;
  /** For root: what `nobody` can't reach elsewhere. Defaults to '/var/lib/local-postgres'. */
  fallbackDir?: string;
  onProgress?: (message: string) => void;
}

/** For node-postgres. The host is a unix socket's directory, or in tests an address. */
export interface LocalPostgresConnection {
  host: string;
  port: number;
  user: string;
  database: string;
}

export interface LocalPostgres {
  connection: LocalPostgresConnection;
  /** PostgreSQL's data directory. */
  directory: string;
  /** Waits for the server's end. Idempotent. */
  close(): Promise<void>;
}

/** Read without starting or creating anything. */
export interface LocalPostgresInspection {
  /** Or why this platform has no programs. */
  version: string | LocalPostgresUnavailable;
  directory: string;
  /** The major version that wrote the data; undefined without data. */
  dataVersion: string | undefined;
  running: LocalPostgresConnection | undefined;
  inUse: LocalPostgresInUse | undefined;
  freeBytes: number;
}

export const DEFAULTS = {
  name: 'postgres',
  settings: {},
  fallbackDir: '/var/lib/local-postgres',
  onProgress: () => undefined,
} satisfies Partial<LocalPostgresOptions>;

/**
 * Starts the PostgreSQL of a data directory, created on first use. One process at a time owns it, until it is
 * closed. The server listens only on a unix socket that only its user can open. If this process is killed,
 * the server continues until the next start, which replaces it; if the server is killed, this process
 * restarts it.
 *
 * @throws LocalPostgresInUse if another process owns it
 * @throws LocalPostgresUnavailable if PostgreSQL can't run here; the message has the reason
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

/** The directory need not exist. Changes nothing. */
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
