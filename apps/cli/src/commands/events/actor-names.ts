import { hasErrorCode } from '../../errors.ts';
import type { CommandContext } from '../context.ts';

/** The id of the key that is set by ROSTER_ADMIN_KEY, which is not listed. */
const ADMIN_ID = '00000000-0000-0000-0000-000000000000';
const ADMIN_NAME = "the service's own key";
const LIMIT = 200;
/** Keys that are read. The actors beyond them are shown by id. */
const KEYS_MAX = 2_000;

export function actorOf({
  actorId,
  actorName,
}: {
  actorId: string | null;
  actorName: string | null;
}): string {
  if (actorId === null) return 'the service';
  return actorId === ADMIN_ID ? ADMIN_NAME : (actorName ?? actorId);
}

/** Resolves the ids of keys to a function that returns their names, or the id of a key without a known name. */
export type ActorNames = (ids: readonly (string | null)[]) => Promise<(id: string) => string>;

/** Looks up the names of all keys once, when first needed; finds none if the caller's key may not read keys. */
export function actorNames({
  client,
  callOptions: { signal },
}: Pick<CommandContext, 'client' | 'callOptions'>): ActorNames {
  let known: Map<string, string> | undefined;
  const load = async () => {
    const names = new Map([[ADMIN_ID, ADMIN_NAME]]);
    try {
      for await (const { id, name } of client.keys.all({ limit: LIMIT }, { signal })) {
        if (names.size > KEYS_MAX) break;
        names.set(id, name);
      }
    } catch (error) {
      if (!hasErrorCode(error, 'insufficient_scope')) throw error;
    }
    return names;
  };
  return async (ids) => {
    if (known === undefined && ids.some((id) => id !== null && id !== ADMIN_ID)) known = await load();
    const names = known ?? new Map([[ADMIN_ID, ADMIN_NAME]]);
    return (id) => names.get(id) ?? id;
  };
}
