import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type Binaries, binariesIn } from './binaries.ts';
import type { EmbeddedOptions, EmbeddedPostgres } from './index.ts';
import { startOf } from './process-info.ts';
import { type Owner, spawnAs } from './users.ts';

/** What a process tells of the server it uses. */
type Opened = Pick<EmbeddedPostgres, 'connection' | 'directory' | 'adopted'>;

/** A process of its own that started or joined a server. */
export interface Child extends Opened {
  process: ChildProcess;
  progress: string[];
  /** Closes in order, and waits for the process to end. */
  close(): Promise<void>;
  /** Ends the process by SIGKILL. */
  kill(): Promise<void>;
}

/** A new directory that every user can pass. */
export interface Scratch extends AsyncDisposable {
  path: string;
  dataDir: string;
  /** The directory of the cluster below the data directory. */
  data: string;
}

/** For servers whose files need not survive the machine. */
export const FAST = { fsync: 'off' };

const DOOR = fileURLToPath(new URL('./index.ts', import.meta.url));

const PROGRAM = `
  const { startEmbedded } = await import(process.argv[1]);
  const onProgress = (progress) => process.send({ progress });
  const database = await startEmbedded({ ...JSON.parse(process.argv[2]), onProgress }).catch((error) => {
    process.send({ refused: error.message }, () => process.exit(1));
    return new Promise(() => undefined);
  });
  const { connection, directory, adopted } = database;
  process.on('message', async () => { await database.close(); process.disconnect(); });
  process.send({ opened: { connection, directory, adopted } });
`;

/** Makes a directory in the temporary files; disposing of it kills a server that a failed test left there. */
export async function scratch(): Promise<Scratch> {
  const path = await mkdtemp(join(tmpdir(), 'roster-test-'));
  await chmod(path, 0o755);
  const dataDir = join(path, 'data');
  const data = join(dataDir, 'postgres', 'data');
  return {
    path,
    dataDir,
    data,
    async [Symbol.asyncDispose]() {
      const pid = await serverPid(data);
      if (pid !== undefined && (await startOf(pid)) !== undefined) process.kill(pid, 'SIGKILL');
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Copies a data directory whose server is stopped, owners and all; much quicker than to make a new cluster. */
export async function copyCluster(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await promisify(execFile)('cp', ['-a', from, to]);
}

/** Makes what looks like an installation of PostgreSQL, small enough to be copied often. */
export async function fakeInstallation(directory: string): Promise<Binaries> {
  const binaries = binariesIn(directory, '18.0.0-fake');
  for (const path of [binaries.initdb, binaries.postgres, join(directory, 'lib', 'libpq.so.5.18')]) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '', { mode: 0o755 });
  }
  await mkdir(join(directory, 'share', 'postgresql'), { recursive: true });
  await writeFile(join(directory, 'share', 'postgresql', 'postgres.bki'), '');
  const link = { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' };
  await writeFile(join(directory, 'pg-symlinks.json'), JSON.stringify([link]));
  return binaries;
}

/** Starts a process that uses the server of a directory; it is in a process group of its own. */
export function spawnChild(options: Omit<EmbeddedOptions, 'onProgress'>, as?: Owner): ChildProcess {
  const flags = ['--input-type=module', '-e', PROGRAM, DOOR, JSON.stringify(options)];
  const stdio: ['ignore', 'inherit', 'inherit', 'ipc'] = ['ignore', 'inherit', 'inherit', 'ipc'];
  return spawn(process.execPath, flags, { cwd: '/', detached: true, stdio, ...(as && spawnAs(as)) });
}

/** Starts such a process and waits until it has its database. */
export async function openInChild(options: Omit<EmbeddedOptions, 'onProgress'>, as?: Owner): Promise<Child> {
  const child = spawnChild(options, as);
  const ended = once(child, 'exit');
  const progress: string[] = [];
  const opened = await new Promise<Opened>((resolve, reject) => {
    child.on('message', (message: { progress?: string; opened?: Opened; refused?: string }) => {
      if (message.progress !== undefined) progress.push(message.progress);
      if (message.opened !== undefined) resolve(message.opened);
      if (message.refused !== undefined) reject(new Error(message.refused));
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
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Sends one statement over a connection of its own and gives back the first column of the first row. */
export async function ask(connection: EmbeddedPostgres['connection'], sql: string): Promise<unknown> {
  const client = new Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** The process id in the postmaster.pid of a cluster. */
export async function serverPid(data: string): Promise<number | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number.parseInt(text, 10);
}
