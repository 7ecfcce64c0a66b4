import { type Database, statement } from '@roster/db';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { ResourceDefinition } from '../engine/definition.ts';
import { type Filters, filtersOf } from '../engine/list/filters.ts';
import { searchFor } from '../engine/search/search.ts';
import type { Param } from '../engine/sql/column-mapping.ts';
import { type FilterSql, sqlOf } from '../engine/sql/filter.ts';
import { limitFilter } from '../engine/sql/limited-rows.ts';
import type { Limited } from '../engine/write/mutations.ts';

/** The record IDs of a job are fixed when it is accepted. An array of them takes 16 bytes for each record. */

export const BATCH_SIZE = 500;

export type RecordFilter = Omit<Filters, 'q'> & { q?: string | undefined; all?: true | undefined };

type FilteredTable = Pick<ResourceDefinition, 'name' | 'table' | 'isWithin' | 'filters'>;

interface Selected extends Limited {
  filter: RecordFilter;
  /** Relative times of the filter count from it. */
  now: Date;
}

interface MatchingShape {
  table: string;
  filters: readonly FilterSql[];
}

function selectMatching({ table, filters }: MatchingShape, param: Param): RawBuilder<unknown> {
  const conditions = filters.map(({ condition }) => condition.sql(param));
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  return sql`select id from ${sql.table(table)} ${where}`;
}

async function matching(db: Kysely<Database>, resource: FilteredTable, { filter, limit, now }: Selected) {
  const { q, all: _, ...given } = filter;
  // A job never searches for similar words.
  const search = q === undefined ? undefined : await searchFor(db, resource, q);
  const wanted = filtersOf({ ...given, q: search }, resource.filters, {
    isLimited: limit !== undefined,
    now,
  });
  const within = limitFilter(resource, limit);
  const filters = within === undefined ? wanted : [...wanted, within];
  const values: Record<string, unknown> = Object.assign({}, ...filters.map((one) => one.values));
  return { shape: { table: resource.table, filters: sqlOf(filters) }, values };
}

/** A tag, because numbering and grouping are expressions, which the builder would only wrap. */
const insertStatement = statement<MatchingShape, { count: number }>(
  (shape, param) => sql`
      with matching as materialized (${selectMatching(shape, param)}),
      counted as (select count(*)::int as count from matching),
      inserted as (
        insert into job_batch (job_id, number, ids)
        select ${param('new_job_id')}::uuid, (place - 1) / ${sql.lit(BATCH_SIZE)}, array_agg(id)
        from (select id, row_number() over (order by id) as place from matching) as placed
        where (select count from counted) = coalesce(${param('expected_count')}::int, (select count from counted))
        group by (place - 1) / ${sql.lit(BATCH_SIZE)}
      )
      select count from counted`,
);

/** None if an expected number differs from theirs. Returns their number, from the same snapshot. */
export async function insertBatches(
  trx: Transaction<Database>,
  resource: FilteredTable,
  { jobId, expectedCount, ...selected }: Selected & { jobId: string; expectedCount?: number },
): Promise<number> {
  const { shape, values } = await matching(trx, resource, selected);
  const [row] = await insertStatement(shape).execute(trx, {
    ...values,
    new_job_id: jobId,
    expected_count: expectedCount ?? null,
  });
  return row?.count ?? 0;
}

const previewStatement = statement<MatchingShape & { max: number }, { count: number; ids: string[] }>(
  ({ max, ...shape }, param) => sql`
      with matching as materialized (${selectMatching(shape, param)})
      select
        (select count(*)::int from matching) as count,
        (select coalesce(json_agg(id), '[]') from (select id from matching order by id limit ${sql.lit(max)}) as first) as ids`,
);

export async function firstMatching(
  trx: Transaction<Database>,
  resource: FilteredTable,
  { max, ...selected }: Selected & { max: number },
): Promise<{ count: number; ids: string[] }> {
  const { shape, values } = await matching(trx, resource, selected);
  const [row] = await previewStatement({ ...shape, max }).execute(trx, values);
  return row ?? { count: 0, ids: [] };
}

const hasChanged = sql<boolean>`changed <> '{}'`;

export async function countChanged(
  trx: Transaction<Database>,
  jobId: string,
): Promise<{ total: number; batches: number }> {
  return trx
    .selectFrom('job_batch')
    .where('job_id', '=', jobId)
    .where(hasChanged)
    .select([
      sql<number>`coalesce(sum(cardinality(changed)), 0)::int`.as('total'),
      sql<number>`count(*)::int`.as('batches'),
    ])
    .executeTakeFirstOrThrow();
}

export async function lastChanged(
  trx: Transaction<Database>,
  { jobId, max }: { jobId: string; max: number },
): Promise<string[]> {
  // A tag, because `unnest … with ordinality` is raw SQL in the builder too.
  const { rows } = await sql<{ id: string }>`
    select id from job_batch cross join unnest(changed) with ordinality as one (id, place)
    where job_id = ${jobId} order by number desc, place limit ${max}`.execute(trx);
  return rows.map(({ id }) => id);
}

/** For undoing a job: the records it has changed, the last ones first. */
export async function copyChangedBatches(
  trx: Transaction<Database>,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const number = sql<number>`row_number() over (order by number desc) - 1`;
  await trx
    .insertInto('job_batch')
    .columns(['job_id', 'number', 'ids'])
    .expression((one) =>
      one
        .selectFrom('job_batch')
        .where('job_id', '=', from)
        .where(hasChanged)
        .select([sql<string>`${to}::uuid`.as('job_id'), number.as('number'), 'changed']),
    )
    .execute();
}
