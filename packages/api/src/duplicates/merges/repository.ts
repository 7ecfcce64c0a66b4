import type { Database, MovedReferences, MovedView } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { DirectoryResource } from '../../directory.ts';
import { andIsWithin } from '../../engine/office-limit.ts';
import type { Limited } from '../../engine/write/mutations.ts';
import type { Json } from '../../history/field-changes.ts';
import { findRecords } from '../../records/try-change.ts';
import type { Move } from './references.ts';

type Resource = DirectoryResource<{ id: string }>;
export type Trx = Transaction<Database>;

export type RecordJson = Json & { id: string; version: number };

/** Until the transaction ends no new references to the records can be made, and earlier ones are committed. */
export async function lockRecords(
  trx: Trx,
  resource: Resource,
  { ids, limit }: Limited & { ids: readonly string[] },
): Promise<Map<string, RecordJson>> {
  const isSeen = andIsWithin(resource.limit.column, limit);
  await sql`
    select id from ${sql.table(resource.table)} where id = any(${ids}::uuid[])${isSeen} order by id for update`.execute(
    trx,
  );
  return findRecords<RecordJson>(trx, resource, { ids, limit });
}

export interface StoredMerge {
  id: string;
  survivorId: string;
  duplicateId: string;
  mergedAt: Date;
  moved: MovedReferences;
}

export interface Keys {
  source: { name: string; key: string } | null;
  email: string | null;
  name: string;
}

interface NewMerge extends Omit<StoredMerge, 'mergedAt'> {
  keys: Keys;
  now: Date;
  actorId: string | null;
}

export async function insertMerge(
  trx: Trx,
  { name }: Resource,
  { id, survivorId, duplicateId, keys: { source, email, name: leadingName }, now, actorId, moved }: NewMerge,
): Promise<void> {
  await trx
    .insertInto('record_merge')
    .values({
      id,
      collection: name,
      survivor_id: survivorId,
      duplicate_id: duplicateId,
      source_name: source?.name ?? null,
      source_key: source?.key ?? null,
      email,
      name: leadingName,
      merged_at: now,
      merged_by: actorId,
      undone_at: null,
      moved: JSON.stringify(moved),
    })
    .execute();
}

export async function lockMerge(
  trx: Trx,
  { name }: Resource,
  duplicateId: string,
): Promise<StoredMerge | undefined> {
  return trx
    .selectFrom('record_merge')
    .where('collection', '=', name)
    .where('duplicate_id', '=', duplicateId)
    .where('undone_at', 'is', null)
    .select([
      'id',
      'survivor_id as survivorId',
      'duplicate_id as duplicateId',
      'merged_at as mergedAt',
      'moved',
    ])
    .forUpdate()
    .executeTakeFirst();
}

export async function endMerge(trx: Trx, { id, now }: { id: string; now: Date }): Promise<void> {
  const ended = { undone_at: now, email: null, name: null };
  await trx.updateTable('record_merge').set(ended).where('id', '=', id).execute();
}

export async function findSurvivorId(db: Kysely<Database>, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`select merged_into(${id}::uuid) as id`.execute(db);
  return rows[0]?.id ?? undefined;
}

export async function moveViews(trx: Trx, { from, to, now }: Move & { now: Date }): Promise<MovedView[]> {
  const { rows } = await sql<MovedView>`
    with found as (
      select id, query, version from saved_view where position(${from}::text in query::text) > 0 order by id for update
    ), changed as (
      update saved_view set query = replace(found.query::text, ${from}::text, ${to}::text)::json,
        version = found.version + 1, updated_at = ${now}
      from found where saved_view.id = found.id
    )
    select id, query, version from found`.execute(trx);
  return rows;
}

/** Skips views changed since. Returns the number of restored views that the caller may read. */
export async function restoreViews(
  trx: Trx,
  {
    views,
    now,
    readerId,
    limit,
  }: Limited & { views: readonly MovedView[]; now: Date; readerId: string | null },
): Promise<number> {
  if (views.length === 0) return 0;
  const { rows: restored } = await sql<{ id: string }>`
    update saved_view set query = was.query, version = saved_view.version + 1, updated_at = ${now}
    from json_to_recordset(${JSON.stringify(views)}::json) as was (id uuid, query json, version int)
    where saved_view.id = was.id and saved_view.version = was.version + 1
    returning saved_view.id`.execute(trx);
  const returned = new Set(restored.map(({ id }) => id));
  const left = views.map(({ id }) => id).filter((id) => !returned.has(id));
  if (limit === undefined || left.length === 0) return left.length;
  const readable = await trx
    .selectFrom('saved_view')
    .where((view) => view('id', '=', view.fn.any(view.val(left))))
    .where((view) => view.or([view('is_shared', '=', true), view('created_by', '=', readerId)]))
    .select('id')
    .execute();
  return readable.length;
}
