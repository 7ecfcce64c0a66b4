import { hash } from 'node:crypto';
import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { DirectoryResource } from '../directory/registry.ts';
import type { OfficeLimit } from '../engine/office-limit.ts';
import { licenseKey, licenseNumberKey } from '../engine/sameness/keys.ts';
import { findRecords } from '../records/try-change.ts';
import { type Profile, profileOf, skeletonOf } from './profile.ts';
import { type Reason, SCORE_MIN, SWITCHBOARD_MIN, scorePair } from './score.ts';

/** Keys of more records find no candidates: that many are not the same, and all pairs would be compared. */
const BLOCK_MAX = 50;

type Resource = DirectoryResource<{ id: string }>;
type Db = Kysely<Database>;

export type ComparedRecord = Readonly<Record<string, unknown>> & { id: string };

export type Profiles = ReadonlyMap<string, Profile>;

export function readProfiles(
  resource: Resource,
  records: Iterable<ComparedRecord>,
  mergedEmails: ReadonlyMap<string, readonly string[]> = new Map(),
): Profiles {
  return new Map(
    Array.from(records, (record) => [record.id, profileOf(resource, record, mergedEmails.get(record.id))]),
  );
}

export async function readStoredProfiles(
  db: Db,
  resource: Resource,
  records: ReadonlyMap<string, ComparedRecord>,
): Promise<Profiles> {
  // A tag, because the builder does not check the columns of a recursive CTE.
  const { rows } = await sql<{ id: string; emails: string[] }>`
    with recursive member (root, id) as (
      select id, id from unnest(${[...records.keys()]}::uuid[]) as id
      union
      select root, duplicate_id from member join record_merge on survivor_id = member.id
      where collection = ${resource.name} and undone_at is null
    )
    select root as id, array_agg(email) as emails from member join record_merge on duplicate_id = member.id
    where undone_at is null and email is not null group by root`.execute(db);
  const mergedEmails = new Map(rows.map(({ id, emails }) => [id, emails]));
  return readProfiles(resource, records.values(), mergedEmails);
}

export interface KeyedProfiles {
  scope: string;
  profiles: Profiles;
  keys: Map<string, Map<string, Strength>>;
}

export function withKeys(scope: string, profiles: Profiles): KeyedProfiles {
  const keys = new Map(Array.from(profiles, ([id, profile]) => [id, keysOf(scope, profile)]));
  return { scope, profiles, keys };
}

/** PostgreSQL reads a whole block before it limits it, so keys of too many records are remembered. */
export type CommonKeys = Set<string>;

const tooMany: readonly string[] = Array.from({ length: BLOCK_MAX + 1 }, () => '');

/** Reads at most one record more than a block may have, and adds larger keys to `common`. */
async function readBlocks(
  db: Db,
  keys: Iterable<string>,
  common: CommonKeys = new Set(),
): Promise<Map<string, readonly string[]>> {
  const all = [...new Set(keys)];
  const blocks = new Map(all.filter((key) => common.has(key)).map((key) => [key, tooMany]));
  const wanted = all.filter((key) => !common.has(key));
  if (wanted.length === 0) return blocks;
  // A tag, because the builder would wrap the lateral limit of each key in three queries.
  const { rows } = await sql<{ key: string; ids: string[] | null }>`
    select key::text, found.ids from unnest(${wanted}::bigint[]) as key
    cross join lateral (
      select array_agg(id) as ids from (
        select id::text as id from compared_record where keys @> array[key] limit ${sql.lit(BLOCK_MAX + 1)}
      ) as block
    ) as found`.execute(db);
  for (const { key, ids } of rows) {
    blocks.set(key, ids ?? []);
    if (ids !== null && ids.length > BLOCK_MAX) common.add(key);
  }
  return blocks;
}

/** The records that share a strong key or two weak ones with each record. */
function candidatesOf(
  keys: KeyedProfiles['keys'],
  blocks: Map<string, readonly string[]>,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [id, own] of keys) {
    const points = new Map<string, number>();
    for (const [key, strength] of own) {
      const block = blocks.get(key) ?? [];
      if (block.length > BLOCK_MAX) continue;
      const isWeak = strength === 'weak' || (strength === 'telephone' && block.length >= SWITCHBOARD_MIN);
      for (const other of block) points.set(other, (points.get(other) ?? 0) + (isWeak ? 1 : 2));
    }
    points.delete(id);
    found.set(
      id,
      [...points].flatMap(([other, sum]) => (sum >= 2 ? [other] : [])),
    );
  }
  return found;
}

export interface Alike<Row = ComparedRecord> {
  id: string;
  other: Row;
  score: number;
  reasons: Reason[];
}

/**
 * Compares records with all others that share enough keys, and returns each similar pair once. Use
 * `withIndexes` in the transaction.
 *
 * @param isStored whether the records are stored; a new one is counted in addition to those with its phone
 * number
 * @param limit the offices of the other records; undefined for all
 */
export async function compareWithOthers<Row extends ComparedRecord>(
  db: Db,
  resource: DirectoryResource<Row>,
  {
    scope,
    profiles,
    keys,
    isStored,
    limit,
    common,
  }: KeyedProfiles & {
    isStored: boolean;
    limit?: OfficeLimit | undefined;
    common?: CommonKeys | undefined;
  },
): Promise<Alike<Row>[]> {
  const blocks = await readBlocks(
    db,
    [...keys.values()].flatMap((own) => [...own.keys()]),
    common,
  );
  const candidates = candidatesOf(keys, blocks);
  const ids = [...new Set([...candidates.values()].flat())];
  const records = await findRecords<Row>(db, resource, { ids, limit });
  const all = new Map([...(await readStoredProfiles(db, resource, records)), ...profiles]);
  const countOf = (telephone: string) => {
    const { length = 0 } = blocks.get(telephoneKey(scope, telephone)) ?? [];
    return isStored ? length : length + 1;
  };
  const compared = new Set<string>();
  const alike: Alike<Row>[] = [];
  for (const [id, some] of candidates)
    for (const otherId of some) {
      const [first, second] = id < otherId ? [id, otherId] : [otherId, id];
      const [one, two, other] = [all.get(first), all.get(second), records.get(otherId)];
      const pair = `${first} ${second}`;
      if (compared.has(pair) || one === undefined || two === undefined || other === undefined) continue;
      compared.add(pair);
      const { score, reasons } = scorePair(one, two, countOf);
      if (score >= SCORE_MIN) alike.push({ id, other, score, reasons });
    }
  return alike;
}

/** 64 bits for a bigint: unique among the keys of millions of records. */
function hashOf(parts: readonly string[]): string {
  return hash('sha1', parts.join('\0'), 'buffer').readBigInt64BE(0).toString();
}

/** Keys for the whole name and for each of its halves, so that a typo in the other half does not hide it. */
function* nameKeys({ person, names, officeId, city }: Profile): Generator<string[]> {
  if (person === undefined) {
    for (const name of names) {
      const skeletons = name.map(skeletonOf).sort();
      yield ['name', skeletons.join(' ')];
      if (city === '') continue;
      for (const skeleton of skeletons) if (skeleton.length >= 3) yield ['city', city, skeleton];
    }
    return;
  }
  const { given, otherGiven, family } = person;
  const last = family.slice(-1);
  const called = [...given.slice(0, 1), ...otherGiven.slice(-1)];
  for (const name of called) yield ['name', [name, ...last].map(skeletonOf).sort().join(' ')];
  if (called.length === 0) for (const name of last) yield ['name', skeletonOf(name)];
  if (officeId === undefined) return;
  const parts = new Set([...called, ...given, ...family].map(skeletonOf));
  for (const part of parts) if (part.length >= 2) yield ['office', officeId, part];
}

function* keyTexts(profile: Profile): Generator<string[]> {
  for (const telephone of profile.telephones) yield ['telephone', telephone];
  for (const email of profile.emails) yield ['email', email];
  // Only one of the two records may have the region.
  for (const license of profile.licenses) {
    yield ['license', licenseNumberKey(license.number)];
    yield ['license', licenseKey(license)];
  }
  for (const [field, number] of profile.numbers) yield ['number', field, number];
  const { source } = profile;
  if (source !== undefined && source.key !== '') yield ['source', source.key];
  yield* nameKeys(profile);
}

/** Kinds that say little alone: records that are the same share another key. */
const weakKinds = new Set(['name', 'office', 'city']);

type Strength = 'strong' | 'weak' | 'telephone';

function strengthOf([kind = '']: readonly string[]): Strength {
  if (kind === 'telephone') return kind;
  return weakKinds.has(kind) ? 'weak' : 'strong';
}

/** Records are compared only if they share a strong key or two weak ones. Scopes share no keys. */
function keysOf(scope: string, profile: Profile): Map<string, Strength> {
  return new Map(Array.from(keyTexts(profile), (key) => [hashOf([scope, ...key]), strengthOf(key)] as const));
}

function telephoneKey(scope: string, telephone: string): string {
  return hashOf([scope, 'telephone', telephone]);
}
