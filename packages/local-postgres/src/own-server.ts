import { once } from 'node:events';
import { rm, rmdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureDirectory } from './directories.ts';
import { LocalPostgresInUse } from './errors.ts';
import { clusterExists, createCluster } from './initdb.ts';
import { type DataLayout, PORT, socketDirectoryOf } from './layout.ts';
import { acquireLock } from './lock.ts';
import { DEFAULT_SETTINGS, launchServer, type RunningServer, readPidFile, stopOrphan } from './postmaster.ts';

interface OwnOptions {
  layout: DataLayout;
  settings: Record<string, string>;
  onProgress: (message: string) => void;
}

const START_TIMEOUT_MS = 2_000;
const LAUNCH_PAUSE_MS = 500;

/**
 * Starts a server, creating the cluster if necessary, and restarts it if it is killed.
 *
 * @returns stops the server and waits for its end; idempotent
 * @throws LocalPostgresInUse if another process owns it
 * @throws LocalPostgresUnavailable if it can't be started
 */
export async function startOwnServer(options: OwnOptions): Promise<() => Promise<void>> {
  const { layout, onProgress } = options;
  const release = acquireLock(layout.home);
  let server: RunningServer;
  try {
    if (!(await clusterExists(layout))) {
      onProgress(`creating a new database in ${layout.data}`);
      await createCluster(layout, options.settings.fsync !== 'off');
    }
    server = await launchRepeatedly(options, AbortSignal.timeout(START_TIMEOUT_MS));
  } catch (error) {
    release();
    throw error;
  }
  const closing = new AbortController();

  const supervise = async (): Promise<void> => {
    for (;;) {
      await server.ended;
      if (closing.signal.aborted) return;
      onProgress('the database server has ended');
      server = await launchRepeatedly(options, closing.signal);
      onProgress('the database server runs again');
      if (closing.signal.aborted) return server.stop();
    }
  };
  const supervised = supervise().catch((error) => {
    if (!closing.signal.aborted) onProgress(`the database server cannot be started again: ${error}`);
  });

  return async () => {
    closing.abort();
    await server.stop();
    await supervised;
    await rmdir(socketDirectoryOf(layout)).catch(() => undefined);
    release();
  };
}

/** Until `ended`. Sessions of a killed server end a moment later, and block a new one until then. */
async function launchRepeatedly(options: OwnOptions, ended: AbortSignal): Promise<RunningServer> {
  for (;;) {
    try {
      return await launch(options);
    } catch (error) {
      if (ended.aborted || error instanceof LocalPostgresInUse) throw error;
      await sleep(LAUNCH_PAUSE_MS);
    }
  }
}

/** Replaces a server left on the cluster. */
async function launch({ layout, settings }: OwnOptions): Promise<RunningServer> {
  const { home, data, owner } = layout;
  await stopOrphan(data);
  const socketDirectory = socketDirectoryOf(layout);
  const socket = join(socketDirectory, `.s.PGSQL.${PORT}`);
  // A server that a killed process left in another container is only visible by its socket.
  if ((await readPidFile(data)) !== undefined && (await accepts(socket)))
    throw new LocalPostgresInUse(home, 'a process in another container');
  await ensureDirectory(socketDirectory, owner, 0o700);
  // Files of a killed server. They would prevent a start if its process ID was reused by the same user, as
  // after a reboot, or a power failure emptied them. PostgreSQL finds running sessions by their shared
  // memory.
  for (const path of [socket, `${socket}.lock`, join(data, 'postmaster.pid')])
    await rm(path, { force: true });
  return launchServer(layout, { ...DEFAULT_SETTINGS, ...settings });
}

async function accepts(path: string): Promise<boolean> {
  const socket = connect(path);
  const connected = once(socket, 'connect').then(
    () => true,
    () => false,
  );
  return connected.finally(() => socket.destroy());
}
