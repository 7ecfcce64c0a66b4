import { type RawBuilder, sql } from 'kysely';
import type { Actor } from './actor.ts';
import { ADMIN_KEY_ID } from './caller.ts';

/** The SQL expression of a key or a person by the id, with the current name; null if there is none. */
export function actorJson(id: RawBuilder<string | null>): RawBuilder<Actor | null> {
  return sql`case when ${id} = ${sql.lit(ADMIN_KEY_ID)}::uuid
    then json_build_object('type', 'key', 'id', ${id}, 'name', 'ROSTER_ADMIN_KEY')
    else (
      select json_build_object('type', found.type, 'id', found.id, 'name', found.name) from (
        select 'key' as type, actor.id, actor.name from api_key as actor where actor.id = ${id}
        union all select 'person', actor.id, actor.name from person as actor where actor.id = ${id}
      ) as found
    ) end`;
}
