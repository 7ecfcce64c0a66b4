import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import type { DirectoryResource } from '../directory/registry.ts';
import { newId } from '../engine/new-id.ts';
import { findRecords } from '../records/try-change.ts';
import {
  type Alike,
  type CommonKeys,
  type ComparedRecord,
  compareWithOthers,
  type KeyedProfiles,
  readStoredProfiles,
  withKeys,
} from './candidates.ts';

type Resource = DirectoryResource<{ id: string }>;
type Trx = Transaction<Database>;

async function writeKeys(
  trx: Trx,
  { name }: Resource,
  keys: KeyedProfiles['keys'],
  gone: string[],
): Promise<void> {
  if (gone.length > 0)
    await trx
      .deleteFrom('compared_record')
      .where('collection', '=', name)
      .where((row) => row('id', '=', row.fn.any(row.val(gone))))
      .execute();
  if (keys.size === 0) return;
  const rows = [...keys].map(([id, own]) => ({ collection: name, id, keys: [...own.keys()] }));
  await trx
    .insertInto('compared_record')
    .values(rows)
    .onConflict((existing) =>
      existing
        .columns(['collection', 'id'])
        .doUpdateSet((row) => ({ keys: row.ref('excluded.keys') }))
        .whereRef('compared_record.keys', 'is distinct from', 'excluded.keys'),
    )
    .execute();
}

async function writePairs(
  trx: Trx,
  { name }: Resource,
  { ids, alike, now }: { ids: readonly string[]; alike: readonly Alike[]; now: Date },
): Promise<void> {
  const rows = alike.map(({ id: one, other, score, reasons }) => {
    const [first, second] = [one, other.id].sort();
    const kinds = [...new Set(reasons.map(({ kind }) => kind))];
    return { id: newId(now), first, second, score, kinds, reasons };
  });
  // A tag, because the builder would need the types of the recordset again. One parameter holds any number of pairs.
  await sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json)
        as given (id uuid, first uuid, second uuid, score numeric, kinds text[], reasons jsonb)
    ), gone as (
      delete from duplicate_pair as pair
      where collection = ${name} and dismissed_at is null
        and (first_id = any(${ids}::uuid[]) or second_id = any(${ids}::uuid[]))
        and not exists (select from given where first = first_id and second = second_id)
    )
    insert into duplicate_pair (id, collection, first_id, second_id, score, kinds, reasons, found_at)
    select id, ${name}, first, second, score, kinds, reasons, ${now}::timestamptz from given
    on conflict (collection, first_id, second_id) do update
    set score = excluded.score, kinds = excluded.kinds, reasons = excluded.reasons
    where (duplicate_pair.score, duplicate_pair.reasons) is distinct from (excluded.score, excluded.reasons)`.execute(
    trx,
  );
}

/** IDs without a record are of deleted ones. Use one transaction at a time for each resource. */
export async function compareRecords(
  trx: Trx,
  resource: Resource,
  { ids, now, common }: { ids: readonly string[]; now: Date; common?: CommonKeys | undefined },
): Promise<void> {
  const records = await findRecords<ComparedRecord>(trx, resource, { ids, limit: undefined });
  const compared = withKeys(resource.name, await readStoredProfiles(trx, resource, records));
  const gone = ids.filter((id) => !records.has(id));
  await writeKeys(trx, resource, compared.keys, gone);
  const alike = await compareWithOthers(trx, resource, { ...compared, isStored: true, common });
  await writePairs(trx, resource, { ids, alike, now });
}
