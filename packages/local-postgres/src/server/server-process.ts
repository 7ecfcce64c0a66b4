import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalPostgresUnavailable } from '../errors.ts';
import type { DataLayout } from '../layout.ts';
import { spawnAs } from '../users.ts';
import { type PidFile, readPidFile } from './postmaster-pid.ts';
import { readStartTime, signalProcess, usesDirectory } from './process-info.ts';
import type { ServerLog } from './server-log.ts';
import { PORT } from './socket.ts';

/** A server that accepts connections, and that this process has started. */
export interface RunningServer {
  pid: number;
  socketDirectory: string;
  /** Settles when the process has ended. */
  ended: Promise<unknown>;
}

export interface LaunchOptions {
  socketDirectory: string;
  settings: Record<string, string>;
  log: ServerLog;
}

const POLL_MS = 10;
const STOP_TIMEOUT_MS = 60_000;

/** The settings of a local PostgreSQL unless its program gives others. */
export const DEFAULT_SETTINGS: Record<string, string> = {
  port: String(PORT),
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '250',
  // Four background processes fewer. I/O workers do not help if the data fit in memory, and there are no
  // subscriptions to other servers.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  log_destination: 'stderr',
  logging_collector: 'off',
  // Log starts, stops and fatal errors only. An error of a statement is returned to its client, and may contain
  // personal data; in the log it would only take space.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

/**
 * Stops the server that a process which was killed has left on a data directory, and waits for its end. Does nothing if none runs:
 * if there is no postmaster.pid, or it names a process that has ended or is another one.
 *
 * @throws LocalPostgresUnavailable if it has not ended after a minute
 */
export async function stopOrphan(data: string): Promise<void> {
  const file = await readPidFile(data);
  if (file === undefined || !(await isServerOf(file.pid, data))) return;
  signalProcess(file.pid, 'SIGINT');
  for (
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    await isServerOf(file.pid, data);
    await sleep(POLL_MS)
  ) {
    if (Date.now() < deadline) continue;
    throw new LocalPostgresUnavailable(
      `The server that an ended process has left on ${data} (process ${file.pid}) does not stop.`,
    );
  }
}

/** The server that accepts connections on a data directory at this moment. Does not wait for one that is starting. */
export async function findRunningServer(data: string): Promise<PidFile | undefined> {
  const file = await readPidFile(data).catch(() => undefined);
  return file?.status === 'ready' && (await isServerOf(file.pid, data)) ? file : undefined;
}

/**
 * Starts a server on a cluster that no server runs on, in a session of its own: signals that the terminal sends to our
 * process group do not reach it, so that it stops after the last request.
 *
 * @throws LocalPostgresUnavailable with the last lines of the log if the server ends before it is ready
 */
export async function launchServer(layout: DataLayout, options: LaunchOptions): Promise<RunningServer> {
  const { log, socketDirectory } = options;
  const settings = {
    cluster_name: layout.name,
    unix_socket_directories: quoted(socketDirectory),
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(layout.binaries.postgres, ['-D', layout.data, ...flags], {
    cwd: '/',
    detached: true,
    // PostgreSQL inherits no environment: PGPORT and similar variables would change what it does.
    env: {},
    stdio: ['ignore', log.fd, log.fd],
    ...spawnAs(layout.owner),
  });
  child.unref();
  // The server stops too if something ends this process without closing it, such as an error that nothing catches.
  const stop = () => child.kill('SIGINT');
  process.once('exit', stop);
  let outcome: string | undefined;
  const ended = once(child, 'exit').then(
    ([code, signal]) => {
      outcome = signal ?? `exit code ${code}`;
    },
    (error) => {
      outcome = error.message;
    },
  );
  void ended.then(() => process.off('exit', stop));
  for (;;) {
    const file = await readPidFile(layout.data);
    if (outcome !== undefined) {
      throw new LocalPostgresUnavailable(
        `PostgreSQL did not start on ${layout.data} (${outcome}). ` +
          `The end of the log ${log.path}:\n${await log.tail()}\n`,
      );
    }
    if (file?.status === 'ready' && file.pid === child.pid) return { pid: file.pid, socketDirectory, ended };
    await sleep(POLL_MS);
  }
}

/**
 * Stops a server by SIGINT, PostgreSQL's fast shutdown: sessions are ended, and everything acknowledged is on disk.
 * Waits for its end, at most a minute; a server that takes longer goes on stopping by itself.
 */
export async function stopServer({ pid, ended }: RunningServer): Promise<void> {
  signalProcess(pid, 'SIGINT');
  const waited = new AbortController();
  await Promise.race([
    ended,
    sleep(STOP_TIMEOUT_MS, undefined, { signal: waited.signal }).catch(() => undefined),
  ]);
  waited.abort();
}

async function isServerOf(pid: number, data: string): Promise<boolean> {
  return (await readStartTime(pid)) !== undefined && (await usesDirectory(pid, data));
}

/** The setting is a list, in which an unquoted comma would end the path. */
function quoted(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}
