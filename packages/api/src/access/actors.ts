import { compileOnce, type Database, type Param } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { Actor, ADMIN_KEY_ID } from '../engine/actor.ts';
import type { OfficeLimit } from '../engine/office-limit.ts';
import { ADMIN, type Caller, limitFor } from './caller.ts';
import { containsOffices } from './office-ids.ts';
import type { Scope } from './scopes.ts';

type OfficeIds = (string[] | null)[];

const findActors = compileOnce(
  (param: Param<{ ids: string[] }>, db: Kysely<Database>) => {
    const isWanted = sql<boolean>`id = any(${param('ids')}::uuid[])`;
    const typeOf = (type: Actor['type']) => sql.lit(type).as('type');
    const keyOffices = sql<OfficeIds>`json_build_array(office_ids)`;
    const personOffices = sql<OfficeIds>`(
      select coalesce(json_agg(held -> 'officeIds'), '[]') from jsonb_array_elements(grants) as held)`;
    const persons = db.selectFrom('person').where(isWanted);
    return db
      .selectFrom('api_key')
      .where(isWanted)
      .select(['id', 'name', typeOf('key'), keyOffices.as('offices')])
      .unionAll(persons.select(['id', 'name', typeOf('person'), personOffices.as('offices')]));
  },
  { isReadOnly: true, lane: 'keys' },
);

type FoundActor = Awaited<ReturnType<typeof findActors.execute>>[number];

const scopeOfNames: Record<Actor['type'], Scope> = { key: 'keys:manage', person: 'people:manage' };

export type Reader = Pick<Caller, 'type' | 'id' | 'grants' | 'scopes'> | undefined;

function limitOfNames(reader: Reader, type: Actor['type']): OfficeLimit | undefined | false {
  const scope = scopeOfNames[type];
  return reader?.scopes.includes(scope) ? limitFor(reader as Caller, { scope }) : false;
}

function shownTo(reader: Reader, { type, id, name, offices }: FoundActor): Actor | null {
  const isSelf = reader?.type === type && reader.id === id;
  if (isSelf && type === 'person') return { type, id, name };
  const limit = limitOfNames(reader, type);
  const isNamed = limit !== false && offices.every((officeIds) => containsOffices(limit, officeIds));
  if (isNamed) return { type, id, name };
  const isLimited = reader?.grants.some((grant) => grant.limit !== undefined) === true;
  return isLimited && !isSelf ? null : { type, id, name: null };
}

const ADMIN_ACTOR: FoundActor = { type: 'key', id: ADMIN.id, name: ADMIN.name, offices: [null] };

/** Null for the service itself, for deleted people, and for those the reader may not see. */
export async function readActorsOf(
  db: Kysely<Database>,
  ids: readonly (string | null)[],
  reader: Reader,
): Promise<(id: string | null) => Actor | null> {
  const wanted = [...new Set(ids)].filter((id) => id !== null && id !== ADMIN.id) as string[];
  const rows = wanted.length === 0 ? [] : await findActors.execute(db, { ids: wanted });
  const found = new Map([...rows, ADMIN_ACTOR].map((actor) => [actor.id, shownTo(reader, actor)]));
  return (id) => (id === null ? null : (found.get(id) ?? null));
}

interface Change {
  actor: Actor | null;
  actorId?: string | null;
  scheduledBy?: string;
}

const idOf = ({ actorId, scheduledBy }: Change) => actorId ?? scheduledBy ?? null;

export async function withActors<Read extends Change>(
  db: Kysely<Database>,
  changes: Read[],
  reader: Reader,
): Promise<Read[]> {
  if (changes.length === 0) return changes;
  const actorOf = await readActorsOf(db, changes.map(idOf), reader);
  return changes.map((change) => ({ ...change, actor: actorOf(idOf(change)) }));
}

/** Selects `type`, `id` and `name` of a key or a person by its ID; no row if there is none. */
function actorRow(id: RawBuilder<string | null>): RawBuilder<Actor> {
  return sql`
    select 'key' as type, actor.id, actor.name from api_key as actor where actor.id = ${id}
    union all select 'person', actor.id, actor.name from person as actor where actor.id = ${id}
    union all select 'key', ${id}, 'ROSTER_ADMIN_KEY' where ${id} = ${sql.lit(ADMIN_KEY_ID)}::uuid`;
}

export function actorJson(id: RawBuilder<string | null>): RawBuilder<Actor | null> {
  return sql`(select to_json(found) from (${actorRow(id)}) as found)`;
}

export const CreatedBy = z
  .strictObject({
    ...Actor.shape,
    name: z.string().nullable().meta({ description: 'Current name', example: 'Website' }),
  })
  .nullable()
  .meta({
    description: 'Key or person that created the key; `null` if the service did, or the person was deleted',
  });
export type CreatedBy = z.infer<typeof CreatedBy>;

export function createdByJson(id: RawBuilder<string | null>): RawBuilder<CreatedBy> {
  return sql`(
    select json_build_object('type', type, 'id', id, 'name', name)
    from (${actorRow(id)}) as creator)`;
}
