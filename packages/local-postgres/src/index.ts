import { locateBinaries } from './binaries.ts';
import { codeOf, LocalPostgresUnavailable, withAdvice } from './errors.ts';
import { resolveLayout } from './layout.ts';
import { DEFAULTS, type LocalPostgresConnection, type LocalPostgresOptions } from './options.ts';
import { openSharedServer } from './shared-server.ts';
import { PORT } from './socket.ts';

export { IncompatibleDataError, LocalPostgresUnavailable } from './errors.ts';
export { inspectLocalPostgres, type LocalPostgresInspection } from './inspect.ts';
export type { LocalPostgresConnection, LocalPostgresOptions } from './options.ts';

/** A PostgreSQL that runs, and that this process uses. */
export interface LocalPostgres {
  connection: LocalPostgresConnection;
  /** PostgreSQL's data directory. */
  directory: string;
  /** Whether the server was already running. */
  adopted: boolean;
  /** Releases the server. Its last user stops it and waits for its end. Idempotent. */
  close(): Promise<void>;
}

const NAME = /^[a-z][a-z0-9_]{0,30}$/;

/**
 * Starts the PostgreSQL of a data directory, or uses the one that already runs there.
 *
 * On first use it creates a database. The server listens on a unix socket that only its owner can open, and on no network
 * port. It is a process of its own: if this process is killed, the server goes on, and the next start adopts it; if the
 * server is killed, the processes that use it start it again.
 *
 * @throws LocalPostgresUnavailable if PostgreSQL cannot be run here; the message is for people and says why
 * @throws TypeError if the name is not valid
 */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const { name, advice, ...rest } = { ...DEFAULTS, ...options };
  if (!NAME.test(name)) throw new TypeError(`the name ${JSON.stringify(name)} must match ${NAME}`);
  try {
    return await open({ name, ...rest });
  } catch (error) {
    const unavailable = unavailableFor(error);
    throw unavailable === undefined ? error : withAdvice(unavailable, advice);
  }
}

type OpenOptions = Omit<Required<LocalPostgresOptions>, 'advice'>;

async function open({
  dataDir,
  name,
  settings,
  fallbackDir,
  onProgress,
}: OpenOptions): Promise<LocalPostgres> {
  const binaries = await locateBinaries();
  const layout = await resolveLayout({ name, dataDir, fallbackDir, binaries, onProgress });
  const { socketDirectory, adopted, close } = await openSharedServer({ layout, settings, onProgress });
  const connection = { host: socketDirectory, port: PORT, user: name, database: name };
  return { connection, directory: layout.data, adopted, close };
}

/** Errors of the operating system and of PostgreSQL (a full disk, a missing permission) are for people too. */
function unavailableFor(error: unknown): LocalPostgresUnavailable | undefined {
  if (error instanceof LocalPostgresUnavailable) return error;
  return codeOf(error) === undefined
    ? undefined
    : new LocalPostgresUnavailable(`${error}.`, { cause: error });
}
