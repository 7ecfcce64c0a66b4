import { chmod, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Balancer, startBalancer } from '@roster/harness/balancer';
import { hasHaproxy, startHaproxy } from '@roster/harness/haproxy';
import { KEY, Server } from '@roster/harness/server';
import { freePort } from '@roster/local-postgres/testing/proxy';
import { DatabasePair } from './database.ts';
import { type Disk, mountDisk } from './disk.ts';
import { type Link, openLink } from './link.ts';
import { PatroniCluster } from './patroni.ts';

/** A whole deployment on this machine: processes and links, each of which can be broken. */
export interface Cluster extends AsyncDisposable {
  servers: Server[];
  /** From each server to the databases. */
  links: Link[];
  database: DatabasePair | PatroniCluster;
  /** One for each PostgreSQL where file systems may be mounted here; else none. */
  disks: Disk[];
  balancer: Balancer;
  /** What every request carries. */
  key: string;
  /** Ends everything, and keeps what PostgreSQL said and holds beside the logs of the servers. */
  keepEvidence(): Promise<void>;
}

interface ClusterOptions {
  /** Where everything of this run is kept. */
  directory: string;
  servers: number;
  /** Whether each PostgreSQL is to have a file system of its own, where that is allowed. */
  hasDisks: boolean;
  /** Whether Patroni holds the PostgreSQL; else the suite promotes by itself. */
  isPatroni: boolean;
}

const DISK_MIB = 1_024;

/** None where this process may not mount file systems: it may as root on Linux, outside most containers. */
async function mountDisks({ directory, hasDisks }: ClusterOptions): Promise<Disk[]> {
  const paths = hasDisks ? ['disk-0', 'disk-1'].map((name) => join(directory, name)) : [];
  return Promise.all(paths.map((path) => mountDisk(path, DISK_MIB))).catch(() => []);
}

async function directoryFor(directory: string, disks: readonly Disk[], index: number): Promise<string> {
  const path = disks[index]?.path ?? join(directory, `data-${index}`);
  await mkdir(path, { recursive: true });
  return path;
}

async function keepEvidence({ servers, database }: Pick<Cluster, 'servers' | 'database'>, directory: string) {
  await Promise.all(servers.map((server) => server.kill()));
  // The logs of Patroni's cluster are in the directory.
  if (database instanceof PatroniCluster) return;
  await database.keepLogs();
  for (const one of [database.primary, database.standby]) {
    await one.kill('SIGINT');
    await cp(one.directory, join(directory, `kept-${one.name}`), { recursive: true });
  }
}

/** Starts the databases, the links, the servers and the balancer; all of them answer. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { directory, isPatroni } = options;
  await chmod(directory, 0o755);
  await using begun = new AsyncDisposableStack();
  const disks = await mountDisks(options);
  for (const disk of disks) begun.use(disk);
  const startPair = async () => {
    const [first, second] = [
      await directoryFor(directory, disks, 0),
      await directoryFor(directory, disks, 1),
    ];
    return DatabasePair.start({ dataDirs: [first, second], directory });
  };
  const database = begun.use(
    isPatroni ? await PatroniCluster.start(join(directory, 'patroni')) : await startPair(),
  );
  const links: Link[] = [];
  const servers: Server[] = [];
  for (let index = 0; index < options.servers; index += 1) {
    const isPair = database instanceof DatabasePair;
    const link = isPair ? await openLink(`link ${index}`, database.addresses) : undefined;
    if (link !== undefined) links.push(begun.use(link));
    const server = new Server({
      name: `server ${index}`,
      port: await freePort(),
      databaseUrl: isPair ? (link?.url ?? '') : database.url,
      settings: {
        ...(link && { DATABASE_REPLICA_URLS: link.urls.join(',') }),
        ROSTER_WEBHOOK_ALLOW_PRIVATE: 'true',
        // Several times what lies between two looks of the balancer.
        ROSTER_DRAIN_DELAY_MS: '1500',
      },
      log: join(directory, `server-${index}.log`),
      hasClock: true,
    });
    begun.defer(async () => void (await server.kill()));
    servers.push(server);
  }
  await Promise.all(servers.map((server) => server.start()));
  const ports = servers.map(({ port }) => port);
  const isHaproxy = await hasHaproxy();
  const balancer = begun.use(isHaproxy ? await startHaproxy(ports, directory) : await startBalancer(ports));
  const running = begun.move();
  return {
    servers,
    links,
    database,
    disks,
    balancer,
    key: KEY,
    keepEvidence: () => keepEvidence({ servers, database }, directory),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
