import type { Database } from '@roster/db';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { limitColumnOf, type Reference } from '../engine/definition.ts';
import { columnOf } from '../engine/fields/columns.ts';
import { andIsWithin, isRowWithin, type OfficeLimit, officesValue } from '../engine/office-limit.ts';
import { nameKeySql, withoutCaseSql } from '../engine/sameness/sql.ts';
import type { ImportDefinition } from './definitions.ts';
import type { FoundOffice, Known, LedRow, OfficeName, PlacedRow, Source } from './rows.ts';

type Trx = Transaction<Database>;
type Limit = OfficeLimit | undefined;

/** Finds offices by name, or the survivors of merged offices with it if no office has it; at most two, which are enough to be ambiguous. */
const byName = (isSeen: RawBuilder<unknown>) => {
  const isNamed = (name: string) =>
    sql`${nameKeySql(sql.ref(name))} = ${nameKeySql(sql`wanted."officeName"`)}`;
  return sql`
  union all
  select place, id from (
    select place, id, row_number() over (partition by place order by id) as nth from (
      select place, office.id from wanted join office on ${isNamed('office.name')}${isSeen}
      union
      select place, office.id
      from wanted join record_merge on collection = 'offices' and undone_at is null and ${isNamed('record_merge.name')}
        join office on office.id = merged_into(duplicate_id)${isSeen}
      where not exists (select from office where ${isNamed('office.name')}${isSeen})
    ) as led
  ) as named
  where nth <= 2`;
};

/**
 * Finds offices within the limit, at most two for each name, and locks them against deletion, and if agents are to arrive, against
 * deactivation. They are locked in the order of their IDs, before any agent, as a deactivation with its agents does.
 */
export async function findOffices(
  trx: Trx,
  names: OfficeName[],
  { definition: { isOfficeToBeActive }, limit }: { definition: ImportDefinition; limit: Limit },
): Promise<FoundOffice[][]> {
  const isSeen = andIsWithin('office.id', limit);
  const wanted = names.map(({ id, source, name }, place) => ({ place, id, ...source, officeName: name }));
  const { rows } = await sql<FoundOffice & { place: number }>`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as wanted (place int, id uuid, name text, key text, "officeName" text)
    ), found as (
      select place, office.id from wanted join office on office.id = wanted.id${isSeen}
      union all
      select place, office.id
      from wanted join office on (source_name, source_key) = (wanted.name, wanted.key)${isSeen}
      union all
      select place, office.id from wanted join record_merge on duplicate_id = wanted.id and undone_at is null
        join office on office.id = merged_into(duplicate_id)${isSeen}
      union all
      select place, office.id
      from wanted join record_merge on (source_name, source_key) = (wanted.name, wanted.key) and undone_at is null
        join office on office.id = merged_into(duplicate_id)${isSeen}
      where not exists (
        select from office as own where (own.source_name, own.source_key) = (wanted.name, wanted.key)
      )
      ${names.some(({ name }) => name !== undefined) ? byName(isSeen) : sql``}
    ), locked as (
      select id, status from office where id in (select id from found) order by id
      ${isOfficeToBeActive ? sql`for share` : sql`for key share`}
    )
    select place, id, status from found join locked using (id)`.execute(trx);
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return names.map((_, place) => byPlace.get(place) ?? []);
}

export async function findAffiliations(
  trx: Trx,
  agentIds: string[],
): Promise<{ agentId: string; officeId: string }[]> {
  return trx
    .selectFrom('agent_affiliation')
    .where((row) => row('agent_id', '=', row.fn.any(row.val(agentIds))))
    .select(['agent_id as agentId', 'affiliated_office_id as officeId'])
    .execute();
}

/** Finds which of these IDs exist within the limit, and locks the records against deletion. */
export async function findExisting(
  trx: Trx,
  { table, limitColumn }: Pick<Reference, 'table' | 'limitColumn'>,
  { ids, limit }: { ids: string[]; limit: Limit },
): Promise<Set<string>> {
  const isSeen = andIsWithin(limitColumn, limit);
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where id = any(${ids}::uuid[])${isSeen} order by id for key share`.execute(
    trx,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Finds the IDs that each source or email address leads to, ignoring case, within the limit; that of a merged record leads to the survivor. */
export async function findNamed(
  trx: Trx,
  { table, limitColumn }: Pick<Reference, 'table' | 'limitColumn'>,
  { names, limit }: { names: readonly ({ source: Source } | { email: string })[]; limit: Limit },
): Promise<string[][]> {
  const wanted = names.map((name, place) =>
    'source' in name ? { place, ...name.source } : { place, email: name.email },
  );
  const found = sql`${sql.table(table)} as found`;
  const isSeen = andIsWithin(`found.${limitColumn}`, limit);
  const isWanted = sql`(found.source_name, found.source_key) = (wanted.name, wanted.key)`;
  const { rows } = await sql<{ place: number; id: string }>`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as wanted (place int, name text, key text, email text)
    )
    select place, found.id from wanted join ${found} on ${withoutCaseSql(sql`found.email`)} = ${withoutCaseSql(sql`wanted.email`)}${isSeen}
    union
    select place, found.id from wanted join ${found} on ${isWanted}${isSeen}
    union
    select place, found.id
    from wanted join record_merge on (source_name, source_key) = (wanted.name, wanted.key) and undone_at is null
      join ${found} on found.id = merged_into(duplicate_id)${isSeen}
    where not exists (select from ${found} where ${isWanted})
    union
    select place, found.id
    from wanted join record_merge on ${withoutCaseSql(sql`record_merge.email`)} = ${withoutCaseSql(sql`wanted.email`)} and undone_at is null
      join ${found} on found.id = merged_into(duplicate_id)${isSeen}
    where not exists (select from ${found} where ${withoutCaseSql(sql`found.email`)} = ${withoutCaseSql(sql`wanted.email`)})`.execute(
    trx,
  );
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return names.map((_, place) => (byPlace.get(place) ?? []).map(({ id }) => id));
}

/** Finds the survivors of merged records with the sources of rows, within the limit, unless a record has the source now. */
export async function findBySurvivors(
  trx: Trx,
  given: readonly PlacedRow[],
  { definition: { resource }, limit }: { definition: ImportDefinition; limit: Limit },
): Promise<Map<PlacedRow, string>> {
  if (given.length === 0) return new Map();
  const { name: collection, table } = resource;
  const isSeen = andIsWithin(limitColumnOf(resource, 'survivor'), limit);
  const wanted = given.map(({ source }, place) => ({ place, ...source }));
  const { rows } = await sql<{ place: number; id: string }>`
    select distinct on (place) place, survivor.id
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted (place int, name text, key text)
    join record_merge on collection = ${collection} and undone_at is null
      and (record_merge.source_name, record_merge.source_key) = (wanted.name, wanted.key)
    join ${sql.table(table)} as survivor on survivor.id = merged_into(duplicate_id)${isSeen}
    where not exists (
      select from ${sql.table(table)} as own where (own.source_name, own.source_key) = (wanted.name, wanted.key)
    )
    order by place, merged_at desc`.execute(trx);
  return new Map(rows.map(({ place, id }) => [given[place] as PlacedRow, id]));
}

/** The email address of a row as it is compared, the record that has it, and the survivor of one that had it. */
function emailsOf({ name: collection, table }: ImportDefinition['resource']): RawBuilder<unknown> {
  const given = withoutCaseSql(sql`given.email`);
  return sql`
    ${given} as "foldedEmail",
    (select holder.id from ${sql.table(table)} as holder where ${withoutCaseSql(sql`holder.email`)} = ${given}) as "emailHolder",
    (select holder.id from record_merge join ${sql.table(table)} as holder on holder.id = merged_into(duplicate_id)
      where collection = ${collection} and undone_at is null and ${withoutCaseSql(sql`record_merge.email`)} = ${given}
      order by merged_at desc limit 1) as "emailSurvivor"`;
}

function sourceTaken(resource: ImportDefinition['resource'], limit: OfficeLimit): RawBuilder<unknown> {
  const { name: collection, table } = resource;
  const isSeen = isRowWithin(limitColumnOf(resource, 'holder'), sql`${officesValue(limit)}`);
  const holder = sql`${sql.table(table)} as holder`;
  return sql`, exists (
      select from ${holder}
      where (holder.source_name, holder.source_key) = (given.name, given.key) and (${isSeen}) is not true
      union all
      select from record_merge join ${holder} on holder.id = merged_into(duplicate_id)
      where collection = ${collection} and undone_at is null
        and (record_merge.source_name, record_merge.source_key) = (given.name, given.key) and (${isSeen}) is not true
    ) as "isSourceTaken"`;
}

/** The references of a record by their fields, and the source of its office. */
export interface HeldReferences {
  id: string;
  references: Record<string, string | null>;
  officeSource: Source | null;
}

export async function findReferences(
  trx: Trx,
  ids: string[],
  { resource: { table }, officeField, references }: ImportDefinition,
): Promise<HeldReferences[]> {
  const column = (field: string) => sql.ref(`held.${columnOf(field)}`);
  const own = officeField === undefined ? [] : [officeField];
  const pairs = [...own, ...references.map(({ field }) => field)].flatMap((field) => [
    sql.lit(field),
    column(field),
  ]);
  const officeId = officeField === undefined ? sql`null` : column(officeField);
  const { rows } = await sql<HeldReferences>`
    select held.id, json_build_object(${sql.join(pairs)}) as references,
      case when office.source_name is not null then
        json_build_object('name', office.source_name, 'key', office.source_key) end as "officeSource"
    from ${sql.table(table)} as held left join office on office.id = ${officeId}
    where held.id = any(${ids}::uuid[])`.execute(trx);
  return rows;
}

/** Finds the state of the table about each row. The existing records within the limit are locked in the order of their IDs. */
export async function findKnown(
  trx: Trx,
  led: readonly LedRow[],
  { definition, limit }: { definition: ImportDefinition; limit: Limit },
): Promise<(LedRow & Known)[]> {
  const { resource, officeField, nameFields, isEmailUnique } = definition;
  const { table } = resource;
  const given = led.map(({ source, email, fields, ledTo: id }, place) => ({
    place,
    ...source,
    email,
    metadata: fields.metadata,
    id,
  }));
  // Only then: a condition on either would cost the others their index.
  const isMatched = given.some(({ id }) => id !== undefined);
  const isSource = sql`(source_name, source_key) in (select name, key from given)`;
  const isEither = sql`${isSource}
        ${isMatched ? sql`or id in (select id from given)` : sql``}`;
  const names = nameFields.map((field) => sql.ref(columnOf(field)));
  const { rows } = await sql<Known>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as given (place int, name text, key text, email text, metadata jsonb, id uuid)
    ), locked as (
      select id, version, ${officeField === undefined ? sql`null::uuid` : sql.ref(columnOf(officeField))} as office_id, source_name, source_key, metadata,
        array[${sql.join(names)}]::text[] as names
      from ${sql.table(table)} where ${limit === undefined ? isEither : sql`(${isEither})`}${andIsWithin(limitColumnOf(resource, table), limit)}
      order by id for no key update
    )
    select
      case when locked.id is not null then
        json_build_object(
          'id', locked.id, 'version', locked.version, 'officeId', locked.office_id, 'names', locked.names) end as match,
      given.metadata is not null and locked.id is not null
        and not metadata_within(jsonb_strip_nulls(locked.metadata || given.metadata)) as "isMetadataFull",
      ${isEmailUnique ? emailsOf(resource) : sql`null as "foldedEmail", null as "emailHolder", null as "emailSurvivor"`}${limit === undefined ? sql`` : sourceTaken(resource, limit)}
    from given left join locked on (locked.source_name, locked.source_key) = (given.name, given.key)
      ${isMatched ? sql`or locked.id = given.id` : sql``}
    order by place`.execute(trx);
  return rows.map((known, place) => ({ ...(led[place] as LedRow), ...known }));
}

/** Finds the offices at and above these, each with the ID of its main office. */
export async function findAbove(
  trx: Trx,
  ids: string[],
  { table, column }: { table: string; column: string },
): Promise<Map<string, string | null>> {
  const [name, above] = [sql.table(table), sql.ref(`${table}.${column}`)];
  const { rows } = await sql<{ id: string; parentId: string | null }>`
    with recursive above (id, parent_id) as (
      select id, ${above} from ${name} where id = any(${ids}::uuid[])
      union
      select ${sql.ref(`${table}.id`)}, ${above} from ${name} join above on ${sql.ref(`${table}.id`)} = above.parent_id
    )
    select id, parent_id as "parentId" from above`.execute(trx);
  return new Map(rows.map(({ id, parentId }) => [id, parentId]));
}
