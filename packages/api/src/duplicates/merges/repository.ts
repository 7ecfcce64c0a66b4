import type { Database, MovedView } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import type { DirectoryResource } from '../../directory/registry.ts';
import { isWithinLimit } from '../../engine/office-limit.ts';
import type { Limited } from '../../engine/write/mutations.ts';
import type { Json } from '../../records/field-changes.ts';
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
  await trx
    .selectFrom(resource.table)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where(isWithinLimit(resource.limit?.column, limit))
    .select('id')
    .orderBy('id')
    .forUpdate()
    .execute();
  return findRecords<RecordJson>(trx, resource, { ids, limit });
}

export type StoredMerge = NonNullable<Awaited<ReturnType<typeof lockMerge>>>;

export async function lockMerge(trx: Trx, { name }: Resource, duplicateId: string) {
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

/** For the statement that purges records, whose IDs are in `gone`. */
export const forgottenKeys = sql`
  update record_merge set email = null, name = null
  where undone_at is null and duplicate_id in (
    with recursive member (id) as (
      select id from gone where merged_into(id) is null
      union
      select duplicate_id from record_merge join member on survivor_id = member.id where undone_at is null
    )
    select id from member
  )`;

export async function moveViews(trx: Trx, { from, to, now }: Move & { now: Date }): Promise<MovedView[]> {
  const containsId = sql<boolean>`position(${from}::text in query::text) > 0`;
  const query = sql<string>`replace(found.query::text, ${from}::text, ${to}::text)::json`;
  const columns = ['id', 'query', 'version'] as const;
  return trx
    .with('found', (one) =>
      one.selectFrom('saved_view').where(containsId).select(columns).orderBy('id').forUpdate(),
    )
    .with('changed', (one) =>
      one
        .updateTable('saved_view')
        .from('found')
        .set((view) => ({ query, version: view('found.version', '+', 1), updated_at: now }))
        .whereRef('saved_view.id', '=', 'found.id'),
    )
    .selectFrom('found')
    .select(columns)
    .execute();
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
  const was = sql<MovedView>`json_to_recordset(${JSON.stringify(views)}::json)`;
  const restored = await trx
    .updateTable('saved_view')
    .from(was.as<'was'>(sql`was (id uuid, query json, version int)`))
    .set({ query: sql`was.query`, version: sql`saved_view.version + 1`, updated_at: now })
    .whereRef('saved_view.id', '=', 'was.id')
    .where((view) => view('saved_view.version', '=', view('was.version', '+', 1)))
    .returning('saved_view.id')
    .execute();
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
