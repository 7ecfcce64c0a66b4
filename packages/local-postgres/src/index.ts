import { locateBinaries } from './binaries/binaries.ts';
import { codeOf, LocalPostgresUnavailable, withAdvice } from './errors.ts';
import { resolveLayout } from './layout.ts';
import { DEFAULTS, type LocalPostgresConnection, type LocalPostgresOptions } from './options.ts';
import { startOwnServer } from './server/own-server.ts';
import { PORT } from './server/socket.ts';

export { IncompatibleDataError, LocalPostgresInUse, LocalPostgresUnavailable } from './errors.ts';
export { checkNotOwned, inspectLocalPostgres, type LocalPostgresInspection } from './inspect.ts';
export type { LocalPostgresOptions } from './options.ts';

/** A PostgreSQL that runs, and that this process owns. */
export interface LocalPostgres {
  connection: LocalPostgresConnection;
  /** PostgreSQL's data directory. */
  directory: string;
  /** Stops the server and waits for its end. Idempotent. */
  close(): Promise<void>;
}

const NAME = /^[a-z][a-z0-9_]{0,30}$/;

/**
 * Starts the PostgreSQL of a data directory, and owns it until it is closed: one process at a time does. Others connect to it as
 * `inspectLocalPostgres` says.
 *
 * On first use it creates a database. The server listens on a unix socket that only its user can open, and on no network
 * port. It is a process of its own: if this process is killed, the server goes on until the next start, which replaces it; if
 * the server is killed, this process starts it again.
 *
 * @throws LocalPostgresInUse if another process owns it
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
  const { socketDirectory, close } = await startOwnServer({ layout, settings, onProgress });
  const connection = { host: socketDirectory, port: PORT, user: name, database: name };
  return { connection, directory: layout.data, close };
}

/** Errors of the operating system and of PostgreSQL (a full disk, a missing permission) are for people too. */
function unavailableFor(error: unknown): LocalPostgresUnavailable | undefined {
  if (error instanceof LocalPostgresUnavailable) return error;
  return codeOf(error) === undefined
    ? undefined
    : new LocalPostgresUnavailable(`${error}.`, { cause: error });
}
