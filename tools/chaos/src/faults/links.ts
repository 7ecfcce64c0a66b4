import { setTimeout as sleep } from 'node:timers/promises';
import type { Link } from '../cluster/link.ts';
import { chosen, type Fault, inSeconds } from './fault.ts';
import type { PlannedFault } from './plan.ts';
import { pairOf } from './postgres.ts';

const DELAY_MAX_MS = 250;

function breaking(breakIt: (link: Link, planned: PlannedFault) => void): Fault {
  return {
    touches: (planned, { links }) => chosen(planned, links).map(({ name }) => name),
    run: async (planned, cluster) => {
      const links = chosen(planned, cluster.links);
      for (const link of links) breakIt(link, planned);
      await sleep(planned.holdMs);
      await Promise.all(links.map((link) => link.mend()));
      return `${links.map(({ name }) => name).join(', ')} for ${inSeconds(planned.holdMs)}`;
    },
  };
}

/** A server, or all, cannot reach the database: connections are refused. */
export const cut = breaking((link) => link.cut());

/** Nothing arrives any more and nothing says so; what was connected stays so for good. */
export const silent = breaking((link) => link.stall());

/** Everything arrives late. */
export const slow = breaking((link, { size }) => link.slow(Math.ceil(size * DELAY_MAX_MS)));

/** The standby cannot reach its primary: commits wait. */
export const replicationCut: Fault = {
  touches: () => ['replication'],
  run: async ({ holdMs, isForAll }, cluster) => {
    const { replication } = pairOf(cluster);
    if (isForAll) replication.stall();
    else replication.cut();
    await sleep(holdMs);
    await replication.mend();
    return `${isForAll ? 'silent ' : ''}for ${inSeconds(holdMs)}`;
  },
};

/** Every connection of every client breaks at once, whatever was under way. */
export const clientsCutOff: Fault = {
  touches: () => [],
  run: async (_, { balancer }) => {
    await balancer.cut();
    return 'all connections';
  },
};
