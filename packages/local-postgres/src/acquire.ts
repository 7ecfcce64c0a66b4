import { join as joinPath } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, EmbeddedUnavailable } from './errors.ts';
import { clusterExists, initialise } from './initdb.ts';
import type { Place } from './layout.ts';
import { disarmPostmasterFile, readPostmasterFile } from './postmaster-pid.ts';
import { ensureDirectory } from './private-directory.ts';
import { openLog } from './server-log.ts';
import { findServer, launchServer, type Server, stopServer } from './server-process.ts';
import { join, type Membership } from './shared-lock.ts';
import { answers, prepareSocketDirectory, removeSocketDirectory, socketDirectory } from './socket.ts';
import { type StartLock, takeStartLock } from './start-lock.ts';

export interface EnterOptions {
  place: Place;
  settings: Record<string, string>;
  onProgress: (message: string) => void;
  /** Whether a cluster may be made where there is none. */
  mayInitialise: boolean;
}

/** A server in use by us. */
export interface Joined {
  membership: Membership;
  server: Server;
  /** Whether it was already running. */
  adopted: boolean;
}

/** Longer than any start or stop takes, short of the recovery of a very large database. */
const START_PATIENCE_MS = 120_000;
const LEAVE_PATIENCE_MS = 15_000;

/** PostgreSQL's code for a server that is starting, recovering or stopping. */
const CANNOT_CONNECT_NOW = '57P03';

const ATTEMPTS = 6;
const ATTEMPT_PAUSE_MS = 100;
const LAUNCHES = 4;
const LAUNCH_PAUSE_MS = 500;

/**
 * Joins the server of a place: the one that runs, or else one it starts, on a cluster it makes if need be. One
 * process at a time does so.
 *
 * @throws EmbeddedUnavailable when it can be neither started nor joined
 */
export async function enter(options: EnterOptions): Promise<Joined> {
  const { place } = options;
  const lock = await lockPlace(place, START_PATIENCE_MS);
  try {
    let adopted = true;
    let failure: unknown;
    for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
      let server = (await findServer(place.data)) ?? (await findUnseen(place));
      if (server === undefined) {
        server = await start(options);
        if (server !== undefined) adopted = false;
      }
      try {
        const membership = server && (await join(server.socketDirectory, server.identity));
        if (server && membership) return { membership, server, adopted };
      } catch (error) {
        failure = error;
        // It recovers from the crash of a session, which takes as long as it takes.
        if (codeOf(error) === CANNOT_CONNECT_NOW) attempts -= 1;
        if (server && attempts >= ATTEMPTS / 2 && isUnheard(error)) await stopDeaf(server, options);
      }
      await sleep(ATTEMPT_PAUSE_MS);
    }
    throw new EmbeddedUnavailable(`A server runs on ${place.data}, but it lets nobody join: ${failure}.`, {
      cause: failure,
    });
  } finally {
    await lock.release();
  }
}

/**
 * Leaves the server; the last one to leave stops it. A server that is gone already has been left.
 *
 * @param joined undefined when our membership was lost and not renewed since
 */
export async function leave(place: Place, joined: Joined | undefined): Promise<void> {
  // Without the lock nothing breaks: who joins meanwhile finds the exclusive lock taken, and tries again.
  const lock = await lockPlace(place, LEAVE_PATIENCE_MS).catch(() => undefined);
  try {
    if (joined !== undefined && (await leaveAs(place, joined))) return;
    // We were cut off from a server that may run on, and may have nobody left but us.
    const rejoined = await rejoin(place).catch(() => undefined);
    if (rejoined !== undefined) await leaveAs(place, rejoined);
  } finally {
    await lock?.release();
  }
}

/** @returns false when the connection was lost, so that it says nothing of who else is there */
async function leaveAs(place: Place, { membership, server }: Omit<Joined, 'adopted'>): Promise<boolean> {
  const last = await membership.isLast().catch(() => undefined);
  if (last === true) {
    await stopServer(server);
    await removeSocketDirectory(server.socketDirectory, place.home);
  }
  await membership.leave();
  return last !== undefined;
}

async function rejoin(place: Place): Promise<Omit<Joined, 'adopted'> | undefined> {
  const server = await findServer(place.data);
  const membership = server && (await join(server.socketDirectory, server.identity));
  return server && membership && { server, membership };
}

async function lockPlace(place: Place, patienceMs: number): Promise<StartLock> {
  const directory = joinPath(place.home, 'lock');
  await ensureDirectory(directory, place.keeper, 0o700);
  return takeStartLock(directory, patienceMs);
}

async function start({ place, settings, onProgress, mayInitialise }: EnterOptions) {
  const log = await openLog(place);
  try {
    const exists = await clusterExists(place);
    if (!exists && !mayInitialise) throw new EmbeddedUnavailable(`The data in ${place.data} are gone.`);
    const directory = await socketDirectory(place.home, place.owner);
    await prepareSocketDirectory(directory, place.owner);
    if (exists) {
      await disarmPostmasterFile(place.data);
    } else {
      onProgress(`a new database is made in ${place.data}`);
      await initialise(place, log, settings.fsync !== 'off');
    }
    const launch = () => launchServer(place, { socketDirectory: directory, settings, log });
    return await (exists ? patiently(launch) : launch());
  } finally {
    await log.close();
  }
}

/** The sessions of a server that was killed end by themselves a moment later; until then no other can start. */
async function patiently<Value>(launch: () => Promise<Value>): Promise<Value> {
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
 * A server can run where we cannot see its process, in another container that has the same directory mounted.
 * What we do see is whether it listens.
 */
async function findUnseen(place: Place): Promise<Server | undefined> {
  const file = await readPostmasterFile(place.data);
  if (file === undefined) return undefined;
  const directory = await socketDirectory(place.home, place.owner);
  return (await answers(directory)) ? { ...file, socketDirectory: directory, started: undefined } : undefined;
}

/** Nobody listens at the place: the socket was removed, or moved with its directory, while the server ran on. */
function isUnheard(error: unknown): boolean {
  return ['ENOENT', 'ECONNREFUSED'].includes(codeOf(error) ?? '');
}

async function stopDeaf(server: Server, { onProgress }: EnterOptions): Promise<void> {
  onProgress(`the running server (process ${server.pid}) has lost its socket, so it is started anew`);
  await stopServer(server);
}
