import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { DirectoryResource } from '../directory.ts';
import { comparePair } from '../duplicates/candidates.ts';
import { RosterError } from '../errors/roster-error.ts';
import { notFound, type Versioned } from '../records/service.ts';
import type { ChangeCause } from '../resources/outbox/event-outbox.ts';
import type { Limited } from '../resources/write/mutations.ts';
import { mergeLocked } from './merge.ts';
import { findSurvivorId, lockRecords, type RecordJson, type Trx } from './repository.ts';
import { withFreshLocks } from './retry.ts';

/** Two records that may be the same, by their ids. */
export type PairOfIds = readonly [string, string];

/** The one of two records that survives their merge, first: the active one, else the one that was created first. */
export function bySurvival<One extends { id: string; status?: unknown }>(one: One, other: One): [One, One] {
  const isActive = ({ status }: One) => status === 'active';
  const isFirst = isActive(one) === isActive(other) ? one.id < other.id : isActive(one);
  return isFirst ? [one, other] : [other, one];
}

/** Whether somebody has decided of two records, or of any that were merged into them, that they are not the same. */
async function areDismissed(trx: Trx, [one, other]: PairOfIds): Promise<boolean> {
  const { rows } = await sql`
    with recursive member (root, id) as (
      select id, id from unnest(${[one, other]}::uuid[]) as id
      union
      select root, duplicate_id from record_merge join member on survivor_id = member.id where undone_at is null
    )
    select from member as one join member as other on one.root <> other.root
    join duplicate_pair on first_id = one.id and second_id = other.id
    where dismissed_at is not null limit 1`.execute(trx);
  return rows.length > 0;
}

/** Throws `version_conflict` for two records that are not as alike as is wanted, or of which somebody has decided that they are not. */
async function checkAlike(
  trx: Trx,
  resource: DirectoryResource<{ id: string }>,
  [one, other]: readonly [RecordJson, RecordJson],
  minScore: number,
): Promise<void> {
  const pair = `${one.id} and ${other.id}`;
  if (await areDismissed(trx, [one.id, other.id]))
    throw new RosterError('version_conflict', `It was decided that ${pair} are not the same.`);
  const { score } = await comparePair(trx, resource, [one, other]);
  if (score < minScore)
    throw new RosterError('version_conflict', `${pair} are less alike by now: ${score.toFixed(2)}.`);
}

/**
 * Merges two records that were alike, or what they were merged into since, if they still are: with the values that a merge without choices
 * has. Of a chain each record is compared with what the ones before have become, so that nothing is merged that is alike only to
 * something in between.
 *
 * @returns the id of the one that was merged into the other; undefined if they are one already
 *
 * Throws `not_found` for one that is gone or not within the limit, `version_conflict` if they are not alike any more or it was decided that
 * they are not, and what `mergeRecord` throws.
 */
export function mergeAlike<Row extends Versioned>(
  trx: Transaction<Database>,
  resource: DirectoryResource<Row>,
  { pair, minScore, cause, limit }: Limited & { pair: PairOfIds; minScore: number; cause: ChangeCause },
): Promise<string | undefined> {
  return withFreshLocks(trx, async (part) => {
    const ids = [];
    for (const id of pair) ids.push((await findSurvivorId(part, id)) ?? id);
    const [one, other] = ids as [string, string];
    if (one === other) return undefined;
    const locked = await lockRecords(part, resource, { ids: [one, other], limit });
    const [first, second] = [locked.get(one), locked.get(other)];
    if (first === undefined) throw notFound(resource, one);
    if (second === undefined) throw notFound(resource, other);
    await checkAlike(part, resource, [first, second], minScore);
    const [survivor, duplicate] = bySurvival(first, second);
    const mergeId = uuidv7({ msecs: cause.now.getTime() });
    await mergeLocked<Row>(part, { resource, survivor, duplicate, mergeId, cause }, {});
    return duplicate.id;
  });
}
