import type { Session } from '../context/command-context.ts';

/** The key that is set by ROSTER_ADMIN_KEY, which is in no list. */
const ADMIN_ID = '00000000-0000-0000-0000-000000000000';
const LIMIT = 200;
/** Keys that are looked through for the names of actors: more are shown by their ids. */
const PAGES_MAX = 10;

/** Finds the names of the keys that made changes; an id that has none stays as it is. */
export type ActorNames = (ids: readonly (string | null)[]) => Promise<(id: string) => string>;

/** The names of keys, as far as the caller's key may see them; they are asked for once. */
export function actorNames({
  client,
  callOptions: { signal },
}: Pick<Session, 'client' | 'callOptions'>): ActorNames {
  let known: Map<string, string> | undefined;
  const load = async () => {
    const names = new Map([[ADMIN_ID, "the service's own key"]]);
    try {
      let cursor: string | undefined;
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const { items, nextCursor } = await client.keys.list.query({ limit: LIMIT, cursor }, { signal });
        for (const { id, name } of items) names.set(id, name);
        cursor = nextCursor;
        if (cursor === undefined) break;
      }
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'insufficient_scope') throw error;
    }
    return names;
  };
  return async (ids) => {
    if (known === undefined && ids.some((id) => id !== null && id !== ADMIN_ID)) known = await load();
    const names = known ?? new Map([[ADMIN_ID, "the service's own key"]]);
    return (id) => names.get(id) ?? id;
  };
}
