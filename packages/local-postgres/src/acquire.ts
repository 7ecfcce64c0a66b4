import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureDirectory } from './directories.ts';
import { codeOf, LocalPostgresUnavailable } from './errors.ts';
import { clusterExists, createCluster } from './initdb.ts';
import type { DataLayout } from './layout.ts';
import { neutralisePidFile, readPidFile } from './postmaster-pid.ts';
import { openServerLog } from './server-log.ts';
import { findReadyServer, launchServer, type RunningServer, stopServer } from './server-process.ts';
import { acquireLease, type ServerLease } from './shared-lock.ts';
import { isListening, prepareSocketDirectory, removeSocketDirectory, socketDirectoryOf } from './socket.ts';
import { acquireStartLock, type StartLock } from './start-lock.ts';

export interface AcquireOptions {
  layout: DataLayout;
  settings: Record<string, string>;
  onProgress: (message: string) => void;
  /** Whether to create a cluster if there is none. */
  mayCreate: boolean;
}

/** A server that this process uses. */
export interface AcquiredServer {
  lease: ServerLease;
  server: RunningServer;
  /** Whether it was already running. */
  adopted: boolean;
}

/** Longer than any start or stop, except the recovery of a very large database. */
const ACQUIRE_TIMEOUT_MS = 120_000;
const RELEASE_TIMEOUT_MS = 15_000;
/** A lease whose connection was cut ends when PostgreSQL has noticed, a moment later; until then it counts as another user. */
const LOST_LEASE_TIMEOUT_MS = 1_000;

/** SQLSTATE of a server that is starting, recovering or stopping. */
const CANNOT_CONNECT_NOW = '57P03';

const ATTEMPTS = 6;
const ATTEMPT_PAUSE_MS = 100;
const LAUNCHES = 4;
const LAUNCH_PAUSE_MS = 500;

/**
 * Acquires the server of a layout: the one that runs, or else one that it starts, on a cluster that it creates if there
 * is none. One process at a time does so.
 *
 * @throws LocalPostgresUnavailable if the server can be neither started nor used
 */
export async function acquire(options: AcquireOptions): Promise<AcquiredServer> {
  const { layout } = options;
  const lock = await lockHome(layout, ACQUIRE_TIMEOUT_MS);
  try {
    let adopted = true;
    let failure: unknown;
    for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
      let server = (await findReadyServer(layout.data)) ?? (await findInOtherContainer(layout));
      if (server === undefined) {
        server = await start(options);
        if (server !== undefined) adopted = false;
      }
      try {
        const lease = server && (await leaseServer(layout, server));
        if (server && lease) return { lease, server, adopted };
      } catch (error) {
        failure = error;
        // It recovers from a crash of one of its sessions, which may take any time.
        if (codeOf(error) === CANNOT_CONNECT_NOW) attempts -= 1;
        if (server && attempts >= ATTEMPTS / 2 && isUnreachable(error))
          await stopUnreachable(server, options);
      }
      await sleep(ATTEMPT_PAUSE_MS);
    }
    throw new LocalPostgresUnavailable(
      `A server runs on ${layout.data}, but it cannot be connected to: ${failure}.`,
      { cause: failure },
    );
  } finally {
    await lock.release();
  }
}

/**
 * Releases the server; its last user stops it. Does nothing if the server has ended.
 *
 * @param acquired undefined if the lease was lost and no new one was acquired
 */
export async function release(layout: DataLayout, acquired: AcquiredServer | undefined): Promise<void> {
  // The lock may time out: a process that acquires the server meanwhile fails to get the shared lock, and tries again.
  const lock = await lockHome(layout, RELEASE_TIMEOUT_MS).catch(() => undefined);
  try {
    if (acquired !== undefined && (await releaseLease(layout, acquired))) return;
    // The connection was lost, but the server may still run, and may have no other user.
    const again = await leaseAgain(layout).catch(() => undefined);
    if (again !== undefined) await releaseLease(layout, again, LOST_LEASE_TIMEOUT_MS);
  } finally {
    await lock?.release();
  }
}

type LeasedServer = Omit<AcquiredServer, 'adopted'>;

/**
 * @param timeoutMs how long to wait for other leases to end
 * @returns false if the connection was lost, so that it is unknown whether there are other users
 */
async function releaseLease(
  layout: DataLayout,
  { lease, server }: LeasedServer,
  timeoutMs = 0,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  const tryExclusive = () => lease.tryExclusive().catch(() => undefined);
  let isLast = await tryExclusive();
  while (isLast === false && performance.now() < deadline) {
    await sleep(ATTEMPT_PAUSE_MS);
    isLast = await tryExclusive();
  }
  if (isLast === true) {
    await stopServer(server);
    await removeSocketDirectory(server.socketDirectory, layout.home);
  }
  await lease.release();
  return isLast !== undefined;
}

async function leaseAgain(layout: DataLayout): Promise<LeasedServer | undefined> {
  const server = await findReadyServer(layout.data);
  const lease = server && (await leaseServer(layout, server));
  return server && lease && { server, lease };
}

function leaseServer({ name }: DataLayout, { socketDirectory, identity }: RunningServer) {
  return acquireLease({ socketDirectory, identity, name });
}

async function lockHome(layout: DataLayout, timeoutMs: number): Promise<StartLock> {
  const directory = join(layout.home, 'lock');
  await ensureDirectory(directory, layout.keeper, 0o700);
  return acquireStartLock(directory, timeoutMs);
}

async function start({ layout, settings, onProgress, mayCreate }: AcquireOptions) {
  const log = await openServerLog(layout);
  try {
    const exists = await clusterExists(layout);
    if (!exists && !mayCreate) throw new LocalPostgresUnavailable(`The data in ${layout.data} are gone.`);
    const socketDirectory = await socketDirectoryOf(layout);
    await prepareSocketDirectory(socketDirectory, layout.owner);
    if (exists) {
      await neutralisePidFile(layout.data);
    } else {
      onProgress(`creating a new database in ${layout.data}`);
      await createCluster(layout, log, settings.fsync !== 'off');
    }
    const launch = () => launchServer(layout, { socketDirectory, settings, log });
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

/**
 * Finds a server whose process is invisible, because it runs in another container with the same directory mounted. What
 * can be seen is whether it listens.
 */
async function findInOtherContainer(layout: DataLayout): Promise<RunningServer | undefined> {
  const file = await readPidFile(layout.data);
  if (file === undefined) return undefined;
  const socketDirectory = await socketDirectoryOf(layout);
  return (await isListening(socketDirectory))
    ? { ...file, socketDirectory, startTime: undefined }
    : undefined;
}

/** Whether nothing listens: the socket was removed, or moved with its directory, while the server ran. */
function isUnreachable(error: unknown): boolean {
  return ['ENOENT', 'ECONNREFUSED'].includes(codeOf(error) ?? '');
}

async function stopUnreachable(server: RunningServer, { onProgress }: AcquireOptions): Promise<void> {
  onProgress(`restarting the server (process ${server.pid}), which has lost its socket`);
  await stopServer(server);
}
