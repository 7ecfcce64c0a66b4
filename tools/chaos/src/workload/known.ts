import { type Collection, forEachCollection, type Seen } from '../history.ts';
import type { Random } from '../random.ts';

/** A record as some client last saw it. */
interface KnownRecord {
  id: string;
  version: number;
}

/** All records, or some of those that were deleted or merged lately. */
type Among = 'all' | 'deleted' | 'merged';

/** The records that all clients know of, some of which they crowd around. */
export interface Known {
  /** One of them; undefined while there are none. */
  pick(random: Random, collection: Collection, among?: Among): KnownRecord | undefined;
  saw(collection: Collection, seen: Seen): void;
  /** One was deleted, or merged into another one. */
  isGone(collection: Collection, id: string, how: Exclude<Among, 'all'>): void;
}

/** How often a pick falls on one of the newest few, where clients meet. */
const CROWDED = 0.35;
const CROWD = 12;
/** Older ones are left alone, so that what is read is not spread too thin to be changed meanwhile. */
const REMEMBERED = 2_000;

interface Kept {
  ids: string[];
  versions: Map<string, number>;
  deleted: string[];
  merged: string[];
}

export function createKnown(): Known {
  const empty = (): Kept => ({ ids: [], versions: new Map(), deleted: [], merged: [] });
  const kept = forEachCollection(empty);
  return {
    pick: (random, collection, among = 'all') => {
      const { ids, versions, ...gone } = kept[collection];
      const from = among !== 'all' && gone[among].length > 0 ? gone[among] : ids;
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
    isGone: (collection, id, how) => {
      const gone = kept[collection][how];
      gone.push(id);
      if (gone.length > CROWD) gone.shift();
    },
  };
}
