import type { Cluster } from '../cluster/cluster.ts';

/** What is decided of a fault before anything runs. */
export interface Draw {
  number: number;
  /** Not before so many milliseconds of the run. */
  atMs: number;
  /** Whether it need not wait for the end of the one before it. */
  isBeside: boolean;
  /** How long it lasts, where its kind has a length. */
  holdMs: number;
  /** Which of several things, as a part of their number, from 0 up to 1. */
  which: number;
  /** Whether it meets all of them. */
  isForAll: boolean;
  /** How bad it is, from 0 to 1. */
  size: number;
}

/** A kind of fault. */
export interface Fault {
  /** How often it is made, compared with the others. */
  weight: number;
  /** The parts of the deployment that nothing else may break or mend meanwhile. */
  touches(draw: Draw, cluster: Cluster): string[];
  /** Breaks something, waits, and mends it; done when it is whole again. Returns what it did, in words. */
  run(draw: Draw, cluster: Cluster): Promise<string>;
}

/** The one thing of some that a fault meets; none of none. */
export function oneOf<Item>({ which }: Draw, items: readonly Item[]): Item[] {
  const index = Math.floor(which * items.length);
  return items.slice(index, index + 1);
}

/** The one thing, or all, that a fault meets. */
export function someOf<Item>(draw: Draw, items: readonly Item[]): Item[] {
  return draw.isForAll ? [...items] : oneOf(draw, items);
}

/** A length of time for people. */
export function inSeconds(timeMs: number): string {
  return `${(timeMs / 1_000).toFixed(1)} s`;
}
