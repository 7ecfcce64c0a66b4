import { type Fragment, statement } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import { RosterError } from '../../errors/roster-error.ts';
import { columnOf } from '../fields/columns.ts';
import { type JsonShape, timeText } from '../json/record-json.ts';
import { RANKED_MAX, RELEVANCE, type RelevanceSql, relevanceOf } from '../search/relevance.ts';
import { withSimilar } from '../search/search.ts';
import type { Param } from '../sql/column-mapping.ts';
import { type Condition, type Filter, type FilterSql, sqlOf } from '../sql/filter.ts';
import { LIMIT_OFFICES, limitFilter, searchedText, shapeFor } from '../sql/limited-rows.ts';
import {
  type Edge,
  isBackward,
  isTime,
  orderOf,
  parseEdge,
  type Side,
  type Sort,
  startAtValue,
} from './cursor.ts';
import { filtersOf } from './filters.ts';
import type { Listable, ListInput, ListRequest } from './listable.ts';
import { type ReadPage, SEPARATOR } from './page-ends.ts';
import { anyRow, countOfRows, orderedRows, rankedRows, rowsByOffice } from './rows.ts';

/** @param offices those of a limit, for a value that depends on it */
function sortOf(
  sort: string,
  { tieBreaks = {}, sortColumns = {}, computedSorts = {} }: Listable,
  offices?: RawBuilder<unknown>,
): Sort {
  if (sort === RELEVANCE) return { key: sort, column: sort, isDescending: true };
  const key = sort.replace('-', '');
  const columnFor = (name: string) => sortColumns[name] ?? columnOf(name);
  const found = computedSorts[key];
  const seen = offices && found?.limited?.(offices);
  const computed = found && seen ? { ...found, value: seen } : found;
  const tie = tieBreaks[key];
  return {
    key,
    column: columnFor(key),
    isDescending: sort.startsWith('-'),
    ...(computed && { computed }),
    ...(tie !== undefined && { tieBreak: { key: tie, column: columnFor(tie) } }),
  };
}

interface PageRow extends ReadPage {
  total?: string;
}

interface ItemSql {
  selected: RawBuilder<unknown>;
  ordered: Sort;
  /** Selects `item`, `id`, `sort_value`, `sort_tie` if the sort has one, and `is_current` (schema version). */
  itemsOf: (rows: RawBuilder<unknown>) => RawBuilder<unknown>;
  sortText: (value: RawBuilder<Date>) => RawBuilder<unknown>;
}

function itemSql({ record, row, materialized }: JsonShape<unknown>, sort: Sort): ItemSql {
  const { key, computed, tieBreak, ...direction } = sort;
  const tieOf = (column: string | undefined) =>
    column === undefined ? sql`` : sql`, ${sql.ref(column)} as sort_tie`;
  const asText = (value: RawBuilder<unknown>) => sql`${value}::text`;
  if (row !== undefined && key !== RELEVANCE && sort.column === columnOf(key)) {
    // Its columns have the names and the format of the API.
    const ordered = {
      ...sort,
      column: key,
      ...(computed && { computed: { ...computed, value: sql.ref(key) } }),
      ...(tieBreak && { tieBreak: { ...tieBreak, column: tieBreak.key } }),
    };
    const itemsOf = (rows: RawBuilder<unknown>) => sql`
      select to_json(listed) as item, id, ${orderOf(ordered)} as sort_value${tieOf(tieBreak?.key)}, true as is_current
      from (${rows}) as listed`;
    return { selected: row, ordered, itemsOf, sortText: asText };
  }
  const sorted = sql`id, ${orderOf(sort)} as sort_value${tieOf(tieBreak?.column)}`;
  const item =
    materialized === undefined
      ? sql`${record} as item, true as is_current`
      : sql`${materialized.record} as item, (${materialized.isCurrent}) is true as is_current`;
  return {
    selected: sql`${sorted}, ${item}`,
    ordered: {
      ...direction,
      key,
      column: 'sort_value',
      ...(tieBreak && { tieBreak: { ...tieBreak, column: 'sort_tie' } }),
    },
    itemsOf: (rows) => rows,
    sortText: isTime(key) ? timeText : asText,
  };
}

/** Values are then hidden from the planner, so that PostgreSQL plans the statement once. */
function hasOrderedIndex(filters: Filter[], { column }: Sort, { orderedIndexes = {} }: Listable): boolean {
  const [first, ...others] = filters.filter(({ values }) => Object.keys(values).length > 0);
  if (first === undefined) return true;
  return others.length === 0 && first.one !== undefined && orderedIndexes[first.one] === column;
}

/** For more offices PostgreSQL decides how to read their records. */
const OFFICES_MAX = 500;

/**
 * The office column if the records of a limit are read office by office: unless another filter may find them
 * faster, or the sort has no column. PostgreSQL would read all records in list order, because it expects
 * those of the offices to be spread evenly; but directories are often imported office by office.
 */
function officeColumnOf(
  asked: Filter[],
  { key, computed }: Sort,
  { resource, limit }: Pick<ListRequest<{ id: string }>, 'resource' | 'limit'>,
): string | undefined {
  if (limit === undefined || limit.offices.size > OFFICES_MAX) return undefined;
  const isFiltered = asked.some(({ values }) => Object.keys(values).length > 0);
  return isFiltered || computed !== undefined || key === RELEVANCE ? undefined : resource.officeColumn;
}

/** Values hidden from the planner. Offices are sent in binary, which requires an explicit type. */
const hideFromPlanner =
  (param: Param): Param =>
  (name) =>
    name === LIMIT_OFFICES ? sql`(select ${param(name)}::uuid[])` : sql`(select ${param(name)})`;

function edgeOfPage({ cursor, direction, startAt }: ListInput, list: unknown, sort: Sort): Edge | undefined {
  const start = startAt === undefined ? undefined : startAtValue(startAt, sort);
  const edge = cursor === undefined ? start : parseEdge(cursor, list, sort);
  if (direction === 'backward' && (cursor === undefined || edge === undefined || !isBackward(edge))) {
    throw new RosterError('invalid_cursor', 'The direction backward requires a prevCursor as the cursor.');
  }
  return edge;
}

/** By position from 1. Arrays are cheaper than row numbers, for which PostgreSQL copies every row. */
function at(position: number, value: RawBuilder<unknown>): RawBuilder<Date> {
  return sql<Date>`(array_agg(${value}))[${sql.lit(position)}]`;
}

function endAt(
  place: number,
  name: 'first' | 'last',
  { tieBreak }: Sort,
  sortText: ItemSql['sortText'],
): RawBuilder<unknown> {
  const tie = tieBreak && sql`, ${at(place, sql.ref('sort_tie'))} as ${sql.id(`${name}_tie`)}`;
  return sql`
    ${at(place, sql.ref('id'))}::text as ${sql.id(`${name}_id`)},
    ${sortText(at(place, sql.ref('sort_value')))} as ${sql.id(`${name}_value`)}${tie ?? sql``}`;
}

interface PageShape {
  of: Listable;
  shown: JsonShape<unknown>;
  isMaterialized: boolean;
  sort: string;
  filters: readonly FilterSql[];
  within: Fragment<Condition> | undefined;
  ranking: Fragment<RelevanceSql> | undefined;
  edge: { side: Side; hasTie: boolean } | undefined;
  isStart: boolean;
  includeTotal: boolean;
  limit: number;
  isOrdered: boolean;
  officeColumn: string | undefined;
}

const pageStatementOf = statement<PageShape, PageRow>(
  ({ of, isMaterialized, sort: sortName, filters: asked, within, ranking, ...shape }, seen) => {
    const { edge, isStart, includeTotal, limit, officeColumn } = shape;
    const isLimited = within !== undefined;
    const sort = sortOf(sortName, of, isLimited ? seen(LIMIT_OFFICES) : undefined);
    const param = !includeTotal && shape.isOrdered ? hideFromPlanner(seen) : seen;
    const filters = isLimited ? [...asked, { condition: within }] : asked;
    const filtered = { table: of.table, filters, param };
    const edgeParams = {
      value: param('edge'),
      tie: edge?.hasTie ? param('edge tie') : undefined,
      id: param('edge id'),
    };
    const total = includeTotal ? sql`, (${countOfRows(filtered)})::text as total` : sql``;
    const { materialized, ...shown } = shapeFor(shape.shown, { isLimited, param: seen });
    const json = isMaterialized && materialized !== undefined ? { ...shown, materialized } : shown;
    const { selected, ordered, itemsOf, sortText } = itemSql(json, sort);
    const read = {
      ...filtered,
      sort,
      edge: edge && { ...edgeParams, side: edge.side },
      selected,
      // One row more, to know whether another page follows.
      limit: limit + 1,
    };
    // Without an order, rows out of the limit would influence which are taken.
    const text = searchedText(of, { isLimited, param: seen });
    const taken = isLimited ? sql`order by created_at desc, id desc` : sql``;
    const rowsOf = () => {
      if (ranking !== undefined)
        return rankedRows({ ...read, relevance: ranking.sql(seen), max: RANKED_MAX, taken, text });
      if (officeColumn === undefined) return orderedRows(ordered, read);
      return rowsByOffice({ ...read, filters: asked }, { officeColumn, offices: param(LIMIT_OFFICES) });
    };
    const first = edge === undefined ? sql`` : sql`, ${endAt(1, 'first', sort, sortText)}`;
    const before = isStart
      ? sql`, ${anyRow({ ...filtered, sort, edge: { ...edgeParams, side: 'before' } })} as has_before`
      : sql``;
    return sql`
      select
        case when bool_and(is_current) is not false
          then coalesce(string_agg(item::text, ${sql.lit(SEPARATOR)}), '') end as items,
        ${at(limit + 1, sql.ref('id'))}::text as next_id, ${endAt(limit, 'last', sort, sortText)}${first}${before}${total}
      from (${itemsOf(rowsOf())}) as page`;
  },
  ({ within, officeColumn, includeTotal }) => ({
    isReadOnly: true,
    isText: true,
    byteColumn: 'items',
    // A count reads as many rows as there are.
    ...(!includeTotal && { lane: 'pages' }),
    // A limit may have a few offices or thousands.
    isPlannedForValues: within !== undefined && officeColumn === undefined,
  }),
);

interface PageReading {
  shown: JsonShape<unknown>;
  isMaterialized: boolean;
}

export function pageStatement<Row extends { id: string }>(
  { resource, input, now = new Date(), kept, search, similar: added, limit: officeLimit }: ListRequest<Row>,
  { shown, isMaterialized }: PageReading,
) {
  const {
    limit,
    cursor,
    direction: _,
    sort: sortName,
    includeTotal = false,
    highlight: __,
    ...given
  } = input;
  const sort = sortOf(sortName, resource);
  const list = [resource.name, sortName, given];
  const { startAt, ...narrowing } = given;
  const edge = edgeOfPage(input, list, sort);
  const similar = added ?? edge?.similar;
  const words = search && withSimilar(search, similar);
  const isLimited = officeLimit !== undefined;
  const isRanked = sortName === RELEVANCE;
  const q = words && { ...words, isLimited };
  const asked = filtersOf({ ...narrowing, ...kept, q }, resource.filters, { isLimited, now });
  const within = limitFilter(resource, officeLimit);
  const officeColumn = officeColumnOf(asked, sort, { resource, limit: officeLimit });
  const relevance = isRanked ? relevanceOf(words ?? { terms: [], words: [] }) : undefined;
  const isStart = cursor === undefined && startAt !== undefined;
  const statement = pageStatementOf({
    of: resource,
    shown,
    isMaterialized,
    sort: sortName,
    filters: sqlOf(asked),
    within: within?.condition,
    ranking: relevance?.ranking,
    edge: edge && { side: edge.side, hasTie: edge.tie !== undefined },
    isStart,
    includeTotal,
    limit,
    isOrdered: isLimited ? officeColumn !== undefined : hasOrderedIndex(asked, sort, resource),
    officeColumn,
  });
  const values = { edge: edge?.value, 'edge tie': edge?.tie, 'edge id': edge?.id, ...relevance?.values };
  const place = { list, edge, isStart, similar };
  return {
    statement,
    place,
    terms: words?.terms,
    values: Object.assign(values, ...asked.map((filter) => filter.values), within?.values),
  };
}
