import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureDirectory } from '../directories.ts';
import { LocalPostgresInUse, LocalPostgresUnavailable } from '../errors.ts';
import type { DataLayout } from '../layout.ts';
import { clusterExists, createCluster } from './initdb.ts';
import { acquireOwnerLock } from './owner-lock.ts';
import { neutralisePidFile, readPidFile } from './postmaster-pid.ts';
import { openServerLog } from './server-log.ts';
import {
  DEFAULT_SETTINGS,
  launchServer,
  type RunningServer,
  stopOrphan,
  stopServer,
} from './server-process.ts';
import {
  chooseSocketDirectory,
  isListening,
  prepareSocketDirectory,
  removeSocketDirectory,
} from './socket.ts';

interface OwnOptions {
  layout: DataLayout;
  settings: Record<string, string>;
  onProgress: (message: string) => void;
}

/** A server that this process has started. */
export interface OwnServer {
  socketDirectory: string;
  /** Stops the server and waits for its end. Idempotent. */
  close(): Promise<void>;
}

const LAUNCHES = 4;
const LAUNCH_PAUSE_MS = 500;
const RESTART_PAUSE_MIN_MS = 50;
const RESTART_PAUSE_MAX_MS = 30_000;

/** The directory with the lock of the process that owns the server, in the home directory of a layout. */
export function lockDirectoryOf(home: string): string {
  return join(home, 'lock');
}

/**
 * Starts the server of a layout, on a cluster that it creates if there is none, and owns it until `close`. A server that a
 * killed process has left is stopped first. If the server is killed, it is started again.
 *
 * @throws LocalPostgresInUse if another process owns it
 * @throws LocalPostgresUnavailable if it cannot be started
 */
export async function startOwnServer(options: OwnOptions): Promise<OwnServer> {
  const { layout, onProgress } = options;
  const lockDirectory = lockDirectoryOf(layout.home);
  await ensureDirectory(lockDirectory, layout.keeper, 0o700);
  const lock = await acquireOwnerLock(lockDirectory);
  let server: RunningServer | undefined;
  try {
    server = await start(options, true);
  } catch (error) {
    await lock.release();
    throw error;
  }
  const { socketDirectory } = server;
  const closing = new AbortController();

  const supervise = async (): Promise<void> => {
    while (server !== undefined && !closing.signal.aborted) {
      await server.ended;
      if (closing.signal.aborted) return;
      onProgress('the database server has ended');
      server = undefined;
      server = await startAgain(options, closing.signal);
    }
  };
  const supervised = supervise();

  const close = async (): Promise<void> => {
    closing.abort();
    // While the server is being started again, wait for the outcome, which may be a server to stop.
    if (server === undefined) await supervised;
    if (server !== undefined) await stopServer(server);
    await removeSocketDirectory(socketDirectory, layout.home);
    await lock.release();
  };
  let closed: Promise<void> | undefined;
  return {
    socketDirectory,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** Starts the server until it runs; undefined if that is not wanted any more. */
async function startAgain(options: OwnOptions, closing: AbortSignal): Promise<RunningServer | undefined> {
  for (let pauseMs = RESTART_PAUSE_MIN_MS; ; pauseMs = Math.min(2 * pauseMs, RESTART_PAUSE_MAX_MS)) {
    await sleep(pauseMs, undefined, { ref: false, signal: closing }).catch(() => undefined);
    if (closing.aborted) return undefined;
    try {
      const server = await start(options, false);
      options.onProgress('the database server runs again');
      return server;
    } catch (error) {
      options.onProgress(`the database server cannot be started again yet: ${error}`);
    }
  }
}

async function start(
  { layout, settings, onProgress }: OwnOptions,
  mayCreate: boolean,
): Promise<RunningServer> {
  const log = await openServerLog(layout);
  try {
    const exists = await clusterExists(layout);
    if (!exists && !mayCreate) throw new LocalPostgresUnavailable(`The data in ${layout.data} are gone.`);
    await stopOrphan(layout.data);
    const socketDirectory = await chooseSocketDirectory(layout);
    // The processes of another container are invisible, and so is who holds the lock there.
    const isInOtherContainer =
      (await readPidFile(layout.data)) !== undefined && (await isListening(socketDirectory));
    if (isInOtherContainer) throw new LocalPostgresInUse(layout.home, undefined);
    await prepareSocketDirectory(socketDirectory, layout.owner);
    if (exists) {
      await neutralisePidFile(layout.data);
    } else {
      onProgress(`creating a new database in ${layout.data}`);
      await createCluster(layout, log, settings.fsync !== 'off');
    }
    const launch = () =>
      launchServer(layout, { socketDirectory, settings: { ...DEFAULT_SETTINGS, ...settings }, log });
    return await (exists ? withRetries(launch) : launch());
  } finally {
    await log.close();
  }
}

/** After a server is killed, its sessions end a moment later; until then no other server can start. */
async function withRetries<Value>(launch: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; attempt < LAUNCHES; attempt += 1) {
    try {
      return await launch();
    } catch {
      await sleep(LAUNCH_PAUSE_MS);
    }
  }
  return launch();
}
