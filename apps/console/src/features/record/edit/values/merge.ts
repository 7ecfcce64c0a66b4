import type { FieldContract } from '../../../../api/contract/types.ts';
import { isEqual, type Json, valueIn } from './form-values.ts';

export interface Clash {
  /** The field, and the part of it or its item: `phone`, `address.city`, `licenses.AMI-1.expiresOn`. */
  path: string;
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

export type Choice = 'mine' | 'theirs';

export type Choices = Readonly<Record<string, Choice>>;

export interface Merged {
  values: Record<string, unknown>;
  /** The fields that only a person can decide. Without a choice my value counts. */
  clashes: Clash[];
  /** The fields that others changed and I did not, or to the same value. */
  taken: string[];
}

interface Three {
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

class Merger {
  readonly clashes: Clash[] = [];
  readonly #choices: Choices;

  constructor(choices: Choices) {
    this.#choices = choices;
  }

  atom(path: string, three: Three): unknown {
    const { base, mine, theirs } = three;
    if (isEqual(mine, theirs) || isEqual(mine, base)) return theirs;
    if (isEqual(theirs, base)) return mine;
    this.clashes.push({ path, ...three });
    return this.#choices[path] === 'theirs' ? theirs : mine;
  }

  /** The members of an object, each by itself. An absent one is undefined, and stays absent. */
  members(
    path: string,
    { base, mine, theirs }: Three,
    merge = this.atom.bind(this),
  ): Record<string, unknown> {
    const [was, own, other] = [base, mine, theirs].map((one) => (one ?? {}) as Json) as [Json, Json, Json];
    const names = new Set([...Object.keys(other), ...Object.keys(own), ...Object.keys(was)]);
    const merged = [...names].map((name): [string, unknown] => {
      const three = { base: was[name], mine: own[name], theirs: other[name] };
      return [name, merge(`${path}.${name}`, three)];
    });
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  }

  /** A list of texts as a set: what either added is there, what either removed is not. Their order counts. */
  texts(path: string, { base, mine, theirs }: Three): unknown {
    const [was, own, other] = [base, mine, theirs] as [string[], string[], string[]];
    const [inBase, inMine, inTheirs] = [new Set(was), new Set(own), new Set(other)];
    // Only an order was changed, or an item is there twice: that cannot be merged by items.
    const isOrder = (list: string[], set: Set<string>) =>
      list.length !== set.size || (set.size === inBase.size && list.every((item) => inBase.has(item)));
    if (was.length !== inBase.size || isOrder(own, inMine) || isOrder(other, inTheirs))
      return this.atom(path, { base, mine, theirs });
    const kept = other.filter((item) => inMine.has(item) || !inBase.has(item));
    return [...kept, ...own.filter((item) => !inTheirs.has(item) && !inBase.has(item))];
  }

  /** A list of objects by what each is known by: items are merged part by part. */
  items(path: string, three: Three, keyOf: (item: Json) => string): unknown {
    const lists = [three.base, three.mine, three.theirs].map((list) => {
      const items = list as Json[];
      return { items, byKey: new Map(items.map((item) => [keyOf(item), item])) };
    });
    // An item that is there twice has no one to be compared with.
    if (lists.some(({ items, byKey }) => byKey.size !== items.length)) return this.atom(path, three);
    const [base, mine, theirs] = lists.map(({ byKey }) => Object.fromEntries(byKey));
    const merged = this.members(path, { base, mine, theirs }, (itemPath, item) =>
      [item.base, item.mine, item.theirs].includes(undefined)
        ? this.atom(itemPath, item)
        : this.members(itemPath, item),
    );
    return Object.values(merged);
  }
}

const keys: Readonly<Record<string, (item: Json) => string>> = {
  licenses: ({ number, region }) => [number, region].filter(Boolean).join(' '),
};

function referenceKey({ parts = [] }: FieldContract): ((item: Json) => string) | undefined {
  const part = parts.find(({ refersTo }) => refersTo !== undefined);
  return part && ((item) => String(item[part.name]));
}

function mergeField(merger: Merger, field: FieldContract, three: Three): unknown {
  const { name, kind } = field;
  if (isEqual(three.mine, three.theirs) || isEqual(three.mine, three.base)) return three.theirs;
  if (isEqual(three.theirs, three.base)) return three.mine;
  const keyOf = keys[name] ?? referenceKey(field);
  if (kind === 'records' && keyOf !== undefined) return merger.items(name, three, keyOf);
  if (kind === 'list') return merger.texts(name, three);
  if (kind === 'map') return merger.members(name, three);
  // The parts of a source are one name, those of an address are not. All of one or nothing is a decision about the whole.
  const isWhole = name === 'source' || [three.base, three.mine, three.theirs].includes(null);
  return kind === 'object' && !isWhole ? merger.members(name, three) : merger.atom(name, three);
}

/**
 * Merges my changes of a record with those that others have made since I read it. Fields, parts of objects, items of lists and
 * their parts that only one of us has changed are taken; what both have changed to different values is a clash.
 *
 * @param base the record as I read it
 * @param mine my values of the fields that I changed, by name
 * @param theirs the record as it is now
 * @param choices decides clashes
 */
export function mergeRecords(
  fields: readonly FieldContract[],
  { base, mine, theirs }: { base: Json; mine: Json; theirs: Json },
  choices: Choices = {},
): Merged {
  const merger = new Merger(choices);
  const values: Record<string, unknown> = {};
  const taken: string[] = [];
  for (const field of fields) {
    const was = valueIn(field, base);
    const is = valueIn(field, theirs);
    if (!isEqual(was, is)) taken.push(field.name);
    if (!(field.name in mine)) continue;
    const three = { base: was, mine: mine[field.name], theirs: is };
    values[field.name] = mergeField(merger, field, three);
  }
  const clashing = new Set(merger.clashes.map(({ path }) => path.split('.', 1)[0]));
  return { values, clashes: merger.clashes, taken: taken.filter((name) => !clashing.has(name)) };
}
