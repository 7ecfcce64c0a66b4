import { type RawBuilder, sql } from 'kysely';
import type { Actor } from './actor.ts';
import { ADMIN_KEY_ID } from './caller.ts';

/** A select of `type`, `id` and `name` of a key or a person by the id; of no row if there is none. */
export function actorRow(id: RawBuilder<string | null>): RawBuilder<Actor> {
  return sql`
    select 'key' as type, actor.id, actor.name from api_key as actor where actor.id = ${id}
    union all select 'person', actor.id, actor.name from person as actor where actor.id = ${id}
    union all select 'key', ${id}, 'ROSTER_ADMIN_KEY' where ${id} = ${sql.lit(ADMIN_KEY_ID)}::uuid`;
}

/** The SQL expression of a key or a person by the id, with the current name; null if there is none. */
export function actorJson(id: RawBuilder<string | null>): RawBuilder<Actor | null> {
  return sql`(select to_json(found) from (${actorRow(id)}) as found)`;
}
