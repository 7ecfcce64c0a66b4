import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@roster/harness/until';
import type { TestPostgres } from '@roster/local-postgres/testing/standby';
import type { Cluster } from '../cluster/cluster.ts';
import { DatabasePair, signalAll } from '../cluster/database.ts';
import { PatroniCluster } from '../cluster/patroni.ts';
import { chosen, type Fault, indexOf, inSeconds } from './fault.ts';

const PRIMARY = () => ['primary'];
const LOOK_EVERY_MS = 50;
const QUERY_MS = 1_000;

/** The databases that the suite promotes by itself. */
export function pairOf({ database }: Pick<Cluster, 'database'>): DatabasePair {
  if (database instanceof DatabasePair) return database;
  throw new Error('Patroni holds the databases');
}

/** Waits until it answers; starts it where it has ended, as a supervisor would. */
async function revive(postgres: TestPostgres): Promise<void> {
  const start = async () => {
    // What a killed one left behind, its shared memory for a moment, makes the next one fail.
    if ((await postgres.processes()).length === 0) await postgres.start();
    return await postgres.query('select 1', QUERY_MS);
  };
  await until(`${postgres.name} answers`, start, { everyMs: LOOK_EVERY_MS });
}

/** The sessions of the service. */
async function sessions(cluster: Cluster): Promise<number[]> {
  const query = `select pid from pg_stat_activity where application_name like 'roster%' order by pid`;
  const rows = await cluster.database.query<{ pid: number }>(query);
  return rows.map(({ pid }) => pid);
}

/** kill -9 of the whole primary, and a start some time later. */
export const killed: Fault = {
  touches: PRIMARY,
  run: async ({ holdMs }, cluster) => {
    const { primary } = pairOf(cluster);
    await primary.kill('SIGKILL');
    await sleep(holdMs / 4);
    await revive(primary);
    return 'primary';
  },
};

/** kill -9 of one of its processes, which makes PostgreSQL end all sessions and recover. */
export const backendKilled: Fault = {
  touches: PRIMARY,
  run: async (planned, cluster) => {
    const { primary } = pairOf(cluster);
    const [, ...children] = await primary.processes();
    const pid = children[indexOf(planned, children.length)];
    if (pid !== undefined) signalAll([pid], 'SIGKILL');
    await sleep(LOOK_EVERY_MS);
    await revive(primary);
    return `one of ${children.length} processes`;
  },
};

/** One session is ended, or all: what an operator or a fail-over of a managed database does. */
export const backendsTerminated: Fault = {
  touches: PRIMARY,
  run: async (planned, cluster) => {
    const pids = chosen(planned, await sessions(cluster));
    const query = `select pg_terminate_backend(pid) from unnest(array[${pids}]::int[]) as pid`;
    await cluster.database.query(query);
    return `${pids.length} sessions`;
  },
};

/** One session stands still while the others go on. */
export const backendPaused: Fault = {
  touches: PRIMARY,
  run: async (planned, cluster) => {
    const pids = await sessions(cluster);
    const pid = pids[indexOf(planned, pids.length)];
    // Sometimes beyond what the service waits for an answer.
    const holdMs = planned.holdMs * 2;
    if (pid !== undefined) signalAll([pid], 'SIGSTOP');
    await sleep(holdMs);
    if (pid !== undefined) signalAll([pid], 'SIGCONT');
    return `one session for ${inSeconds(holdMs)}`;
  },
};

/** The whole primary stands still. */
export const paused: Fault = {
  touches: PRIMARY,
  run: async ({ holdMs }, cluster) => {
    const { primary } = pairOf(cluster);
    await primary.pause();
    await sleep(holdMs);
    await primary.resume();
    await revive(primary);
    return `primary for ${inSeconds(holdMs)}`;
  },
};

/** Nothing can be written where the primary has its data; then there is room again. */
export const diskFull: Fault = {
  touches: PRIMARY,
  run: async ({ holdMs }, cluster) => {
    const { primary } = pairOf(cluster);
    const disk = cluster.disks.find(({ path }) => primary.directory.startsWith(path));
    if (disk === undefined) throw new Error('the primary has no disk of its own');
    await disk.fill();
    await sleep(holdMs);
    const hasEnded = (await primary.processes()).length === 0;
    await disk.free();
    await revive(primary);
    return `for ${inSeconds(holdMs)}${hasEnded ? ', which ended PostgreSQL' : ''}`;
  },
};

/** kill -9 of the standby: commits wait until it is back. */
export const standbyKilled: Fault = {
  touches: () => ['standby'],
  run: async ({ holdMs }, cluster) => {
    const { standby } = pairOf(cluster);
    await standby.kill('SIGKILL');
    await sleep(holdMs / 2);
    await revive(standby);
    return `for ${inSeconds(holdMs / 2)}`;
  },
};

/**
 * The primary is lost and its standby promoted, which becomes the standby of a new one. Only a standby that has all of
 * a running primary is promoted: a primary that was started again shows what it had not yet sent to its standby when it
 * was killed, and PostgreSQL does not wait for that. This is the rule of every tool that promotes by itself.
 */
export const promoted: Fault = {
  touches: () => ['primary', 'standby', 'replication'],
  run: async (_, cluster) => {
    const database = pairOf(cluster);
    await database.untilInSync();
    const startMs = performance.now();
    let promotedMs = 0;
    await database.failOver(() => {
      promotedMs = performance.now() - startMs;
    });
    return `in ${inSeconds(promotedMs)}, new standby after ${inSeconds(performance.now() - startMs)}`;
  },
};

/** The leader is lost, and Patroni promotes the standby when its time to live is over. */
export const leaderLost: Fault = {
  touches: PRIMARY,
  run: async (_, { database }) => {
    if (!(database instanceof PatroniCluster)) throw new Error('Patroni does not hold the databases');
    return database.loseLeader();
  },
};
