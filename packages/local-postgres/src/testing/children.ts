import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Binaries, binariesIn } from '../binaries.ts';
import type { LocalPostgres, LocalPostgresOptions } from '../index.ts';
import { type Owner, spawnAs } from '../users.ts';
import { isRunning } from './processes.ts';
import { withClient } from './standby.ts';

type Opened = Pick<LocalPostgres, 'connection' | 'directory'>;

export interface Child extends Opened {
  process: ChildProcess;
  progress: string[];
  /** Also waits for the end of the process. */
  close(): Promise<void>;
  /** Ends the process without stopping the server. */
  leave(by: 'exit' | 'forget'): Promise<void>;
  kill(): Promise<void>;
}

export interface Scratch extends AsyncDisposable {
  path: string;
  dataDir: string;
  data: string;
}

/** For servers whose files need not survive a power failure. */
export const FAST = { fsync: 'off' };

const MODULE = fileURLToPath(new URL('../index.ts', import.meta.url));

const PROGRAM = `
  const { startLocalPostgres } = await import(process.argv[1]);
  const onProgress = (progress) => process.send({ progress });
  const database = await startLocalPostgres({ ...JSON.parse(process.argv[2]), onProgress }).catch((error) => {
    process.send({ failed: error.message }, () => process.exit(1));
    return new Promise(() => undefined);
  });
  const { connection, directory } = database;
  const ends = {
    close: async () => { await database.close(); process.disconnect(); },
    exit: () => process.exit(7),
    // Nothing keeps the process alive then.
    forget: () => process.disconnect(),
  };
  process.on('message', (end) => ends[end]());
  process.send({ opened: { connection, directory } });
`;

/** Disposing of it kills a server left by a failed test. */
export async function scratch(): Promise<Scratch> {
  const path = await mkdtemp(join(tmpdir(), 'test-postgres-'));
  await chmod(path, 0o755);
  const dataDir = join(path, 'data');
  const data = join(dataDir, 'postgres', 'data');
  return {
    path,
    dataDir,
    data,
    async [Symbol.asyncDispose]() {
      const pid = await serverPid(data);
      if (pid !== undefined && (await isRunning(pid))) process.kill(pid, 'SIGKILL');
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Keeps owners; much faster than creating a cluster. */
export async function copyCluster(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await promisify(execFile)('cp', ['-a', from, to]);
}

export async function fakeInstallation(directory: string): Promise<Binaries> {
  const binaries = binariesIn(directory, '18.0.0-fake');
  for (const path of [binaries.initdb, binaries.postgres, join(directory, 'lib', 'libpq.so.5.18')]) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '', { mode: 0o755 });
  }
  return binaries;
}

export function spawnChild(options: Omit<LocalPostgresOptions, 'onProgress'>, as?: Owner): ChildProcess {
  const flags = ['--input-type=module', '-e', PROGRAM, MODULE, JSON.stringify(options)];
  const stdio: ['ignore', 'inherit', 'inherit', 'ipc'] = ['ignore', 'inherit', 'inherit', 'ipc'];
  return spawn(process.execPath, flags, { cwd: '/', detached: true, stdio, ...(as && spawnAs(as)) });
}

export async function openInChild(
  options: Omit<LocalPostgresOptions, 'onProgress'>,
  as?: Owner,
): Promise<Child> {
  const child = spawnChild(options, as);
  const ended = once(child, 'exit');
  const progress: string[] = [];
  const opened = await new Promise<Opened>((resolve, reject) => {
    child.on('message', (message: { progress?: string; opened?: Opened; failed?: string }) => {
      if (message.progress !== undefined) progress.push(message.progress);
      if (message.opened !== undefined) resolve(message.opened);
      if (message.failed !== undefined) reject(new Error(message.failed));
    });
    ended.then(() => reject(new Error('the child ended before it had a database')), reject);
  });
  return {
    ...opened,
    process: child,
    progress,
    async close() {
      child.send('close');
      await ended;
    },
    async leave(by) {
      child.send(by);
      await ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Returns the first column of the first row, on a new connection. */
export async function ask(connection: LocalPostgres['connection'], sql: string): Promise<unknown> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  });
}

export async function serverPid(data: string): Promise<number | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number.parseInt(text, 10);
}
