import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, type ClientConfig } from 'pg';
import { locateBinaries } from '../binaries.ts';
import { initialise } from '../initdb.ts';
import { choosePlace, type Place } from '../layout.ts';
import { ensureDirectory } from '../private-directory.ts';
import { startOf } from '../process-info.ts';
import { openLog } from '../server-log.ts';
import { launchServer } from '../server-process.ts';
import { isRoot } from '../users.ts';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

/** The role and the database that every cluster made here has. */
const USER = 'roster';
const DATABASE = 'roster';

/** Nothing is synced to the disk: what a test kills is a process, and what it has written the kernel keeps. */
const QUICK = { fsync: 'off', wal_keep_size: '256MB', wal_sender_timeout: '5s', wal_receiver_timeout: '5s' };

/** A PostgreSQL of a test, alone on its cluster, that listens on a port of 127.0.0.1 and may be killed at any time. */
export interface TestPostgres extends AsyncDisposable {
  /** What it is called in `synchronous_standby_names` and in `pg_stat_replication`. */
  name: string;
  connection: { host: string; port: number; user: string; database: string };
  /** The same as a URL, for DATABASE_URL and DATABASE_REPLICA_URLS. */
  url: string;
  /** Where everything of it lives. */
  directory: string;
  /** One statement on a connection of its own; answers its rows. Throws where there is no answer in time, if given one. */
  query<Row extends object>(sql: string, timeoutMs?: number): Promise<Row[]>;
  /** All that it has written about itself. */
  log(): Promise<string>;
  /** The main process, first, and its children; none where it does not run. */
  processes(): Promise<number[]>;
  /** Crashes it (SIGKILL of its main process) or stops it in order (SIGINT); ends when all its processes are gone. */
  kill(signal: 'SIGKILL' | 'SIGINT'): Promise<void>;
  /** Stops all its processes where they are, as a machine that hangs; and lets them go on. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Starts it again after `kill` or an end of its own, on the same port: recovers from the crash first. */
  start(): Promise<void>;
  /** Makes a standby the primary; ends when it takes writes. */
  promote(): Promise<void>;
  /** From here on a commit is acknowledged once this standby has it on its disk too; or, without one, as before. */
  waitFor(standby?: TestPostgres): Promise<void>;
}

export interface PostgresOptions {
  name?: string;
  /** An absolute path that every user can pass, to live in and be removed with; a temporary one unless given. */
  directory?: string | undefined;
  /** Where it listens; on a free port unless given. */
  port?: number;
  /** Settings by PostgreSQL's names; they win over those made here. */
  settings?: Record<string, string>;
}

async function newPlace(given: string | undefined): Promise<{ directory: string; place: Place }> {
  const directory = given ?? (await mkdtemp(join(tmpdir(), 'roster-pg-')));
  // Root's PostgreSQL runs as nobody, who has to get in.
  await chmod(directory, 0o755);
  const binaries = await locateBinaries();
  const fallbackDir = '/var/lib/roster';
  return {
    directory,
    place: await choosePlace({ dataDir: directory, fallbackDir, binaries, onProgress: () => undefined }),
  };
}

class Cluster implements TestPostgres {
  readonly name: string;
  readonly connection: TestPostgres['connection'];
  readonly place: Place;
  readonly directory: string;
  readonly #settings: Record<string, string>;
  #pid = 0;

  constructor(options: Required<PostgresOptions> & { directory: string; place: Place }) {
    this.name = options.name;
    this.place = options.place;
    this.directory = options.directory;
    this.connection = { host: '127.0.0.1', port: options.port, user: USER, database: DATABASE };
    const { port } = options;
    const fixed = { port: String(port), listen_addresses: '127.0.0.1', cluster_name: options.name };
    this.#settings = { ...QUICK, ...fixed, ...options.settings };
  }

  get url(): string {
    return `postgres://${USER}@127.0.0.1:${this.connection.port}/${DATABASE}`;
  }

  async query<Row extends object>(sql: string, timeoutMs = 0): Promise<Row[]> {
    const config = { ...this.connection, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs };
    return withClient(config, async (client) => (await client.query<Row>(sql)).rows);
  }

  async start(): Promise<void> {
    const socketDirectory = join(this.place.home, 'socket');
    await ensureDirectory(socketDirectory, this.place.owner, 0o700);
    const log = await openLog(this.place);
    try {
      const server = await launchServer(this.place, { socketDirectory, settings: this.#settings, log });
      if (server === undefined) throw new Error(`another server runs in ${this.place.data}`);
      this.#pid = server.pid;
    } finally {
      await log.close();
    }
  }

  async kill(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
    const processes = await this.processes();
    if (processes.length === 0) return;
    process.kill(this.#pid, signal);
    // One that was paused would never end.
    for (const pid of processes) trySignal(pid, 'SIGCONT');
    // The others of the server see that it is gone and end by themselves; until then nobody may start it again.
    for (const pid of processes) while ((await startOf(pid)) !== undefined) await sleep(5);
  }

  async pause(): Promise<void> {
    for (const pid of await this.processes()) trySignal(pid, 'SIGSTOP');
  }

  async resume(): Promise<void> {
    for (const pid of await this.processes()) trySignal(pid, 'SIGCONT');
  }

  log(): Promise<string> {
    return readFile(join(this.place.home, 'postgres.log'), 'utf8');
  }

  async promote(): Promise<void> {
    await this.query('select pg_promote(true, 60)');
  }

  async waitFor(standby?: TestPostgres): Promise<void> {
    await this.query(`alter system set synchronous_standby_names to '${standby?.name ?? ''}'`);
    await this.query('select pg_reload_conf()');
    if (standby === undefined) return;
    await until(async () => {
      const rows = await this.query<{ sync_state: string }>(
        `select sync_state from pg_stat_replication where application_name = '${standby.name}'`,
      );
      return rows[0]?.sync_state === 'sync';
    }, `${standby.name} does not replicate in step`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill('SIGKILL');
    await rm(this.directory, { recursive: true, force: true });
    await rm(this.place.home, { recursive: true, force: true });
  }

  /** The main process and its children (Linux tells them; elsewhere the main process alone). */
  async processes(): Promise<number[]> {
    if ((await startOf(this.#pid)) === undefined) return [];
    const children = await readFile(`/proc/${this.#pid}/task/${this.#pid}/children`, 'utf8').catch(() => '');
    return [this.#pid, ...children.split(' ').filter(Boolean).map(Number)];
  }
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

async function withClient<T>(config: ClientConfig, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(config);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; !(await isSo()); await sleep(10)) {
    if (Date.now() > deadline) throw new Error(otherwise);
  }
}

/** A new cluster with a role and a database `roster`, empty; everything of it is gone when it is disposed of. */
export async function startPrimary(options: PostgresOptions = {}): Promise<TestPostgres> {
  const { directory, place } = await newPlace(options.directory);
  const log = await openLog(place);
  await initialise(place, log, false);
  await log.close();
  const { name = 'primary', settings = {}, port = await freePort() } = options;
  const cluster = new Cluster({ directory, place, port, name, settings });
  await cluster.start();
  await withClient({ ...cluster.connection, database: 'postgres' }, (client) =>
    client.query(`create database ${DATABASE}`),
  );
  return cluster;
}

/**
 * A hot standby that streams from a primary made here, or from another standby that was promoted since; ends when it
 * answers queries. It is copied by PostgreSQL's low-level backup API (manual, section 25.3.4), because the embedded
 * binaries hold no pg_basebackup. A primary that was lost comes back by making a new standby: there is no pg_rewind.
 * @param options each standby of a primary needs a name of its own
 */
export async function startStandby(primary: TestPostgres, options: PostgresOptions): Promise<TestPostgres> {
  if (!(primary instanceof Cluster)) throw new TypeError('a standby is made of a cluster made here');
  const { directory, place } = await newPlace(options.directory);
  const { name = 'standby', port = await freePort() } = options;
  await copyCluster(primary, place);
  const { connection } = primary;
  const settings = {
    primary_conninfo: `host=${connection.host} port=${connection.port} user=${USER} application_name=${name}`,
    // Looks for its primary again at once, where by default it waits five seconds.
    wal_retrieve_retry_interval: '100ms',
    ...options.settings,
  };
  const standby = new Cluster({ directory, place, port, name, settings });
  await standby.start();
  return standby;
}

async function copyCluster(primary: Cluster, place: Place): Promise<void> {
  await withClient(primary.connection, async (client) => {
    await client.query(`select pg_backup_start('standby', fast => true)`);
    // Files that PostgreSQL removes meanwhile are missed by cp, which says so and copies the rest; the log has them.
    await run('cp', ['-a', primary.place.data, place.data]).catch(() => undefined);
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    );
    await rm(join(place.data, 'postmaster.pid'), { force: true });
    const wal = join(place.data, 'pg_wal');
    for (const name of await readdir(wal)) if (/^[0-9A-F]{24}/.test(name)) await rm(join(wal, name));
    // What was set on the primary by ALTER SYSTEM, such as whom it waits for, is not meant for the standby.
    await writeFile(join(place.data, 'postgresql.auto.conf'), '');
    await writeOwned(place, 'backup_label', rows[0]?.labelfile ?? '');
    await writeOwned(place, 'standby.signal', '');
  });
}

async function writeOwned({ data, owner }: Place, name: string, text: string): Promise<void> {
  const path = join(data, name);
  await writeFile(path, text, { mode: 0o600 });
  if (isRoot()) await chown(path, owner.uid, owner.gid);
}
