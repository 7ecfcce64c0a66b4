import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '@roster/harness/server';
import type { Cluster } from '../cluster/cluster.ts';
import { type Draw, type Fault, inSeconds, oneOf } from './fault.ts';

const NEXT_RELEASE = new URL('../../../../packages/db/src/testing/next-release.ts', import.meta.url).href;
/** Well within the day that an Idempotency-Key is known for. */
const SHIFT_MAX_MS = 2 * 60 * 60 * 1_000;
const BACK = 0.25;

/** A fault of one server; what is done to it may say more than its name. */
function onServer(weight: number, act: (server: Server, draw: Draw) => Promise<string | undefined>): Fault {
  const serverOf = (draw: Draw, { servers }: Cluster) => oneOf(draw, servers)[0] as Server;
  return {
    weight,
    touches: (draw, cluster) => [serverOf(draw, cluster).name],
    run: async (draw, cluster) => {
      const server = serverOf(draw, cluster);
      return `${server.name}${(await act(server, draw)) ?? ''}`;
    },
  };
}

export const serverFaults = {
  /** kill -9, and a start some time later. */
  'server killed': onServer(12, async (server, { holdMs }) => {
    await server.kill();
    await sleep(holdMs / 4);
    await server.start();
  }),
  /** SIGSTOP, and SIGCONT some time later: a machine that stood still. */
  'server paused': onServer(8, async (server, { holdMs }) => {
    server.pause();
    await sleep(holdMs);
    server.resume();
    return ` for ${inSeconds(holdMs)}`;
  }),
  /** SIGTERM, and a start once it has ended: one step of a rolling upgrade. */
  'server restarted': onServer(6, async (server) => {
    await server.drain();
    await server.start();
  }),
  /**
   * SIGTERM, and a start of the next release: the same program with more migrations, which the first one makes. Other faults start the
   * old release again, as after a process that ended in the middle of an upgrade.
   */
  'server upgraded': onServer(4, async (server) => {
    await server.drain();
    await server.start({ flags: ['--import', NEXT_RELEASE] });
    const hasMigrated = (await readFile(server.log, 'utf8')).includes('migrated: 9999-example-index');
    return hasMigrated ? ', which migrated' : '';
  }),
  /** The clock of a server jumps, and stays so until it jumps again; a quarter of the jumps lead back. */
  'clock stepped': onServer(8, async (server, { isForAll, size }) => {
    // Small steps as often as large ones, both ways.
    const offsetMs = size < BACK ? 0 : Math.round((isForAll ? -1 : 1) * SHIFT_MAX_MS ** size);
    server.shiftClock(offsetMs);
    return ` to ${offsetMs < 0 ? '' : '+'}${inSeconds(offsetMs)}`;
  }),
};
