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
  /** One of some names, as often as their weights say. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
  /** Another source of decisions that depends on the seed and on the name alone, not on what was drawn before. */
  fork(name: string): Random;
}

/** A number for a text (FNV-1a), so that sources of decisions can have names. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}

/** The source of all decisions for a seed. */
export function randomOf(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  const between = (least: number, most: number) => uniformInt(generator, least, most);
  return {
    between,
    chance: (often) => between(0, 999_999) < often * 1_000_000,
    pick: <Item>(items: readonly Item[]) => {
      if (items.length === 0) throw new RangeError('there is nothing to pick from');
      return items[between(0, items.length - 1)] as Item;
    },
    weighted: <Name extends string>(weights: Readonly<Record<Name, number>>) => {
      const names = Object.keys(weights) as Name[];
      let drawn = between(
        1,
        names.reduce((sum, name) => sum + weights[name], 0),
      );
      for (const name of names) {
        drawn -= weights[name];
        if (drawn <= 0) return name;
      }
      throw new RangeError('no name has a weight');
    },
    fork: (name) => randomOf(hashOf(`${seed} ${name}`)),
  };
}
