import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { codeOf, LocalPostgresUnavailable } from './errors.ts';
import { type DataLayout, socketDirectoryOf } from './layout.ts';
import { spawnAs } from './users.ts';

export interface RunningServer {
  pid: number;
  ended: Promise<unknown>;
  stop(): Promise<void>;
}

const POLL_MS = 10;
const STOP_TIMEOUT_MS = 60_000;
const LOG_BYTES_MAX = 10 * 1024 * 1024;

export const DEFAULT_SETTINGS: Record<string, string> = {
  listen_addresses: '',
  max_connections: '250',
  // Saves four background processes: the data fits in memory, and there are no subscriptions.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  // Only starts, stops and fatal errors: statement errors go to the client, and can contain personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

/**
 * Starts a server in its own session, so that terminal signals to our process group don't reach it and it can
 * stop after the last request.
 *
 * @throws LocalPostgresUnavailable with its log if it ends before it is ready
 */
export async function launchServer(
  layout: DataLayout,
  settings: Record<string, string>,
): Promise<RunningServer> {
  const { name, home, data, owner, binaries } = layout;
  // A list, in which an unquoted comma would end the path.
  const sockets = `"${socketDirectoryOf(layout).replaceAll('"', '""')}"`;
  const all = { cluster_name: name, unix_socket_directories: sockets, ...settings };
  const flags = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const logFile = join(home, 'postgres.log');
  await using log = await open(logFile, 'a', 0o600);
  if ((await log.stat()).size > LOG_BYTES_MAX) await log.truncate(0);
  const { size } = await log.stat();
  const child = spawn(binaries.postgres, ['-D', data, ...flags], {
    cwd: '/',
    detached: true,
    // No environment, because PGPORT and similar variables have effects.
    env: {},
    stdio: ['ignore', log.fd, log.fd],
    ...spawnAs(owner),
  });
  child.unref();
  // PostgreSQL's fast shutdown: ends sessions, with everything acknowledged on disk.
  const interrupt = () => void child.kill('SIGINT');
  // Also if this process ends without closing it, as after an uncaught error.
  process.once('exit', interrupt);
  let outcome: string | undefined;
  const ended = once(child, 'exit')
    .then(([code, signal]) => signal ?? `exit code ${code}`, String)
    .then((how) => {
      outcome = how;
      process.off('exit', interrupt);
    });
  const stop = async () => {
    // Lets this process wait for it.
    child.ref();
    interrupt();
    await ended;
  };
  for (;;) {
    const file = await readPidFile(data);
    if (outcome !== undefined) {
      const lines = (await readFile(logFile)).subarray(size);
      // PostgreSQL says "you need to initdb" of damaged data, which would end them.
      throw new LocalPostgresUnavailable(
        `PostgreSQL did not start on ${data} (${outcome}). The end of the log ${logFile}:\n${lines}` +
          'Keep these files, and run no initdb on them. If they are damaged, restore a backup in a different directory.',
      );
    }
    if (file?.isReady && file.pid === child.pid) return { pid: file.pid, ended, stop };
    await sleep(POLL_MS);
  }
}

/** Stops a server left by a killed process. Throws LocalPostgresUnavailable after a minute. */
export async function stopOrphan(data: string): Promise<void> {
  const orphan = await readPidFile(data);
  if (orphan === undefined || !(await isServerOf(orphan.pid, data))) return;
  process.kill(orphan.pid, 'SIGINT');
  for (
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    await isServerOf(orphan.pid, data);
    await sleep(POLL_MS)
  )
    if (Date.now() > deadline) {
      throw new LocalPostgresUnavailable(
        `The server that an ended process has left on ${data} (process ${orphan.pid}) does not stop.`,
      );
    }
}

/** Doesn't wait for a starting server. */
export async function isRunning(data: string): Promise<boolean> {
  const file = await readPidFile(data).catch(() => undefined);
  return file?.isReady === true && (await isServerOf(file.pid, data));
}

/** See PostgreSQL's src/include/utils/pidfile.h; undefined without the file. */
export async function readPidFile(data: string): Promise<{ pid: number; isReady: boolean } | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch((error) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    return '';
  });
  const lines = text.split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  // A server without sessions writes its process ID as a negative number.
  return pid ? { pid: Math.abs(pid), isReady: lines[7]?.trim() === 'ready' } : undefined;
}

/** A server's working directory is its data directory. A zombie has none. */
async function isServerOf(pid: number, data: string): Promise<boolean> {
  if (process.platform === 'linux')
    return (await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) === data;
  const command = promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
  return (await command.catch(() => undefined))?.stdout.includes(data) ?? false;
}
