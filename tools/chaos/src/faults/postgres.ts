import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@roster/harness/until';
import type { TestPostgres } from '@roster/local-postgres/testing/standby';
import type { Cluster } from '../cluster/cluster.ts';
import { DatabasePair, signalAll } from '../cluster/database.ts';
import { PatroniCluster } from '../cluster/patroni.ts';
import { type Draw, type Fault, inSeconds, oneOf, someOf } from './fault.ts';

const LOOK_EVERY_MS = 50;
const QUERY_MS = 1_000;
const PATIENT_QUERY_MS = 10_000;

/** The databases that the suite promotes by itself. */
export function pairOf({ database }: Pick<Cluster, 'database'>): DatabasePair {
  if (database instanceof DatabasePair) return database;
  throw new Error('Patroni holds the databases');
}

/** Waits until it responds; starts it where it has ended, as a supervisor would. */
async function revive(postgres: TestPostgres): Promise<void> {
  const start = async () => {
    // What a killed one left behind, its shared memory for a moment, makes the next one fail.
    if ((await postgres.processes()).length === 0) await postgres.start();
    return await postgres.query('select 1', QUERY_MS);
  };
  await until(`${postgres.name} responds`, start, { everyMs: LOOK_EVERY_MS });
}

/** A fault of one PostgreSQL, which responds again at its end. */
function onPostgres(
  weight: number,
  act: (postgres: TestPostgres, draw: Draw, cluster: Cluster) => Promise<string>,
  role: 'primary' | 'standby' = 'primary',
): Fault {
  return {
    weight,
    touches: () => [role],
    run: async (draw, cluster) => {
      const postgres = pairOf(cluster)[role];
      const what = await act(postgres, draw, cluster);
      await revive(postgres);
      return what;
    },
  };
}

/** kill -9 of the whole of it, and a start after a part of the time. */
const killFor = (part: number) => async (postgres: TestPostgres, draw: Draw) => {
  await postgres.kill('SIGKILL');
  await sleep(draw.holdMs * part);
  return `for ${inSeconds(draw.holdMs * part)}`;
};

/** The sessions of the service. */
async function sessionsOf(primary: TestPostgres): Promise<number[]> {
  const query = `select pid from pg_stat_activity where application_name like 'roster%' order by pid`;
  return (await primary.query<{ pid: number }>(query, PATIENT_QUERY_MS)).map(({ pid }) => pid);
}

export const postgresFaults = {
  'PostgreSQL killed': onPostgres(8, killFor(1 / 4)),
  /** kill -9 of one of its processes, which makes PostgreSQL end all sessions and recover. */
  'backend killed': onPostgres(6, async (primary, draw) => {
    const [, ...children] = await primary.processes();
    signalAll(oneOf(draw, children), 'SIGKILL');
    await sleep(LOOK_EVERY_MS);
    return `one of ${children.length} processes`;
  }),
  /** One session is ended, or all: what an operator or a fail-over of a managed database does. */
  'backends terminated': onPostgres(6, async (primary, draw) => {
    const pids = someOf(draw, await sessionsOf(primary));
    const query = `select pg_terminate_backend(pid) from unnest(array[${pids}]::int[]) as pid`;
    await primary.query(query, PATIENT_QUERY_MS);
    return `${pids.length} sessions`;
  }),
  /** One session stands still while the others go on. */
  'backend paused': onPostgres(6, async (primary, draw) => {
    const pids = oneOf(draw, await sessionsOf(primary));
    // Sometimes beyond what the service waits for a response.
    const holdMs = draw.holdMs * 2;
    signalAll(pids, 'SIGSTOP');
    await sleep(holdMs);
    signalAll(pids, 'SIGCONT');
    return `one session for ${inSeconds(holdMs)}`;
  }),
  /** The whole primary stands still. */
  'PostgreSQL paused': onPostgres(5, async (primary, { holdMs }) => {
    await primary.pause();
    await sleep(holdMs);
    await primary.resume();
    return `for ${inSeconds(holdMs)}`;
  }),
  /** Nothing can be written where the primary has its data; then there is room again. */
  'disk full': onPostgres(6, async (primary, { holdMs }, { disks }) => {
    const disk = disks.find(({ path }) => primary.directory.startsWith(path));
    if (disk === undefined) throw new Error('the primary has no disk of its own');
    await disk.fill();
    await sleep(holdMs);
    const hasEnded = (await primary.processes()).length === 0;
    await disk.free();
    return `for ${inSeconds(holdMs)}${hasEnded ? ', which ended PostgreSQL' : ''}`;
  }),
  /** Commits wait until it is back. */
  'standby killed': onPostgres(5, killFor(1 / 2), 'standby'),
  /**
   * The primary is lost and its standby promoted, which becomes the standby of a new one. Only a standby that has all of
   * a running primary is promoted: a primary that was started again shows what it had not yet sent to its standby when it
   * was killed, and PostgreSQL does not wait for that. This is the rule of every tool that promotes by itself.
   */
  'standby promoted': {
    weight: 8,
    touches: () => ['primary', 'standby', 'replication'],
    run: async (_, cluster) => {
      const database = pairOf(cluster);
      await database.untilInSync();
      const startMs = performance.now();
      await database.promote();
      // As a proxy does that asks each node whether it is the primary.
      for (const { proxy } of cluster.links) proxy.aim(database.primary.connection);
      const promotedMs = performance.now() - startMs;
      await database.replaceStandby();
      return `in ${inSeconds(promotedMs)}, new standby after ${inSeconds(performance.now() - startMs)}`;
    },
  },
  /** The leader is lost, and Patroni promotes the standby when its time to live is over. */
  'leader lost': {
    weight: 8,
    touches: () => ['primary'],
    run: async (_, { database }) => {
      if (!(database instanceof PatroniCluster)) throw new Error('Patroni does not hold the databases');
      return database.loseLeader();
    },
  },
} satisfies Record<string, Fault>;
