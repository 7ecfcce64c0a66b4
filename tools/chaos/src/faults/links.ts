import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseProxy } from '@roster/local-postgres/testing/proxy';
import type { Cluster, Link } from '../cluster/cluster.ts';
import { type Draw, type Fault, inSeconds, someOf } from './fault.ts';
import { pairOf } from './postgres.ts';

const DELAY_MAX_MS = 250;

interface LinkFault {
  weight: number;
  /** Those that it meets: of the servers, one or all, unless given. */
  linksOf?: (draw: Draw, cluster: Cluster) => Link[];
  breakIt: (proxy: DatabaseProxy, draw: Draw) => void;
}

/** A fault of links to PostgreSQL. */
function onLinks({ weight, linksOf = (draw, { links }) => someOf(draw, links), breakIt }: LinkFault): Fault {
  return {
    weight,
    touches: (draw, cluster) => linksOf(draw, cluster).map(({ name }) => name),
    run: async (draw, cluster) => {
      const links = linksOf(draw, cluster);
      for (const { proxy } of links) breakIt(proxy, draw);
      await sleep(draw.holdMs);
      await Promise.all(links.map(({ proxy }) => proxy.mend()));
      return `${links.map(({ name }) => name).join(', ')} for ${inSeconds(draw.holdMs)}`;
    },
  };
}

export const linkFaults = {
  /** A server, or all, cannot reach the database: connections are refused. */
  'link cut': onLinks({ weight: 10, breakIt: (proxy) => proxy.cut() }),
  /** Nothing arrives any more and nothing says so; what was connected stays so for good. */
  'link silent': onLinks({ weight: 5, breakIt: (proxy) => proxy.stall() }),
  /** Everything arrives late. */
  'link slow': onLinks({
    weight: 7,
    breakIt: (proxy, { size }) => proxy.slow(Math.ceil(size * DELAY_MAX_MS)),
  }),
  /** The standby cannot reach its primary, cut off or in silence: commits wait. */
  'replication cut': onLinks({
    weight: 5,
    linksOf: (_, cluster) => [{ name: 'replication', proxy: pairOf(cluster).replication }],
    breakIt: (proxy, { isForAll }) => (isForAll ? proxy.stall() : proxy.cut()),
  }),
  /** Every connection of every client breaks at once, whatever was under way. */
  'clients cut off': {
    weight: 6,
    touches: () => [],
    run: async (_, { balancer }) => {
      await balancer.cut();
      return 'all connections';
    },
  },
} satisfies Record<string, Fault>;
