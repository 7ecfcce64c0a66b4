import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, EmbeddedUnavailable } from './errors.ts';
import type { Place } from './layout.ts';
import { type PostmasterFile, readPostmasterFile } from './postmaster-pid.ts';
import { startOf, worksIn } from './process-info.ts';
import type { Log } from './server-log.ts';
import { PORT } from './socket.ts';
import { spawnAs } from './users.ts';

/** A server that accepts connections. */
export interface Server {
  pid: number;
  /** When the process started; undefined for one that this process cannot see, in another container. */
  started: string | undefined;
  socketDirectory: string;
  /** What tells it from every other server: the head of its postmaster.pid. */
  identity: string;
}

export interface LaunchOptions {
  socketDirectory: string;
  settings: Record<string, string>;
  log: Log;
}

const POLL_MS = 10;
const STOPPING_MS = 3000;
const STOP_PATIENCE_MS = 60_000;

const SETTINGS: Record<string, string> = {
  port: String(PORT),
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  cluster_name: 'roster',
  // Four processes less: a directory that fits in memory gains nothing from workers that read for others, and
  // nobody subscribes here to another server's changes.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  log_destination: 'stderr',
  logging_collector: 'off',
  // Starts, stops and what is fatal. An error of a statement goes to whoever sent it, with the people's data that
  // may be in it; here it would only make the log grow.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

/**
 * Finds the server that runs on a data directory; one that is starting or stopping is waited for.
 *
 * @returns undefined when none runs: no postmaster.pid, or one whose process is gone or is another one by now
 */
export async function findServer(data: string): Promise<Server | undefined> {
  for (const since = Date.now(); ; ) {
    const file = await readPostmasterFile(data);
    if (file === undefined || !(await isServerOf(file.pid, data))) return undefined;
    if (file.status === 'ready') return { ...file, started: await startOf(file.pid) };
    // Asked by SIGTERM to stop, as the init system asks everybody, it waits for its sessions, maybe for ever.
    if (file.status === 'stopping' && Date.now() - since > STOPPING_MS) signal(file.pid);
    await sleep(POLL_MS);
  }
}

/** The server that runs on a data directory and takes connections at this moment; it is neither waited for nor touched. */
export async function findRunning(data: string): Promise<PostmasterFile | undefined> {
  const file = await readPostmasterFile(data).catch(() => undefined);
  return file?.status === 'ready' && (await isServerOf(file.pid, data)) ? file : undefined;
}

/**
 * Starts a server on a cluster that none runs on, in a session of its own: what the terminal sends to our process
 * group does not reach it, so that it outlives us for as long as we need it.
 *
 * @returns undefined when another server came first, which is then to be found
 * @throws EmbeddedUnavailable with the last lines of the log when it ends before it is ready
 */
export async function launchServer(place: Place, options: LaunchOptions): Promise<Server | undefined> {
  const { log, socketDirectory } = options;
  const settings = { ...SETTINGS, unix_socket_directories: quoted(socketDirectory), ...options.settings };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(place.binaries.postgres, ['-D', place.data, ...flags], {
    cwd: '/',
    detached: true,
    // Nothing of our environment is PostgreSQL's business; PGPORT and its like would change what it does.
    env: {},
    stdio: ['ignore', log.fd, log.fd],
    ...spawnAs(place.owner),
  });
  child.unref();
  let ended: string | undefined;
  once(child, 'exit').then(
    ([code, signal]) => {
      ended = signal ?? `exit code ${code}`;
    },
    (error) => {
      ended = error.message;
    },
  );
  for (;;) {
    const file = await readPostmasterFile(place.data);
    if (ended !== undefined) {
      if (file !== undefined && (await isServerOf(file.pid, place.data))) return undefined;
      throw new EmbeddedUnavailable(
        `PostgreSQL did not start on ${place.data} (${ended}). ` +
          `The end of its log ${log.path}:\n${await log.tail()}\n`,
      );
    }
    if (file?.status === 'ready' && file.pid === child.pid) {
      return { ...file, started: await startOf(file.pid) };
    }
    await sleep(POLL_MS);
  }
}

/**
 * Stops a server at once but in order (SIGINT, PostgreSQL's fast shutdown): sessions end, everything acknowledged
 * is on disk. Waits for its end, at most a minute; a server that takes longer is left to finish by itself.
 */
export async function stopServer({ pid, started }: Server): Promise<void> {
  if (started === undefined || (await startOf(pid)) !== started) return;
  signal(pid);
  const deadline = Date.now() + STOP_PATIENCE_MS;
  while ((await startOf(pid)) === started && Date.now() < deadline) await sleep(POLL_MS);
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    // It ended by itself in this very moment.
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

async function isServerOf(pid: number, data: string): Promise<boolean> {
  return (await startOf(pid)) !== undefined && (await worksIn(pid, data));
}

/** The setting is a list, in which a comma in a path would end the path. */
function quoted(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}
