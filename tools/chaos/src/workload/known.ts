import { type Collection, forEachCollection, type Seen } from '../history.ts';
import type { Random } from '../random.ts';

/** How often a pick falls on one of the newest few, where clients meet. */
const CROWDED = 0.35;
const CROWD = 12;
/** Older ones are left alone, so that what is read is not spread too thin to be changed meanwhile. */
const REMEMBERED = 2_000;

/** The records that all clients know of, some of which they crowd around. */
export class Known {
  readonly #kept = forEachCollection(() => ({
    all: [] as string[],
    versions: new Map<string, number>(),
    /** The latest few. */
    deleted: [] as string[],
    merged: [] as string[],
  }));

  /** A record as some client last saw it: one of all, or of some that are gone if there are any; undefined while there are none. */
  pick(random: Random, collection: Collection, among: 'all' | 'deleted' | 'merged' = 'all') {
    const { versions, ...kept } = this.#kept[collection];
    const from = kept[among].length > 0 ? kept[among] : kept.all;
    if (from.length === 0) return undefined;
    const id = random.pick(random.chance(CROWDED) ? from.slice(-CROWD) : from);
    return { id, version: versions.get(id) ?? 1 };
  }

  saw(collection: Collection, { record, version }: Pick<Seen, 'record' | 'version'>): void {
    const { all, versions } = this.#kept[collection];
    if (!versions.has(record)) all.push(record);
    versions.set(record, Math.max(version, versions.get(record) ?? 0));
    if (all.length > REMEMBERED) versions.delete(all.shift() ?? '');
  }

  /** One was deleted, or merged into another one. */
  isGone(collection: Collection, id: string, how: 'deleted' | 'merged'): void {
    const gone = this.#kept[collection][how];
    gone.push(id);
    if (gone.length > CROWD) gone.shift();
  }
}
