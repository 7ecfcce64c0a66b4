import { compiledVariants, type Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import type { DirectoryResource } from '../directory.ts';
import { pairFilterOf } from '../duplicates/pairs.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import { bySurvival, mergeAlike, type PairOfIds } from '../merges/merge-alike.ts';
import type { Outcome } from '../records/change-each.ts';
import type { Versioned } from '../records/service.ts';
import { findRecords, type TriedChange, tryChange } from '../records/try-change.ts';
import type { ChangeCause } from '../resources/outbox/event-outbox.ts';
import type { Limited } from '../resources/write/mutations.ts';
import { withIndexes } from '../resources/write/transaction.ts';
import { PAIRS_CHECKED_MAX, type PairSelection } from './merge-schemas.ts';
import { selectionOf } from './record-sets.ts';

/** The pairs of one batch, which are merged in one transaction, and whose records are locked until it ends. */
export const PAIRS_OF_BATCH = 20;

type Resource = DirectoryResource<{ id: string }>;
type Trx = Transaction<Database>;

interface Selected extends Limited {
  selection: PairSelection;
  now: Date;
}

const matchingPairs = (resource: Resource, { selection, ...selected }: Selected) => {
  const { listable, filter } = pairFilterOf(resource, { ...selection, state: 'open' });
  const columns = sql`id, score, array[first_id, second_id] as pair`;
  return selectionOf(listable, filter, { ...selected, columns });
};

const insertions = compiledVariants<{ count: number }>();

/**
 * Inserts the batches of a job with the records of all pairs that a filter selects, two after two, the most probable first, if the pairs are
 * as many as expected. Returns how many there are, in the snapshot of the records.
 */
export async function insertPairBatches(
  trx: Trx,
  resource: Resource,
  { jobId, expectedCount, ...selected }: Selected & { jobId: string; expectedCount: number },
): Promise<number> {
  const { shape, select, values } = matchingPairs(resource, selected);
  const statement = insertions(
    shape,
    (param) => sql`
      with matching as materialized (${select(param)}),
      counted as (select count(*)::int as count from matching),
      placed as (select pair, row_number() over (order by score desc, id) as place from matching),
      inserted as (
        insert into job_batch (job_id, number, ids)
        select ${param('new_job_id')}::uuid, (place - 1) / ${sql.lit(PAIRS_OF_BATCH)}, array_agg(id order by place, side)
        from placed cross join lateral unnest(pair) with ordinality as one (id, side)
        where (select count from counted) = ${param('expected_count')}::int
        group by (place - 1) / ${sql.lit(PAIRS_OF_BATCH)}
      )
      select count from counted`,
  );
  const given = { new_job_id: jobId, expected_count: expectedCount };
  const [row] = await statement.execute(trx, { ...values, ...given });
  return row?.count ?? 0;
}

const previews = compiledVariants<{ count: number; pairs: PairOfIds[] }>({ isReadOnly: false });

/** Merges pairs, as many as possible, in a transaction. A pair that is rejected is named by its second record. */
export async function mergePairs<Row extends Versioned>(
  trx: Trx,
  resource: DirectoryResource<Row>,
  { pairs, ...merge }: Limited & { pairs: readonly PairOfIds[]; minScore: number; cause: ChangeCause },
): Promise<Outcome> {
  const outcome: Outcome = { changed: [], unchanged: [], rejected: [], partial: [] };
  await withIndexes(trx);
  for (const pair of pairs)
    try {
      const merged = await mergeAlike(trx, resource, { pair, ...merge });
      if (merged === undefined) outcome.unchanged.push(pair[1]);
      else outcome.changed.push(merged);
    } catch (error) {
      const { status, errorCode: code, message: detail } = toRosterError(error);
      if (status >= 500) throw error;
      outcome.rejected.push({ id: pair[1], code, detail, fields: [] });
    }
  return outcome;
}

/** The records of a batch, two after two, as pairs. */
export function pairsOf(ids: readonly string[]): PairOfIds[] {
  return ids.flatMap((id, place) => (place % 2 === 0 ? [[id, ids[place + 1] ?? id] as const] : []));
}

/** Tells how many pairs a filter selects, and tries to merge the most probable ones, in a part of the transaction that is rolled back. */
export async function previewMerges<Row extends Versioned>(
  trx: Trx,
  resource: DirectoryResource<Row>,
  { cause, ...selected }: Omit<Selected, 'now'> & { cause: ChangeCause },
): Promise<TriedChange> {
  const { shape, select, values } = matchingPairs(resource, { ...selected, now: cause.now });
  const statement = previews(
    shape,
    (param) => sql`
      with matching as materialized (${select(param)})
      select
        (select count(*)::int from matching) as count,
        (select coalesce(json_agg(pair), '[]') from (
          select pair from matching order by score desc, id limit ${sql.lit(PAIRS_CHECKED_MAX)}) as first) as pairs`,
  );
  const [{ count, pairs } = { count: 0, pairs: [] }] = await statement.execute(trx, values);
  const { selection, limit } = selected;
  const records = await findRecords(trx, resource, { ids: pairs.flat(), limit });
  const sides = pairs.flatMap(([one, other]) => {
    const [first, second] = [records.get(one), records.get(other)];
    return first && second ? [bySurvival(first, second)] : [];
  });
  const merge = { pairs, minScore: selection.minScore, cause, limit };
  const tried = { ids: [...new Set(sides.map(([survivor]) => survivor.id))], count, limit };
  const preview = await tryChange(trx, resource, {
    ...tried,
    change: () => mergePairs(trx, resource, merge),
    shows: (merged) => [
      ...new Set(sides.filter(([, { id }]) => merged.has(id)).map(([survivor]) => survivor.id)),
    ],
  });
  return { ...preview, checked: pairs.length };
}
