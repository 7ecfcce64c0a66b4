import { type Collection, forEachCollection, type Seen } from '../history.ts';
import type { Random } from '../random.ts';

/** A record as some client last saw it. */
interface KnownRecord {
  id: string;
  version: number;
}

/** The records that all clients know of, some of which they crowd around. */
export interface Known {
  /** One of them; undefined while there are none. */
  pick(random: Random, collection: Collection, isDeleted?: boolean): KnownRecord | undefined;
  saw(collection: Collection, seen: Seen): void;
  isGone(collection: Collection, id: string): void;
}

/** How often a pick falls on one of the newest few, where clients meet. */
const CROWDED = 0.35;
const CROWD = 12;
/** Older ones are left alone, so that what is read is not spread too thin to be changed meanwhile. */
const REMEMBERED = 2_000;

interface Kept {
  ids: string[];
  versions: Map<string, number>;
  gone: string[];
}

export function createKnown(): Known {
  const empty = (): Kept => ({ ids: [], versions: new Map(), gone: [] });
  const kept = forEachCollection(empty);
  return {
    pick: (random, collection, isDeleted = false) => {
      const { ids, versions, gone } = kept[collection];
      const from = isDeleted && gone.length > 0 ? gone : ids;
      if (from.length === 0) return undefined;
      const id = random.pick(random.chance(CROWDED) ? from.slice(-CROWD) : from);
      return { id, version: versions.get(id) ?? 1 };
    },
    saw: (collection, { record, version }) => {
      const { ids, versions } = kept[collection];
      if (!versions.has(record)) ids.push(record);
      versions.set(record, Math.max(version, versions.get(record) ?? 0));
      if (ids.length > REMEMBERED) versions.delete(ids.shift() ?? '');
    },
    isGone: (collection, id) => {
      const { gone } = kept[collection];
      gone.push(id);
      if (gone.length > CROWD) gone.shift();
    },
  };
}
