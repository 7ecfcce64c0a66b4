import { compileOnce, type Database, type Param, statement } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type DirectoryResource, definitions } from '../directory/registry.ts';
import { limitColumnOf } from '../engine/definition.ts';
import { columnsOf } from '../engine/fields/columns.ts';
import { timeText } from '../engine/json/record-json.ts';
import { isRowWithin, type OfficeLimit, officesValue } from '../engine/office-limit.ts';
import { dayFrom, expiry, listOf, type OwnCounts, ownCounts, statusCounts } from './counts.ts';
import { MONTHS_MAX, REGIONS_MAX, type Stats } from './schemas.ts';

type Db = Kysely<Database>;

const regionColumnsOf = ({ name }: DirectoryResource) =>
  ownCounts[name]?.regions ?? { country: 'address_country', region: 'address_region' };

function regionsOf(definition: DirectoryResource): RawBuilder<unknown> {
  const columns = regionColumnsOf(definition);
  const [country, region] = [sql.ref(columns.country), sql.ref(columns.region)];
  return listOf(sql`
    select ${country} as country, ${region} as region, ${statusCounts} from ${sql.table(definition.table)}
    group by ${country}, ${region}
    order by count(*) desc, ${country}, ${region} limit ${sql.lit(REGIONS_MAX)}`);
}

const monthOf = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM')`;

function monthsOf(table: string): RawBuilder<unknown> {
  return listOf(sql`
    select month, sum(joined)::int as joined, sum("left")::int as "left" from (
      select ${monthOf('created_at')} as month, count(*) as joined, 0 as "left" from ${sql.table(table)} group by 1
      union all
      select ${monthOf('deactivated_at')}, 0, count(*) from ${sql.table(table)} where status = 'inactive' group by 1
    ) as counted group by month order by month desc limit ${sql.lit(MONTHS_MAX)}`);
}

function licensesOf(table: string, now: RawBuilder<unknown>): RawBuilder<unknown> {
  const day = (days: number) => dayFrom(now, days);
  const within = (days: number) =>
    sql`count(*) filter (where expiry >= ${day(0)} and expiry < ${day(days + 1)})`;
  return sql`(
    select json_build_object('expired', count(*) filter (where expiry < ${day(0)}),
      'next30Days', ${within(30)}, 'next60Days', ${within(60)}, 'next90Days', ${within(90)})
    from (select ${expiry} as expiry from ${sql.table(table)}
          where licenses <> '[]') as licensed)`;
}

const byStatusOf = (table: string) => sql`(select ${statusCounts} from ${sql.table(table)})`;

const countedColumns = [
  'status',
  'created_at',
  'deactivated_at',
  'address_country',
  'address_region',
  'licenses',
];

function countedColumnsOf({ fields }: DirectoryResource): string[] {
  const columns = new Set(Object.entries(fields).flatMap(([name, field]) => columnsOf(name, field)));
  return countedColumns.filter((column) => columns.has(column));
}
const officeColumns = ['id', 'name'];

function visibleRows(offices: RawBuilder<unknown>): RawBuilder<unknown> {
  const tables = definitions.map((definition) => {
    const { name, table, limit } = definition;
    const counted: OwnCounts | undefined = ownCounts[name];
    const own = [...(limit?.column === 'id' ? officeColumns : []), ...(counted?.columns ?? [])];
    const columns: RawBuilder<unknown>[] = [...own, ...countedColumnsOf(definition)].map((column) =>
      sql.ref(column),
    );
    const regions = counted?.regions;
    if (regions !== undefined)
      for (const column of [regions.country, regions.region])
        columns.push(
          sql`case when ${regions.isWithin(offices)} then ${sql.ref(column)} end as ${sql.id(column)}`,
        );
    return sql`${sql.table(table)} as materialized (
    select ${sql.join(columns)} from ${sql.table(table)}
    where ${isRowWithin(limitColumnOf(definition, table), offices)})`;
  });
  return sql`with ${sql.join(tables)}`;
}

/** One statement for one snapshot. A tag, because almost everything in it is an expression. */
const counting = statement<{ isLimited: boolean }, { stats: Stats }>(
  ({ isLimited }, param) => {
    const now = param('now');
    const counts = definitions.map((definition) => {
      const { name, table, fields } = definition;
      const counted = ownCounts[name];
      const own = counted === undefined ? sql`` : sql`${counted.sql(now)}, `;
      const regions = 'address' in fields ? sql`'byRegion', ${regionsOf(definition)}, ` : sql``;
      const licenses = 'licenses' in fields ? sql`, 'licenses', ${licensesOf(table, now)}` : sql``;
      return sql`${sql.lit(name)}, (
      select json_build_object('active', active, 'inactive', inactive, ${own}
        ${regions}'byMonth', ${monthsOf(table)}${licenses})
      from ${byStatusOf(table)} as totals)`;
    });
    return sql`
      ${isLimited ? visibleRows(param('offices')) : sql``}
      select json_build_object('asOf', ${timeText(sql<Date>`${now}::timestamptz`)},
        ${sql.join(counts)}) as stats`;
  },
  ({ isLimited }) => ({ isReadOnly: true, isPlannedForValues: isLimited }),
);

/** Within the limit. A million records take seconds. */
export async function countDirectory(
  db: Db,
  { now, limit }: { now: Date; limit: OfficeLimit | undefined },
): Promise<Stats> {
  const values = { now, offices: limit && officesValue(limit) };
  const [row] = await counting({ isLimited: limit !== undefined }).execute(db, values);
  if (row === undefined) throw new Error('a select without a table is one row');
  return row.stats;
}

const storedQuery = compileOnce(
  (_: Param<object>, db: Kysely<Database>) =>
    db.selectFrom('directory_stats').select('counts as stats').$narrowType<{ stats: Stats }>(),
  {
    isReadOnly: true,
  },
);

export async function findStoredStats(db: Db): Promise<Stats | undefined> {
  const [stored] = await storedQuery.execute(db, {});
  return stored?.stats;
}

export async function storeStats(db: Db, stats: Stats): Promise<void> {
  const values = { counts: JSON.stringify(stats) };
  await db
    .insertInto('directory_stats')
    .values(values)
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet(values))
    .execute();
}
