import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '@roster/harness/server';
import type { Cluster } from '../cluster/cluster.ts';
import { type Fault, indexOf, inSeconds } from './fault.ts';
import type { PlannedFault } from './plan.ts';

function serverOf(planned: PlannedFault, { servers }: Cluster): Server {
  return servers[indexOf(planned, servers.length)] as Server;
}

const touches: Fault['touches'] = (planned, cluster) => [serverOf(planned, cluster).name];

/** kill -9, and a start some time later. */
export const killed: Fault = {
  touches,
  run: async (planned, cluster) => {
    const server = serverOf(planned, cluster);
    await server.kill();
    await sleep(planned.holdMs / 4);
    await server.start();
    return server.name;
  },
};

/** SIGSTOP, and SIGCONT some time later: a machine that stood still. */
export const paused: Fault = {
  touches,
  run: async (planned, cluster) => {
    const server = serverOf(planned, cluster);
    server.pause();
    await sleep(planned.holdMs);
    server.resume();
    return `${server.name} for ${inSeconds(planned.holdMs)}`;
  },
};

/** SIGTERM, and a start once it has ended: one step of a rolling upgrade. */
export const restarted: Fault = {
  touches,
  run: async (planned, cluster) => {
    const server = serverOf(planned, cluster);
    await server.drain();
    await server.start();
    return server.name;
  },
};

const NEXT_RELEASE = new URL('../../../../packages/db/src/testing/next-release.ts', import.meta.url).href;

/**
 * SIGTERM, and a start of the next release: the same program with more migrations, which the first one makes. Other faults start the
 * old release again, as after a process that ended in the middle of an upgrade.
 */
export const upgraded: Fault = {
  touches,
  run: async (planned, cluster) => {
    const server = serverOf(planned, cluster);
    await server.drain();
    await server.start({ flags: ['--import', NEXT_RELEASE] });
    const hasMigrated = (await readFile(server.log, 'utf8')).includes('migrated: 9999-example-index');
    return `${server.name}${hasMigrated ? ', which migrated' : ''}`;
  },
};

/** Well within the day that an Idempotency-Key is known for. */
const SHIFT_MAX_MS = 2 * 60 * 60 * 1_000;
const BACK = 0.25;

/** The clock of a server jumps, and stays so until it jumps again; a quarter of the jumps lead back. */
export const clockStepped: Fault = {
  touches,
  run: async (planned, cluster) => {
    const server = serverOf(planned, cluster);
    // Small steps as often as large ones, both ways.
    const sign = planned.isForAll ? -1 : 1;
    const offsetMs = planned.size < BACK ? 0 : Math.round(sign * SHIFT_MAX_MS ** planned.size);
    server.shiftClock(offsetMs);
    return `${server.name} to ${offsetMs < 0 ? '' : '+'}${inSeconds(offsetMs)}`;
  },
};
