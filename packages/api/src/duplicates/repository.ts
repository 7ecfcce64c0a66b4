import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { DirectoryResource } from '../directory.ts';
import { keysOf, telephoneKey } from './keys.ts';
import { type Profile, profileOf } from './profile.ts';
import { type Reason, scorePair } from './score.ts';

/** Pairs with a lower score are not kept. */
export const SCORE_MIN = 0.5;

/** A key that more records have finds no candidates: so many are not the same, and each would be compared with each. */
const BLOCK_MAX = 50;

type Resource = DirectoryResource<{ id: string }>;
type Trx = Transaction<Database>;

async function readProfiles(
  trx: Trx,
  resource: Resource,
  ids: readonly string[],
): Promise<Map<string, Profile>> {
  if (ids.length === 0) return new Map();
  const { table, record } = resource;
  const { rows } = await sql<{ record: { id: string } }>`
    select ${record} as record from ${sql.table(table)} where id = any(${ids}::uuid[])`.execute(trx);
  return new Map(rows.map(({ record: one }) => [one.id, profileOf(resource, { ...one })]));
}

/** Writes the keys of records, and deletes those of records that are gone. */
async function writeKeys(
  trx: Trx,
  { name }: Resource,
  keys: Map<string, string[]>,
  gone: string[],
): Promise<void> {
  if (gone.length > 0)
    await sql`delete from compared_record where collection = ${name} and id = any(${gone}::uuid[])`.execute(
      trx,
    );
  if (keys.size === 0) return;
  const rows = [...keys].map(([id, own]) => ({ id, keys: own }));
  await sql`
    insert into compared_record (collection, id, keys)
    select ${name}, id, keys from json_to_recordset(${JSON.stringify(rows)}::json) as given (id uuid, keys bigint[])
    on conflict (collection, id) do update set keys = excluded.keys
    where compared_record.keys is distinct from excluded.keys`.execute(trx);
}

/** The records that have a key, by the key: at most one more than a block may have. */
async function readBlocks(trx: Trx, keys: readonly string[]): Promise<Map<string, string[]>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<{ key: string; ids: string[] }>`
    select key::text, found.ids from unnest(${keys}::bigint[]) as key
    cross join lateral (
      select array_agg(id) as ids from (
        select id from compared_record where keys @> array[key] limit ${sql.lit(BLOCK_MAX + 1)}
      ) as block
    ) as found`.execute(trx);
  return new Map(rows.map(({ key, ids }) => [key, ids]));
}

/** A pair that was found: its records in the order of their ids. */
interface FoundPair {
  first: string;
  second: string;
  score: number;
  reasons: Reason[];
}

/** Writes the pairs of some records, and deletes those that are alike no more unless someone has decided about them. */
async function writePairs(
  trx: Trx,
  { name }: Resource,
  { ids, pairs, now }: { ids: readonly string[]; pairs: readonly FoundPair[]; now: Date },
): Promise<void> {
  const rows = pairs.map(({ reasons, ...pair }) => ({
    ...pair,
    id: uuidv7({ msecs: now.getTime() }),
    kinds: [...new Set(reasons.map(({ kind }) => kind))],
    reasons,
  }));
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

/** The records that have a key in common with each record, by its id. */
function candidatesOf(keys: Map<string, string[]>, blocks: Map<string, string[]>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [id, own] of keys) {
    const others = new Set(
      own.flatMap((key) => {
        const block = blocks.get(key) ?? [];
        return block.length > BLOCK_MAX ? [] : block;
      }),
    );
    others.delete(id);
    found.set(id, others);
  }
  return found;
}

/**
 * Compares records with all others that have a key in common, and writes the pairs that may be the same. Ids without a record are those
 * of deleted ones. One transaction at a time may do it for a resource.
 */
export async function compareRecords(
  trx: Trx,
  resource: Resource,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<void> {
  const profiles = await readProfiles(trx, resource, ids);
  const keys = new Map([...profiles].map(([id, profile]) => [id, keysOf(resource, profile)]));
  await writeKeys(
    trx,
    resource,
    keys,
    ids.filter((id) => !profiles.has(id)),
  );
  const blocks = await readBlocks(trx, [...new Set([...keys.values()].flat())]);
  const candidates = candidatesOf(keys, blocks);
  const others = [...new Set([...candidates.values()].flatMap((some) => [...some]))];
  const all = new Map([
    ...profiles,
    ...(await readProfiles(
      trx,
      resource,
      others.filter((id) => !profiles.has(id)),
    )),
  ]);
  const countOf = (telephone: string) => blocks.get(telephoneKey(resource, telephone))?.length ?? 1;
  const pairs = new Map<string, FoundPair>();
  for (const [id, some] of candidates)
    for (const other of some) {
      const [first, second] = id < other ? [id, other] : [other, id];
      const key = `${first} ${second}`;
      const [one, two] = [all.get(first), all.get(second)];
      if (pairs.has(key) || one === undefined || two === undefined) continue;
      const { score, reasons } = scorePair(one, two, countOf);
      if (score >= SCORE_MIN) pairs.set(key, { first, second, score, reasons });
    }
  await writePairs(trx, resource, { ids, pairs: [...pairs.values()], now });
}
