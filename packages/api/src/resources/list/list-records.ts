import { compiledVariants, type Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { RosterError } from '../../errors/roster-error.ts';
import { columnOf } from '../fields/columns.ts';
import type { BinaryString } from '../json/binary-string.ts';
import { RawJson } from '../json/raw-json.ts';
import { type JsonShape, timeText } from '../json/record-json.ts';
import type { Param } from '../write/column-mapping.ts';
import {
  type ComputedValue,
  type Edge,
  edgeOf,
  isBackward,
  isTime,
  orderOf,
  type Sort,
  startAtValue,
} from './cursor.ts';
import type { Filter } from './filter.ts';
import { type Filters, filtersOf } from './filters.ts';
import { licenseExpiry } from './license-expiry.ts';
import { cursorsOf, itemsOn, type ReadPage, SEPARATOR } from './page-ends.ts';
import { anyRow, countOfRows, orderedRows } from './rows.ts';
import { foldedWords } from './search.ts';

/** What a list needs to know of what it lists. */
export interface Listable<Row extends { id: string } = { id: string }> extends JsonShape<Row> {
  /** Identifies the list; a cursor of another list is rejected. */
  name: string;
  table: string;
  /** The key and the column of the sort by name. */
  nameSort: { key: string; column: string };
  /** Columns whose index goes on in the order of another column: which that is. */
  orderedIndexes?: Record<string, string>;
  /** Whether its rows have a version. */
  isVersioned?: boolean;
}

/** What the caller of a list asked for, validated. */
interface ListInput extends Omit<Filters, 'q'> {
  q?: string | undefined;
  limit: number;
  sort: string;
  cursor?: string | undefined;
  direction?: 'forward' | 'backward' | undefined;
  startAt?: string | undefined;
  includeTotal?: boolean | undefined;
}

export interface Page<Row> {
  items: Row[];
  nextCursor?: string;
  prevCursor?: string;
  total?: number;
}

/** The values of sorts that no column has. */
const computedValues: Record<string, ComputedValue> = { nextLicenseExpiresOn: licenseExpiry };

function sortOf(sort: string, { nameSort }: Listable): Sort {
  const key = sort.replace('-', '');
  const column = key === nameSort.key ? nameSort.column : columnOf(key);
  const computed = computedValues[key];
  return { key, column, isDescending: sort.startsWith('-'), ...(computed && { computed }) };
}

/** A query that narrows a list by what `filters.ts` has no condition for does not compile. */
type Known<Input extends ListInput> = Input & Record<Exclude<keyof Input, keyof ListInput>, never>;

interface ListRequest<Row extends { id: string }, Input extends ListInput = ListInput> {
  resource: Listable<Row>;
  /** How each item is shown where that is more than the record, and the name that tells it from that. */
  expanded?: { name: string; shape: JsonShape<Row> } | undefined;
  input: Known<Input>;
  /** The words of its search, folded. */
  words?: string[] | undefined;
}

/** One row that holds a page. */
interface PageRow extends ReadPage {
  /** How many records match, if that was asked for. */
  total?: BinaryString;
}

/** How the rows of a list become the items of a page. */
interface ItemSql {
  /** What is selected of each row. */
  selected: RawBuilder<unknown>;
  /** The sort of that. */
  ordered: Sort;
  /** Of a select of that: a select of `item`, `id`, `sort_value` and `is_current` (of the schema version that is asked for). */
  itemsOf: (rows: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** A sort value as text. */
  sortText: (value: RawBuilder<Date>) => RawBuilder<unknown>;
}

function itemSql({ record, row, materialized }: JsonShape<unknown>, sort: Sort): ItemSql {
  const { key, computed, ...direction } = sort;
  const asText = (value: RawBuilder<unknown>) => sql`${value}::text`;
  if (row !== undefined) {
    // Its columns are named and written as in the API.
    const ordered = {
      ...sort,
      column: key,
      ...(computed && { computed: { ...computed, value: sql.ref(key) } }),
    };
    const itemsOf = (rows: RawBuilder<unknown>) => sql`
      select to_json(listed) as item, id, ${orderOf(ordered)} as sort_value, true as is_current
      from (${rows}) as listed`;
    return { selected: row, ordered, itemsOf, sortText: asText };
  }
  const sorted = sql`id, ${orderOf(sort)} as sort_value`;
  const item =
    materialized === undefined
      ? sql`${record} as item, true as is_current`
      : sql`${materialized.record} as item, (${materialized.isCurrent}) is true as is_current`;
  return {
    selected: sql`${sorted}, ${item}`,
    ordered: { ...direction, key, column: 'sort_value' },
    itemsOf: (rows) => rows,
    sortText: isTime(key) ? timeText : asText,
  };
}

const pageStatements = compiledVariants<PageRow>({ isReadOnly: true, isBinary: true });

/**
 * Whether an index has these rows together and in their order, whatever the values are. Then the values are hidden from
 * the planner, so that PostgreSQL plans the statement once and not for each request.
 */
function hasOrderedIndex(filters: Filter[], { column }: Sort, { orderedIndexes = {} }: Listable): boolean {
  const [first, ...others] = filters.filter(({ values }) => Object.keys(values).length > 0);
  if (first === undefined) return true;
  return others.length === 0 && first.one !== undefined && orderedIndexes[first.one] === column;
}

/** Values as the planner does not see them. */
const hideFromPlanner =
  (param: Param): Param =>
  (name) =>
    sql`(select ${param(name)})`;

/** Where a page begins, unless at the first record of the list. */
function edgeOfPage({ cursor, direction, startAt }: ListInput, list: unknown, sort: Sort): Edge | undefined {
  const start = startAt === undefined ? undefined : startAtValue(startAt, sort);
  const edge = cursor === undefined ? start : edgeOf(cursor, list, sort);
  if (direction === 'backward' && (cursor === undefined || edge === undefined || !isBackward(edge))) {
    throw new RosterError('invalid_cursor', 'The direction backward requires a prevCursor as the cursor.');
  }
  return edge;
}

/** The statement of a page, with its values: the JSON of its items and of one more, and the total if it was asked for. */
function pageStatement<Row extends { id: string }>(
  { resource, expanded, input, words }: ListRequest<Row>,
  shown: JsonShape<unknown>,
) {
  const { limit, cursor, direction: _, sort: sortName, includeTotal = false, ...given } = input;
  const sort = sortOf(sortName, resource);
  const list = [resource.name, sortName, given];
  const { startAt, ...narrowing } = given;
  const { shape, filters } = filtersOf({ ...narrowing, q: words });
  const edge = edgeOfPage(input, list, sort);
  // Only here it is not known from the page before whether there is one.
  const isStart = cursor === undefined && startAt !== undefined;
  const isMaterialized = shown.materialized !== undefined;
  const kind = [
    resource.name,
    expanded?.name,
    isMaterialized,
    sortName,
    shape,
    edge?.side,
    isStart,
    includeTotal,
    limit,
  ];
  const statement = pageStatements(kind.join('|'), (seen) => {
    const param = !includeTotal && hasOrderedIndex(filters, sort, resource) ? hideFromPlanner(seen) : seen;
    const filtered = { table: resource.table, filters, param };
    const edgeParams = { value: param('edge'), id: param('edge id') };
    const total = includeTotal ? sql`, (${countOfRows(filtered)})::text as total` : sql``;
    const { selected, ordered, itemsOf, sortText } = itemSql(shown, sort);
    const rows = orderedRows(ordered, {
      ...filtered,
      sort,
      edge: edge && { ...edgeParams, side: edge.side },
      selected,
      // One row more than the page has, to know whether another follows.
      limit: limit + 1,
    });
    // Arrays cost less than numbers of rows, for which PostgreSQL copies every row.
    const at = (position: number, value: RawBuilder<unknown>) =>
      sql<Date>`(array_agg(${value}))[${sql.lit(position)}]`;
    const first =
      edge === undefined
        ? sql``
        : sql`, ${at(1, sql.ref('id'))}::text as first_id, ${sortText(at(1, sql.ref('sort_value')))} as first_value`;
    const before = isStart
      ? sql`, ${anyRow({ ...filtered, sort, edge: { ...edgeParams, side: 'before' } })} as has_before`
      : sql``;
    return sql`
      select
        case when bool_and(is_current) is not false
          then coalesce(string_agg(json_send(item), ${sql.lit(SEPARATOR)}), '') end as items,
        ${at(limit + 1, sql.ref('id'))}::text as next_id, ${at(limit, sql.ref('id'))}::text as last_id,
        ${sortText(at(limit, sql.ref('sort_value')))} as last_value${first}${before}${total}
      from (${itemsOf(rows)}) as page`;
  });
  // The size of the page is part of the text: PostgreSQL plans for a tenth of all rows where it does not know it.
  const values = { edge: edge?.value, 'edge id': edge?.id };
  const place = { list, edge, isStart };
  return { statement, place, values: Object.assign(values, ...filters.map((filter) => filter.values)) };
}

/** Reads a page. Uses the materialised JSON if all of it has the current schema version, and builds all of it otherwise. */
async function pageRow<Row extends { id: string }>(
  db: Kysely<Database>,
  request: ListRequest<Row>,
  shown: JsonShape<unknown>,
) {
  const { statement, values, ...page } = pageStatement(request, shown);
  const [row] = await statement.execute(db, values);
  if (row === undefined) throw new Error('a page is one row');
  if (row.items === null) return pageRow(db, request, { record: shown.record });
  return { ...page, row };
}

/**
 * One page of a list, by keyset: it costs the same wherever it begins. Items and total are of one snapshot.
 * Throws `invalid_cursor`, `cursor_mismatch`, and `invalid_parameter` if `startAt` is no value of the sort.
 */
export async function readPage<Row extends { id: string }, Input extends ListInput>(
  db: Kysely<Database>,
  request: ListRequest<Row, Input>,
): Promise<RawJson<Page<Row>>> {
  const { resource, expanded, input } = request;
  const words = input.q === undefined ? undefined : await foldedWords(db, input.q);
  const { row, place } = await pageRow(db, { ...request, words }, expanded?.shape ?? resource);
  const items = itemsOn(row, place);
  // As `RawJson.take` does: the promises that brought the row keep it for long.
  row.items = null;
  const { nextCursor, prevCursor } = cursorsOf(row, place);
  const rest = [
    ...(nextCursor === undefined ? [] : [`,"nextCursor":${JSON.stringify(nextCursor)}`]),
    ...(prevCursor === undefined ? [] : [`,"prevCursor":${JSON.stringify(prevCursor)}`]),
    ...(row.total === undefined ? [] : [`,"total":${row.total}`]),
  ];
  return new RawJson(['{"items":[', items, `]${rest.join('')}}`], { nextCursor, prevCursor });
}
