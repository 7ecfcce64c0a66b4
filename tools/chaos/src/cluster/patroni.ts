import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { until } from '@roster/harness/until';
import { freePort, startProxy } from '@roster/local-postgres/testing/proxy';
import { Client } from 'pg';
import { parse, stringify } from 'yaml';
import { signalAll } from './database.ts';

const run = promisify(execFile);
const shipped = (name: string) =>
  readFile(new URL(`../../../../deploy/patroni/${name}`, import.meta.url), 'utf8');

const POSTGRES_DIRECTORY = '/usr/lib/postgresql';
const PATH = `/usr/bin:/bin:/usr/sbin:${process.env.PATH}`;
const USER = 'postgres';
const DATABASE = 'roster';
const PASSWORD = 'a-password-of-the-failover';
const STOPPING_MS = 15_000;
const LOOK_EVERY_MS = 200;
/** Beyond the time to live of a leader. */
const PROMOTION_MS = 30_000;

/** The programs that a cluster is made of, each with the package of Debian that has it. */
const PROGRAMS = { patroni: 'patroni', etcd: 'etcd-server', pgbouncer: 'pgbouncer', haproxy: 'haproxy' };

/** The directory of the newest PostgreSQL that Debian has installed; undefined if there is none. */
async function findPostgres(): Promise<string | undefined> {
  const versions = (await readdir(POSTGRES_DIRECTORY).catch(() => [])).map(Number).filter(Boolean);
  return versions.length > 0 ? `${POSTGRES_DIRECTORY}/${Math.max(...versions)}/bin` : undefined;
}

/** The packages of Debian that are not installed. */
export async function missingPackages(): Promise<string[]> {
  const missing = (await findPostgres()) === undefined ? ['postgresql'] : [];
  for (const [program, debian] of Object.entries(PROGRAMS))
    await run('sh', ['-c', `command -v ${program}`], { env: { PATH } }).catch(() => missing.push(debian));
  return missing;
}

/** The processes whose parent is one of these, and theirs. */
async function descendants(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = text.split(' ').filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(descendants))).flat()];
}

/** Ends a program and what it has started, such as Patroni its PostgreSQL. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  const all = [child.pid ?? 0, ...(await descendants(child.pid ?? 0))];
  child.kill('SIGTERM');
  const timer = setTimeout(() => signalAll(all, 'SIGKILL'), STOPPING_MS);
  await exited;
  clearTimeout(timer);
}

/** One machine of the cluster: Patroni with its PostgreSQL, and PgBouncer. */
interface Node {
  name: string;
  /** The ports of PostgreSQL, of PgBouncer and of Patroni. */
  postgres: number;
  port: number;
  rest: number;
  processes: ChildProcess[];
}

/** What is read of the settings of Patroni, as they are shipped. */
interface PatroniSettings {
  postgresql: { authentication: { superuser: { password: string } } };
  bootstrap: { dcs: { ttl: number } };
}

const addressOf = (port: number) => ({
  listen: `127.0.0.1:${port}`,
  connect_address: `127.0.0.1:${port}`,
});

/**
 * Two nodes of PostgreSQL under Patroni, one of them the synchronous standby of the other, each behind a PgBouncer, as `deploy/patroni`
 * configures them.
 */
export class PatroniCluster implements AsyncDisposable {
  readonly #directory: string;
  readonly #settings: PatroniSettings;
  readonly #started = new AsyncDisposableStack();
  readonly #nodes: Node[] = [];
  #port = 0;
  /** Who runs PostgreSQL and PgBouncer, which root may not. */
  #user: { uid?: number; gid?: number } = {};

  private constructor(directory: string, settings: PatroniSettings) {
    this.#directory = directory;
    this.#settings = settings;
  }

  /** Starts etcd and the nodes, with an empty database. */
  static async start(directory: string): Promise<PatroniCluster> {
    const cluster = new PatroniCluster(directory, parse(await shipped('patroni.yml')));
    try {
      await cluster.#makeDirectory();
      const etcd = await cluster.#startEtcd();
      for (const name of ['db1', 'db2']) {
        cluster.#nodes.push(await cluster.#startNode(name, etcd));
        await cluster.#leader();
      }
      await until('a synchronous standby', () => cluster.#find('synchronous'));
      await cluster.#startProxy();
      await cluster.query(`create role ${DATABASE} login password '${PASSWORD}'`, 'postgres');
      await cluster.query(`create database ${DATABASE} owner ${DATABASE}`, 'postgres');
      await cluster.query(`alter role ${DATABASE} set lock_timeout = '3s'`);
      await cluster.query(`alter role ${DATABASE} set idle_in_transaction_session_timeout = '10s'`);
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
    return cluster;
  }

  /** The URL of the database, through the proxy that leads to the leader. */
  get url(): string {
    return `postgres://${DATABASE}:${PASSWORD}@127.0.0.1:${this.#port}/${DATABASE}`;
  }

  /** Runs one statement at the leader, as a superuser. */
  async query<Row extends object>(sql: string, database = DATABASE): Promise<Row[]> {
    const { postgres: port } = await this.#leader();
    const { password } = this.#settings.postgresql.authentication.superuser;
    const client = new Client({ host: '127.0.0.1', port, user: USER, password, database });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Loses the leader, all processes of it at the same moment, and waits until Patroni has promoted the standby. */
  async loseLeader(): Promise<string> {
    const lost = await this.#leader();
    const data = await readFile(join(this.#directory, lost.name, 'postmaster.pid'), 'utf8');
    const postmaster = Number(data.split('\n', 1)[0]);
    const parents = [...lost.processes.map(({ pid = 0 }) => pid), postmaster];
    signalAll([...parents, ...(await descendants(postmaster))], 'SIGKILL');
    const withinMs = this.#settings.bootstrap.dcs.ttl * 1_000 + PROMOTION_MS;
    const isAnother = async () => (await this.#find('primary'))?.name !== lost.name && this.#find('primary');
    const leader = await until('another leader', isAnother, { withinMs });
    return `${lost.name}, followed by ${leader.name}`;
  }

  /** Ends what was started, the last first. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#started.disposeAsync();
    await sleep(LOOK_EVERY_MS);
  }

  async #makeDirectory(): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
    if (process.getuid?.() !== 0) return;
    const { uid, gid } = await stat('/var/lib/postgresql');
    this.#user = { uid, gid };
    await chown(this.#directory, uid, gid);
  }

  #leader(): Promise<Node> {
    return until('a leader', () => this.#find('primary'));
  }

  /** The node of which Patroni returns 200 to a question: `primary`, `synchronous`. */
  async #find(question: string): Promise<Node | undefined> {
    for (const node of this.#nodes) {
      const response = await fetch(`http://127.0.0.1:${node.rest}/${question}`).catch(() => undefined);
      if (response?.status === 200) return node;
    }
    return undefined;
  }

  /** Starts a program that writes a log beside its files. */
  async #launch(name: string, command: string, args: string[]): Promise<ChildProcess> {
    const log = await open(join(this.#directory, `${name}.log`), 'a');
    const child = spawn(command, args, {
      stdio: ['ignore', log.fd, log.fd],
      env: { ...process.env, PATH },
      cwd: this.#directory,
      ...this.#user,
    });
    await once(child, 'spawn');
    await log.close();
    this.#started.defer(() => end(child));
    return child;
  }

  /** Asks each node whether it is the primary, as a proxy of a deployment does, and closes the connections to one that no longer is. */
  async #startProxy(): Promise<void> {
    let leader = await this.#leader();
    const addressOfNode = ({ port }: Node) => ({ host: '127.0.0.1', port });
    const connection = { ...addressOfNode(leader), user: DATABASE, database: DATABASE };
    const proxy = this.#started.use(await startProxy({ connection }));
    this.#port = proxy.connection.port;
    const timer = setInterval(async () => {
      const found = (await this.#find('primary')) ?? leader;
      if (found !== leader) proxy.aim(addressOfNode(found));
      leader = found;
    }, LOOK_EVERY_MS);
    this.#started.defer(() => clearInterval(timer));
  }

  async #startEtcd(): Promise<string> {
    const [client, peer] = [await freePort(), `http://127.0.0.1:${await freePort()}`];
    const url = `http://127.0.0.1:${client}`;
    await this.#launch('etcd', 'etcd', [
      `--data-dir=${join(this.#directory, 'etcd')}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
    ]);
    return `127.0.0.1:${client}`;
  }

  async #write(name: string, text: string): Promise<string> {
    const path = join(this.#directory, name);
    await writeFile(path, text);
    return path;
  }

  async #startNode(name: string, etcd: string): Promise<Node> {
    const [postgres, port, rest] = [await freePort(), await freePort(), await freePort()];
    const settings = {
      ...this.#settings,
      name,
      restapi: addressOf(rest),
      etcd3: { hosts: etcd },
      postgresql: {
        ...this.#settings.postgresql,
        ...addressOf(postgres),
        data_dir: join(this.#directory, name),
        bin_dir: await findPostgres(),
        parameters: { unix_socket_directories: this.#directory },
        pgpass: join(this.#directory, `${name}.pgpass`),
      },
    };
    const patroni = await this.#write(`${name}.yml`, stringify(settings));
    const users = await this.#write('userlist.txt', `"${DATABASE}" "${PASSWORD}"\n`);
    const bouncer = (await shipped('pgbouncer.ini'))
      .replace('port=5432', `port=${postgres}`)
      .replace(/^listen_addr = .*/m, 'listen_addr = 127.0.0.1')
      .replace(/^listen_port = .*/m, `listen_port = ${port}`)
      .replace(/^auth_file = .*/m, `auth_file = ${users}`);
    const pgbouncer = await this.#write(`${name}.ini`, bouncer);
    const processes = [
      await this.#launch(`${name}-patroni`, 'patroni', [patroni]),
      await this.#launch(`${name}-pgbouncer`, 'pgbouncer', [pgbouncer]),
    ];
    return { name, postgres, port, rest, processes };
  }
}
