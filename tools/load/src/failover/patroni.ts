import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { until } from '@roster/harness/until';
import { freePort } from '@roster/local-postgres/testing/proxy';
import { Client } from 'pg';
import { parse, stringify } from 'yaml';

const run = promisify(execFile);
const shipped = (name: string) =>
  readFile(new URL(`../../../../deploy/patroni/${name}`, import.meta.url), 'utf8');
const POSTGRES_DIRECTORY = '/usr/lib/postgresql';
const USER = 'postgres';
const DATABASE = 'roster';
const PASSWORD = 'a-password-of-the-failover';
const STOPPING_MS = 15_000;
const LOOK_EVERY_MS = 200;

/** The programs that a cluster is made of, each with the package of Debian that has it. */
const PROGRAMS = { patroni: 'patroni', etcd: 'etcd-server', pgbouncer: 'pgbouncer', haproxy: 'haproxy' };

/** The directory of the newest PostgreSQL that Debian has installed; undefined if there is none. */
async function findPostgres(): Promise<string | undefined> {
  const versions = (await readdir(POSTGRES_DIRECTORY).catch(() => [])).map(Number).filter(Boolean);
  return versions.length > 0 ? `${POSTGRES_DIRECTORY}/${Math.max(...versions)}/bin` : undefined;
}

/** The packages of Debian that are not installed. */
export async function missingPackages(): Promise<string[]> {
  const isMissing = ([program]: [string, string]) =>
    run('sh', ['-c', `command -v ${program}`], {
      env: { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` },
    }).then(
      () => [],
      () => [PROGRAMS[program as keyof typeof PROGRAMS]],
    );
  const missing = await Promise.all(Object.entries(PROGRAMS).map(isMissing));
  return [...missing.flat(), ...((await findPostgres()) === undefined ? ['postgresql'] : [])];
}

/** The user who runs PostgreSQL and PgBouncer, which root may not; none if this process is not root. */
async function unprivileged(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => (await run('id', [flag, USER])).stdout),
  );
  return { uid: Number(uid), gid: Number(gid) };
}

/** The processes whose parent is one of these, and theirs. */
async function descendants(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = text.split(' ').filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(descendants))).flat()];
}

function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** One machine of the cluster: Patroni with its PostgreSQL, and PgBouncer. */
interface Node {
  name: string;
  /** The ports of PostgreSQL and of PgBouncer. */
  postgres: number;
  port: number;
  rest: number;
  /** Loses it: all its processes end at the same moment. */
  lose(): Promise<void>;
}

/** Two nodes of PostgreSQL under Patroni, each behind a PgBouncer, as `deploy/patroni` configures them. */
export interface PatroniCluster extends AsyncDisposable {
  /** The URL of the database, with both nodes. */
  url: string;
  /** Seconds after which a leader that is gone is replaced. */
  ttlSeconds: number;
  leader(): Promise<Node>;
  /** Runs one statement at the leader, as a superuser. */
  query<Row extends object>(sql: string): Promise<Row[]>;
}

interface Machine {
  directory: string;
  owner: { uid: number; gid: number } | undefined;
  started: ChildProcess[];
}

/** Starts a program that writes a log beside its files. */
async function launch(
  { directory, owner, started }: Machine,
  {
    name,
    command,
    args,
    isPrivileged = false,
  }: { name: string; command: string; args: string[]; isPrivileged?: boolean },
): Promise<ChildProcess> {
  const log = await open(join(directory, `${name}.log`), 'a');
  const child = spawn(command, args, {
    stdio: ['ignore', log.fd, log.fd],
    env: { ...process.env, PATH: `/usr/bin:/bin:/usr/sbin:${process.env.PATH}` },
    cwd: directory,
    ...(isPrivileged ? {} : owner),
  });
  await once(child, 'spawn');
  await log.close();
  started.push(child);
  return child;
}

async function startEtcd(machine: Machine): Promise<string> {
  const [client, peer] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${client}`;
  const peerUrl = `http://127.0.0.1:${peer}`;
  const args = {
    'data-dir': join(machine.directory, 'etcd'),
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `default=${peerUrl}`,
  };
  const flags = Object.entries(args).map(([name, value]) => `--${name}=${value}`);
  await launch(machine, { name: 'etcd', command: 'etcd', args: flags });
  return `127.0.0.1:${client}`;
}

/** Writes a file that the user of PostgreSQL reads. */
async function writeOwned({ directory, owner }: Machine, name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text, { mode: 0o600 });
  if (owner !== undefined) await chown(path, owner.uid, owner.gid);
  return path;
}

interface PatroniSettings {
  restapi: object;
  postgresql: object & { authentication: { superuser: { password: string } } };
  bootstrap: { dcs: { ttl: number } };
}

async function startNode(
  machine: Machine,
  { name, etcd, settings }: { name: string; etcd: string; settings: PatroniSettings },
): Promise<Node> {
  const [postgres, port, rest] = [await freePort(), await freePort(), await freePort()];
  const address = (number: number) => ({
    listen: `127.0.0.1:${number}`,
    connect_address: `127.0.0.1:${number}`,
  });
  const patroni = await writeOwned(
    machine,
    `${name}.yml`,
    stringify({
      ...settings,
      name,
      restapi: address(rest),
      etcd3: { hosts: etcd },
      postgresql: {
        ...settings.postgresql,
        ...address(postgres),
        data_dir: join(machine.directory, name),
        bin_dir: await findPostgres(),
        parameters: { unix_socket_directories: machine.directory },
        pgpass: join(machine.directory, `${name}.pgpass`),
      },
    }),
  );
  const users = await writeOwned(machine, 'userlist.txt', `"${DATABASE}" "${PASSWORD}"\n`);
  const bouncer = (await shipped('pgbouncer.ini'))
    .replace('port=5432', `port=${postgres}`)
    .replace(/^listen_addr = .*/m, 'listen_addr = 127.0.0.1')
    .replace(/^listen_port = .*/m, `listen_port = ${port}`)
    .replace(/^auth_file = .*/m, `auth_file = ${users}`);
  const pgbouncer = await writeOwned(machine, `${name}.ini`, bouncer);
  const processes = [
    await launch(machine, { name: `${name}-patroni`, command: 'patroni', args: [patroni] }),
    await launch(machine, { name: `${name}-pgbouncer`, command: 'pgbouncer', args: [pgbouncer] }),
  ];
  const lose = async () => {
    const data = await readFile(join(machine.directory, name, 'postmaster.pid'), 'utf8');
    const postmaster = Number(data.split('\n', 1)[0]);
    const pids = [...processes.map(({ pid = 0 }) => pid), postmaster, ...(await descendants(postmaster))];
    for (const pid of pids) trySignal(pid, 'SIGKILL');
    while (pids.some((pid) => trySignal(pid, 0))) await sleep(LOOK_EVERY_MS);
  };
  return { name, postgres, port, rest, lose };
}

/** Whether Patroni answers 200 to a question about its node: `primary`, `synchronous`. */
async function isNode({ rest }: Node, question: string): Promise<boolean> {
  const { status } = await fetch(`http://127.0.0.1:${rest}/${question}`);
  return status === 200;
}

async function findNode(nodes: readonly Node[], question: string): Promise<Node | undefined> {
  const answers = await Promise.all(nodes.map((node) => isNode(node, question).catch(() => false)));
  return nodes[answers.indexOf(true)];
}

/** Ends what was started, Patroni first, which stops its PostgreSQL. */
async function stop({ started }: Machine): Promise<void> {
  for (const child of started.toReversed()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const exited = once(child, 'exit');
    const children = await descendants(child.pid ?? 0);
    child.kill('SIGTERM');
    const timer = setTimeout(() => {
      for (const pid of [child.pid ?? 0, ...children]) trySignal(pid, 'SIGKILL');
    }, STOPPING_MS);
    await exited;
    clearTimeout(timer);
  }
}

/** Starts etcd and two nodes with an empty database, of which one is the leader and the other its synchronous standby. */
export async function startPatroni(directory: string): Promise<PatroniCluster> {
  const machine: Machine = { directory, owner: await unprivileged(), started: [] };
  await mkdir(directory, { recursive: true });
  if (machine.owner !== undefined) await chown(directory, machine.owner.uid, machine.owner.gid);
  const settings = parse(await shipped('patroni.yml')) as PatroniSettings;
  const etcd = await startEtcd(machine);
  const nodes: Node[] = [];
  const leader = () => until('a leader', () => findNode(nodes, 'primary'));
  const { password } = settings.postgresql.authentication.superuser;
  const query = async <Row extends object>(sql: string, database = DATABASE): Promise<Row[]> => {
    const { postgres: port } = await leader();
    const client = new Client({ host: '127.0.0.1', port, user: USER, password, database });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const cluster: PatroniCluster = {
    get url() {
      const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`);
      return `postgres://${DATABASE}:${PASSWORD}@${hosts.join(',')}/${DATABASE}?target_session_attrs=read-write`;
    },
    ttlSeconds: settings.bootstrap.dcs.ttl,
    leader,
    query,
    [Symbol.asyncDispose]: () => stop(machine),
  };
  try {
    for (const name of ['db1', 'db2']) {
      nodes.push(await startNode(machine, { name, etcd, settings }));
      await leader();
    }
    await until('a synchronous standby', () => findNode(nodes, 'synchronous'));
    await query(`create role ${DATABASE} login password '${PASSWORD}'`, 'postgres');
    await query(`create database ${DATABASE} owner ${DATABASE}`, 'postgres');
    await query(`alter role ${DATABASE} set lock_timeout = '3s'`);
    await query(`alter role ${DATABASE} set idle_in_transaction_session_timeout = '10s'`);
  } catch (error) {
    await stop(machine);
    throw error;
  }
  return cluster;
}
