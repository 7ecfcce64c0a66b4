import { type RawBuilder, sql } from 'kysely';
import type { RelevanceSql } from '../search/relevance.ts';
import type { Param } from '../sql/column-mapping.ts';
import type { Condition, FilterSql } from '../sql/filter.ts';
import { inOrder, isBackward, isOnSide, type Position, type Side, type Sort } from './cursor.ts';

/** The rows that a list reads: those that meet all filters. */
interface FilteredRows {
  table: string;
  filters: readonly FilterSql[];
  param: Param;
}

function where(all: Condition[]): RawBuilder<unknown> {
  return all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`;
}

/** The part of a select after FROM: the tables, the conditions, and the names that the columns of the sort have there. */
interface Part {
  from: RawBuilder<unknown>;
  conditions: Condition[];
  sameColumns: Record<string, string>;
}

/** One part, or those of a filter that has several. No row is in two. */
function partsOf({ table, filters, param }: FilteredRows): Part[] {
  const conditions = filters.map(({ condition }) => condition.sql(param));
  const place = filters.findIndex(({ parts }) => parts !== undefined);
  const parts = filters[place]?.parts?.sql(param);
  if (parts === undefined) return [{ from: sql.table(table), conditions, sameColumns: {} }];
  return parts.map(({ join, condition, sameColumns = {} }) => ({
    from: join === undefined ? sql.table(table) : sql`${sql.table(table)} ${join}`,
    conditions: conditions.with(place, condition),
    sameColumns,
  }));
}

function sortIn({ sameColumns }: Part, sort: Sort): Sort {
  const column = sameColumns[sort.column];
  return column === undefined ? sort : { ...sort, column, idColumn: sameColumns.id ?? 'id' };
}

/** The edge at which a page begins, as parameters. */
interface EdgeParams extends Position {
  side: Side;
}

interface OrderedRows extends FilteredRows {
  sort: Sort;
  edge: EdgeParams | undefined;
  selected: RawBuilder<unknown>;
  limit: number;
}

interface RankedRows extends OrderedRows {
  relevance: RelevanceSql;
  /** The largest number of rows that are ranked. */
  max: number;
  /** The order in which they are taken, if more meet all filters; without it any are. */
  taken: RawBuilder<unknown>;
}

/** For each part a select of its first rows in the order of the sort, which an index may have. */
function selectsOf({ sort, edge, selected, limit, ...filtered }: OrderedRows): RawBuilder<unknown>[] {
  const isReversed = edge !== undefined && isBackward(edge);
  return partsOf(filtered).map((part) => {
    const own = sortIn(part, sort);
    const onward = edge === undefined ? [] : [isOnSide(edge, own, edge.side)];
    return sql`
      select ${selected} from ${part.from} ${where([...part.conditions, ...onward])} ${inOrder(own, { isReversed })}
      limit ${sql.lit(limit)}`;
  });
}

/**
 * A select of the first rows in the order of the sort. Parts are read in that order, each to the limit, and merged.
 * @param ordered the sort of what is selected
 */
export function orderedRows(ordered: Sort, rows: OrderedRows): RawBuilder<unknown> {
  const selects = selectsOf(rows);
  const [first, ...others] = selects;
  if (first !== undefined && others.length === 0) return first;
  const all = sql.join(
    selects.map((one) => sql`(${one})`),
    sql` union all `,
  );
  const isReversed = rows.edge !== undefined && isBackward(rows.edge);
  return sql`
    select * from (${all}) as merged ${inOrder(ordered, { isReversed })} limit ${sql.lit(rows.limit)}`;
}

/**
 * A select of the first rows in the order of a score, of the rows whose name is the search and of the first `max` rows that meet all
 * filters.
 */
export function rankedRows({ relevance, max, taken, ...rows }: RankedRows): RawBuilder<unknown> {
  const { table, filters, param, sort, edge, selected, limit } = rows;
  const { score, isWholeName } = relevance;
  const conditions = filters.map(({ condition }) => condition.sql(param));
  const order = inOrder(sort, { isReversed: edge !== undefined && isBackward(edge) });
  const onward = edge === undefined ? [] : [isOnSide(edge, sort, edge.side)];
  const [value, count] = [sql.ref(sort.column), sql.lit(max)];
  const matching = (more: Condition[]) => sql`
    (select id, search_text from ${sql.table(table)} ${where([...conditions, ...more])} ${taken} limit ${count})`;
  const named = isWholeName === undefined ? sql`` : sql`${matching([isWholeName])} union `;
  return sql`
    select ${selected} from (
      select id, ${value} from (
        select id, ${score} as ${value} from (${named}${matching([])}) as matching
        ${inOrder(sort, { isReversed: false })} limit ${count}
      ) as scored ${where(onward)} ${order} limit ${sql.lit(limit)}
    ) as ranked join ${sql.table(table)} using (id) ${order}`;
}

/**
 * A select of the first rows in the order of the sort, of some offices: the first ones of each are found by themselves, and only the first
 * of all are read.
 */
export function rowsByOffice(
  { table, filters, param, sort, edge, selected, limit }: OrderedRows,
  { officeColumn, offices }: { officeColumn: string; offices: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const order = inOrder(sort, { isReversed: edge !== undefined && isBackward(edge) });
  const onward = edge === undefined ? [] : [isOnSide(edge, sort, edge.side)];
  const isOfOffice = sql<boolean>`${sql.ref(`${table}.${officeColumn}`)} = one_office`;
  const conditions = [isOfOffice, ...filters.map(({ condition }) => condition.sql(param)), ...onward];
  const max = sql.lit(limit);
  const sorted = sql.join(
    [sort.column, sort.tieBreak?.column].flatMap((name) => (name ? [sql.ref(name)] : [])),
  );
  return sql`
    select ${selected} from (
      select id from unnest(${offices}::uuid[]) as offices (one_office) cross join lateral (
        select id, ${sorted} from ${sql.table(table)} ${where(conditions)} ${order} limit ${max}
      ) as first_of_office ${order} limit ${max}
    ) as first_of_all join ${sql.table(table)} using (id) ${order}`;
}

/** '1' if there is any row on a side of a position, as an expression; else null. Read in order, so that an index answers it. */
export function anyRow(rows: Omit<OrderedRows, 'selected' | 'limit'>): RawBuilder<unknown> {
  const selects = selectsOf({ ...rows, selected: sql`'1'`, limit: 1 });
  return sql`coalesce(${sql.join(selects.map((one) => sql`(${one})`))})`;
}

/** The number of rows, as an expression. */
export function countOfRows(filtered: FilteredRows): RawBuilder<unknown> {
  const counts = partsOf(filtered).map(
    ({ from, conditions }) => sql`(select count(*) from ${from} ${where(conditions)})`,
  );
  return sql.join(counts, sql` + `);
}
