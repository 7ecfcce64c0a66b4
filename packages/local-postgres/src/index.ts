import { locateBinaries } from './binaries.ts';
import { codeOf, EmbeddedUnavailable } from './errors.ts';
import { choosePlace } from './layout.ts';
import { ROSTER } from './shared-lock.ts';
import { shareServer } from './shared-server.ts';
import { PORT } from './socket.ts';

export { syncDirectory } from './fsync-directory.ts';
export { type EmbeddedInspection, inspectEmbedded } from './inspect.ts';
export { EmbeddedUnavailable };

export interface EmbeddedOptions {
  /** ROSTER_DATA_DIR: where the database is to live, an absolute path. */
  dataDir: string;
  /** Further settings for the server, by PostgreSQL's names; they win over ours. They count when it starts. */
  settings?: Record<string, string>;
  /** Where things go when the unprivileged user cannot reach them; '/var/lib/roster' unless told otherwise. */
  fallbackDir?: string;
  /** Told, in words for people, what is being done. */
  onProgress?: (message: string) => void;
}

export interface EmbeddedPostgres {
  /** What node-postgres needs to connect: the host is the directory of a unix socket. */
  connection: { host: string; port: number; user: string; database: string };
  /** Where the data really are. */
  directory: string;
  /** Whether the server was already running. */
  adopted: boolean;
  /** Leaves the server; the last to leave stops it and waits for its end. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts the PostgreSQL that lives in a data directory, or joins those who use it already.
 *
 * The directory is given a database on first use. The server listens on a unix socket that only its owner can
 * open, and on no network port. It is a process of its own: if this one is killed it goes on, and the next start
 * adopts it; if it is killed itself, its users start it again.
 *
 * @throws EmbeddedUnavailable when it cannot be had here; the message says why, and names DATABASE_URL
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, settings = {}, fallbackDir = '/var/lib/roster', onProgress = () => undefined } = options;
  const share = await open({ dataDir, settings, fallbackDir, onProgress }).catch(explain);
  return {
    connection: { host: share.socketDirectory, port: PORT, user: ROSTER, database: ROSTER },
    directory: share.data,
    adopted: share.adopted,
    close: share.close,
  };
}

async function open({ dataDir, settings, fallbackDir, onProgress }: Required<EmbeddedOptions>) {
  const binaries = await locateBinaries();
  const place = await choosePlace({ dataDir, fallbackDir, binaries, onProgress });
  return { ...(await shareServer({ place, settings, onProgress })), data: place.data };
}

/** What the system or the server refuses (a full disk, a missing right) is for people to read, too. */
function explain(error: unknown): never {
  if (error instanceof EmbeddedUnavailable || codeOf(error) === undefined) throw error;
  throw new EmbeddedUnavailable(`${error}.`, { cause: error });
}
