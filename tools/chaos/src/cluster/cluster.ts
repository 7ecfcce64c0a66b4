import { chmod, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createRosterClient, type RosterClient } from '@roster/client';
import { type Balancer, startBalancer } from '@roster/harness/balancer';
import { hasHaproxy, startHaproxy } from '@roster/harness/haproxy';
import { KEY, Server } from '@roster/harness/server';
import { type DatabaseProxy, freePort, startProxy } from '@roster/local-postgres/testing/proxy';
import { DatabasePair } from './database.ts';
import { type Disk, mountDisk } from './disk.ts';
import { PatroniCluster } from './patroni.ts';

/** The way from one process to its PostgreSQL. */
export interface Link {
  name: string;
  proxy: DatabaseProxy;
}

/** A whole deployment on this machine: processes and links, each of which can be broken. */
export interface Cluster {
  servers: Server[];
  /** From each server to the primary. */
  links: Link[];
  database: DatabasePair | PatroniCluster;
  /** One for each PostgreSQL where file systems may be mounted here; else none. */
  disks: Disk[];
  balancer: Balancer;
  /** Of the suite itself; it repeats for a minute what may be repeated. */
  client: RosterClient;
}

export interface ClusterOptions {
  /** Where everything of this run is kept. */
  directory: string;
  servers: number;
  /** The kinds of faults that are to be possible. */
  kinds: readonly string[];
  /** Whether Patroni holds the PostgreSQL; else the suite promotes by itself. */
  isPatroni: boolean;
}

const DISK_MIB = 1_024;
const ATTEMPTS = 25;
const TIMEOUT_MS = 8_000;

/** None where this process may not mount file systems: it may as root on Linux, outside most containers. */
async function mountDisks({ directory, kinds }: ClusterOptions): Promise<Disk[]> {
  const paths = kinds.includes('disk full') ? ['disk-0', 'disk-1'].map((name) => join(directory, name)) : [];
  return Promise.all(paths.map((path) => mountDisk(path, DISK_MIB))).catch(() => []);
}

/** Ends the processes of a deployment, and keeps what PostgreSQL said and holds beside the logs of the servers. */
export async function keepEvidence({ servers, database }: Cluster, directory: string): Promise<void> {
  await Promise.all(servers.map((server) => server.kill()));
  // The logs of Patroni's cluster are in the directory.
  if (database instanceof PatroniCluster) return;
  for (const one of [database.primary, database.standby]) {
    await database.keepLog(one);
    await one.kill('SIGINT');
    await cp(one.directory, join(directory, `kept-${one.name}`), { recursive: true });
  }
}

/** Starts the databases, the links, the servers and the balancer; all of them answer, and end with the stack. */
export async function startCluster(options: ClusterOptions, stack: AsyncDisposableStack): Promise<Cluster> {
  const { directory, isPatroni } = options;
  await chmod(directory, 0o755);
  const disks = await mountDisks(options);
  for (const disk of disks) stack.use(disk);
  const dataDirs = [0, 1].map((index) => disks[index]?.path ?? join(directory, `data-${index}`));
  for (const path of dataDirs) await mkdir(path, { recursive: true });
  const database = stack.use(
    isPatroni
      ? await PatroniCluster.start(join(directory, 'patroni'))
      : await DatabasePair.start(dataDirs, directory),
  );
  const links: Link[] = [];
  const servers: Server[] = [];
  for (let index = 0; index < options.servers; index += 1) {
    let databaseUrl: string;
    if (database instanceof PatroniCluster) databaseUrl = database.url;
    else {
      const proxy = stack.use(await startProxy(database.primary));
      links.push({ name: `link ${index}`, proxy });
      databaseUrl = `postgres://test@127.0.0.1:${proxy.connection.port}/test`;
    }
    const server = new Server({
      name: `server ${index}`,
      port: await freePort(),
      databaseUrl,
      settings: {
        ROSTER_WEBHOOK_ALLOW_PRIVATE: 'true',
        // Several times what lies between two looks of the balancer.
        ROSTER_DRAIN_DELAY_MS: '1500',
      },
      log: join(directory, `server-${index}.log`),
      hasClock: true,
    });
    stack.defer(async () => void (await server.kill()));
    servers.push(server);
  }
  await Promise.all(servers.map((server) => server.start()));
  const ports = servers.map(({ port }) => port);
  const balancer = stack.use(
    (await hasHaproxy()) ? await startHaproxy(ports, directory) : await startBalancer(ports),
  );
  const at = `http://127.0.0.1:${balancer.port}`;
  const client = createRosterClient({ url: at, key: KEY, attempts: ATTEMPTS, timeoutMs: TIMEOUT_MS });
  return { servers, links, database, disks, balancer, client };
}
