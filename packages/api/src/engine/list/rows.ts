import { type RawBuilder, sql } from 'kysely';
import type { RelevanceSql } from '../search/relevance.ts';
import type { Param } from '../sql/column-mapping.ts';
import type { Condition, FilterSql } from '../sql/filter.ts';
import { inOrder, isBackward, isOnSide, type Position, type Side, type Sort } from './cursor.ts';

interface FilteredRows {
  table: string;
  filters: readonly FilterSql[];
  param: Param;
}

function where(all: Condition[]): RawBuilder<unknown> {
  return all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`;
}

interface Part {
  from: RawBuilder<unknown>;
  conditions: Condition[];
  sameColumns: Record<string, string>;
}

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
  max: number;
  taken: RawBuilder<unknown>;
  /** The searched text that may be seen. */
  text: RawBuilder<string>;
}

/** One select for each part, of its first rows in sort order, which an index may have. */
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

/** Each part is read in order up to the limit, then merged. `ordered` is the sort of the selected columns. */
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

/** The best-scored rows, among those whose whole name is the search and the first `max` rows that match. */
export function rankedRows({ relevance, max, taken, text, ...rows }: RankedRows): RawBuilder<unknown> {
  const { table, filters, param, sort, edge, selected, limit } = rows;
  const { score, isWholeName } = relevance;
  const conditions = filters.map(({ condition }) => condition.sql(param));
  const order = inOrder(sort, { isReversed: edge !== undefined && isBackward(edge) });
  const onward = edge === undefined ? [] : [isOnSide(edge, sort, edge.side)];
  const [value, count] = [sql.ref(sort.column), sql.lit(max)];
  const matching = (more: Condition[]) => sql`
    (select id, ${text} as search_text from ${sql.table(table)} ${where([...conditions, ...more])} ${taken} limit ${count})`;
  const named = isWholeName === undefined ? sql`` : sql`${matching([isWholeName])} union `;
  return sql`
    select ${selected} from (
      select id, ${value} from (
        select id, ${score} as ${value} from (${named}${matching([])}) as matching
        ${inOrder(sort, { isReversed: false })} limit ${count}
      ) as scored ${where(onward)} ${order} limit ${sql.lit(limit)}
    ) as ranked join ${sql.table(table)} using (id) ${order}`;
}

/** Finds the first rows of each office, then reads only the resulting ones in full. */
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

/** '1' if there is a row on this side, else null. Read in order, so that an index can be used. */
export function anyRow(rows: Omit<OrderedRows, 'selected' | 'limit'>): RawBuilder<unknown> {
  const selects = selectsOf({ ...rows, selected: sql`'1'`, limit: 1 });
  return sql`coalesce(${sql.join(selects.map((one) => sql`(${one})`))})`;
}

export function countOfRows(filtered: FilteredRows): RawBuilder<unknown> {
  const counts = partsOf(filtered).map(
    ({ from, conditions }) => sql`(select count(*) from ${from} ${where(conditions)})`,
  );
  return sql.join(counts, sql` + `);
}
