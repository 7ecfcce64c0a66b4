import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHaproxy } from '@roster/harness/haproxy';
import { KEY, Server } from '@roster/harness/server';
import { until } from '@roster/harness/until';
import { missing, type Seen, startLoad } from './callers.ts';
import { missingPackages, type PatroniCluster, startPatroni } from './failover/patroni.ts';

/**
 * Loses the leader of a cluster under load, and counts what is lost with it. Two servers behind HAProxy (`deploy/haproxy.cfg`) write
 * over PgBouncer to two nodes of PostgreSQL that Patroni holds (`deploy/patroni`), one of them the synchronous standby of the
 * other. All processes of the leader are killed; Patroni promotes the standby.
 *
 * Fails if a program is not installed, if an acknowledged change is missing or has two events, if a reader of the log missed one, if
 * an answer was an error other than 503 with Retry-After, or if writing did not go on within the time to live of the leader and
 * half a minute.
 */

const WRITERS = 6;
/** Of a call: more than there are in an outage. */
const ATTEMPTS = 1_000;
const LOAD_MS = 5_000;
const RECOVERY_MAX_MS = 30_000;
const LOOK_EVERY_MS = 50;

const say = (text: string) => void process.stdout.write(`${text}\n`);
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** The longest time without an acknowledged write. */
function longestPause({ acknowledged }: Seen): number {
  const times = [...acknowledged.values()].sort((one, other) => one - other);
  return times.reduce((longest, time, index) => Math.max(longest, time - (times[index - 1] ?? time)), 0);
}

/** Writes through HAProxy, loses the leader, and writes on until that goes on. */
async function loseLeader(cluster: PatroniCluster, directory: string): Promise<Seen> {
  await using begun = new AsyncDisposableStack();
  const servers = ['server-1', 'server-2'].map((name) =>
    begun.use(new Server({ name, databaseUrl: cluster.url, log: join(directory, `${name}.log`) })),
  );
  for (const server of servers) await server.start();
  const ports = servers.map(({ port }) => port);
  const balancer = begun.use(await startHaproxy(ports, directory));
  const url = `http://127.0.0.1:${balancer.port}`;
  const load = startLoad({ url, key: KEY, callers: WRITERS, attempts: ATTEMPTS });
  const { seen } = load;
  await sleep(LOAD_MS);
  const leader = await cluster.leader();
  const killedMs = performance.now();
  await leader.lose();
  say(`${leader.name} was the leader; all its processes are killed.`);
  const goesOn = async () => [...seen.acknowledged.values()].some((time) => time > killedMs + LOAD_MS);
  const withinMs = cluster.ttlSeconds * 1_000 + RECOVERY_MAX_MS;
  await until('writing goes on', goesOn, { withinMs, everyMs: LOOK_EVERY_MS });
  await sleep(LOAD_MS);
  await load.stop();
  return seen;
}

/** Compares what was acknowledged with the log of the database and what a reader has followed; returns what is wrong. */
async function judge(cluster: PatroniCluster, seen: Seen): Promise<string[]> {
  const changes = [...seen.acknowledged.keys()];
  const rows = await cluster.query<{ change: string; events: number }>(
    `select subject_id || ' ' || version as change, count(*)::int as events from event group by 1`,
  );
  const events = new Map(rows.map((row) => [row.change, row.events]));
  const kept = changes.filter((change) => events.has(change)).length;
  const once = changes.filter((change) => events.get(change) === 1).length;
  const missed = missing(seen).length;
  const pause = longestPause(seen);
  say(
    `${kept} of ${changes.length} acknowledged changes kept, ${once} of them with one event, ${missed} missed by a reader ` +
      `of the log; ${seconds(pause)} without writes at a time to live of ${cluster.ttlSeconds} s.`,
  );
  return [
    ...new Set(seen.failures),
    ...(kept < changes.length ? ['acknowledged changes are lost'] : []),
    ...(once < kept ? ['changes have two events'] : []),
    ...(missed > 0 ? ['a reader of the log missed events'] : []),
  ];
}

const absent = await missingPackages();
if (absent.length > 0) {
  process.stderr.write(
    `This runs against Patroni, etcd, PostgreSQL, PgBouncer and HAProxy. On Debian:\n\n  apt-get install ${absent.join(' ')}\n`,
  );
  process.exit(1);
}
const directory = await mkdtemp(join(tmpdir(), 'roster-failover-'));
await chmod(directory, 0o755);
try {
  await using cluster = await startPatroni(join(directory, 'cluster'));
  const faults = await judge(cluster, await loseLeader(cluster, directory));
  for (const fault of faults) say(`FAULT: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
} catch (error) {
  say(`FAULT: ${error}`);
  process.exitCode = 1;
}
if (process.exitCode === 1) say(`The logs of all are in ${directory}.`);
else await rm(directory, { recursive: true, force: true });
