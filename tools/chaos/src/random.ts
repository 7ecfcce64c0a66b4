import { crc32 } from 'node:zlib';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Decisions that are the same for the same seed. */
export interface Random {
  /** A whole number between two, both included. */
  between(least: number, most: number): number;
  /** Whether something happens that happens so often, from 0 to 1. */
  chance(often: number): boolean;
  /** One of some things, all alike. */
  pick<Item>(items: readonly Item[]): Item;
  /** One of some things, as often as their weights say. */
  weighted<Item>(items: readonly Item[], weightOf: (item: Item) => number): Item;
  /** Another source of decisions that depends on the seed and on the name alone, not on what was drawn before. */
  fork(name: string): Random;
}

/** The source of all decisions for a seed. */
export function randomOf(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  const between = (least: number, most: number) => uniformInt(generator, least, most);
  const pick = <Item>(items: readonly Item[]) => {
    if (items.length === 0) throw new RangeError('there is nothing to pick from');
    return items[between(0, items.length - 1)] as Item;
  };
  return {
    between,
    chance: (often) => between(0, 999_999) < often * 1_000_000,
    pick,
    weighted: (items, weightOf) => pick(items.flatMap((item) => Array(weightOf(item)).fill(item))),
    fork: (name) => randomOf(crc32(`${seed} ${name}`)),
  };
}
