import { compiledVariants, type Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { columnOf } from '../fields/columns.ts';
import { type BinaryString, decodeBinaryString } from '../json/binary-string.ts';
import { RawJson } from '../json/raw-json.ts';
import { type JsonShape, timeText } from '../json/record-json.ts';
import type { Param } from '../write/column-mapping.ts';
import { cursorAfter, inOrder, isAfter, isTime, positionOf, type Sort } from './cursor.ts';
import type { Filter } from './filter.ts';
import { type Filters, filtersOf } from './filters.ts';
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
  direction?: 'forward' | undefined;
  includeTotal?: boolean | undefined;
}

export interface Page<Row> {
  items: Row[];
  nextCursor?: string;
  total?: number;
}

function where(all: RawBuilder<boolean>[]): RawBuilder<unknown> {
  return all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`;
}

function sortOf(sort: string, { nameSort }: Listable): Sort {
  const key = sort.replace('-', '');
  const column = key === nameSort.key ? nameSort.column : columnOf(key);
  return { key, column, isDescending: sort.startsWith('-') };
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

/** Between two items of a page. No line break is within one: PostgreSQL writes none into JSON, and escapes those of texts. */
const SEPARATOR = ',\n';

/** One row that holds a page, as binary strings. */
interface PageRow {
  /** The records as JSON, with `SEPARATOR` between two; null if the rows of some keep JSON of another schema version. */
  items: BinaryString | null;
  /** If another page follows, the last item is its first: the id of that. */
  next_id: BinaryString | null;
  /** If the page is full: the sort value and the id of its last record. */
  last_value: BinaryString | null;
  last_id: BinaryString | null;
  /** How many records match, if that was asked for. */
  total?: BinaryString;
}

/** How the rows of a list become the items of a page. */
interface ItemSql {
  /** What is selected of each row. */
  selected: RawBuilder<unknown>;
  /** Of a select of that: a select of `item`, `id`, `sort_value` and `is_current` (of the schema version that is asked for). */
  itemsOf: (rows: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** A sort value as text. */
  sortText: (value: RawBuilder<Date>) => RawBuilder<unknown>;
}

function itemSql({ record, row, materialized }: JsonShape<unknown>, { key, column }: Sort): ItemSql {
  const asText = (value: RawBuilder<unknown>) => sql`${value}::text`;
  if (row !== undefined) {
    // Its columns are named and written as in the API.
    const itemsOf = (rows: RawBuilder<unknown>) => sql`
      select to_json(listed) as item, id, ${sql.ref(key)} as sort_value, true as is_current
      from (${rows}) as listed`;
    return { selected: row, itemsOf, sortText: asText };
  }
  const sorted = sql`id, ${sql.ref(column)} as sort_value`;
  const item =
    materialized === undefined
      ? sql`${record} as item, true as is_current`
      : sql`${materialized.record} as item, (${materialized.isCurrent}) is true as is_current`;
  return {
    selected: sql`${sorted}, ${item}`,
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

/** The statement of a page, with its values: the JSON of its items and of one more, and the total if it was asked for. */
function pageStatement<Row extends { id: string }>(
  { resource, expanded, input, words }: ListRequest<Row>,
  shown: JsonShape<unknown>,
) {
  const { limit, cursor, direction: _, sort: sortName, includeTotal = false, ...given } = input;
  const sort = sortOf(sortName, resource);
  const list = [resource.name, sortName, given];
  const { shape, filters } = filtersOf({ ...given, q: words });
  const after = cursor === undefined ? undefined : positionOf(cursor, list, sort);
  const isMaterialized = shown.materialized !== undefined;
  const kind = [
    resource.name,
    expanded?.name,
    isMaterialized,
    sortName,
    shape,
    after !== undefined,
    includeTotal,
    limit,
  ];
  const statement = pageStatements(kind.join('|'), (seen) => {
    const param = !includeTotal && hasOrderedIndex(filters, sort, resource) ? hideFromPlanner(seen) : seen;
    const filtered = filters.map(({ condition }) => condition(param));
    const onward =
      after === undefined ? [] : [isAfter({ value: param('after'), id: param('after id') }, sort)];
    const table = sql.table(resource.table);
    const total = includeTotal
      ? sql`, (select count(*)::text from ${table} ${where(filtered)}) as total`
      : sql``;
    const { selected, itemsOf, sortText } = itemSql(shown, sort);
    // One row more is read than the page has, to know whether another follows.
    const rows = sql`
      select ${selected} from ${table} ${where([...filtered, ...onward])} ${inOrder(sort)}
      limit ${sql.lit(limit + 1)}`;
    // Arrays cost less than numbers of rows, for which PostgreSQL copies every row.
    const at = (position: number, value: RawBuilder<unknown>) =>
      sql<Date>`(array_agg(${value}))[${sql.lit(position)}]`;
    return sql`
      select
        case when bool_and(is_current) is not false
          then coalesce(string_agg(json_send(item), ${sql.lit(SEPARATOR)}), '') end as items,
        ${at(limit + 1, sql.ref('id'))}::text as next_id, ${at(limit, sql.ref('id'))}::text as last_id,
        ${sortText(at(limit, sql.ref('sort_value')))} as last_value${total}
      from (${itemsOf(rows)}) as page`;
  });
  // The size of the page is part of the text: PostgreSQL plans for a tenth of all rows where it does not know it.
  const values = { after: after?.value, 'after id': after?.id };
  return { statement, list, values: Object.assign(values, ...filters.map((filter) => filter.values)) };
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
 * One page of a list, by keyset: it costs the same however deep it is. Items and total are of one snapshot.
 * Throws `invalid_cursor` and `cursor_mismatch`.
 */
export async function readPage<Row extends { id: string }, Input extends ListInput>(
  db: Kysely<Database>,
  request: ListRequest<Row, Input>,
): Promise<RawJson<Page<Row>>> {
  const { resource, expanded, input } = request;
  const words = input.q === undefined ? undefined : await foldedWords(db, input.q);
  const { row, list } = await pageRow(db, { ...request, words }, expanded?.shape ?? resource);
  const items = itemsOn(row);
  // As `RawJson.take` does: the promises that brought the row keep it for long.
  row.items = null;
  const nextCursor = cursorOf(row, list);
  const rest = [
    ...(nextCursor === undefined ? [] : [`,"nextCursor":${JSON.stringify(nextCursor)}`]),
    ...(row.total === undefined ? [] : [`,"total":${row.total}`]),
  ];
  return new RawJson(['{"items":[', items, `]${rest.join('')}}`], { nextCursor });
}

/** The items without the one that begins the next page. */
function itemsOn({ items, next_id: nextId }: PageRow): BinaryString {
  if (items === null) return '';
  return nextId === null ? items : items.slice(0, items.lastIndexOf(SEPARATOR));
}

function cursorOf(
  { next_id: nextId, last_value: value, last_id: id }: PageRow,
  list: unknown,
): string | undefined {
  if (nextId === null || value === null || id === null) return undefined;
  return cursorAfter({ value: decodeBinaryString(value), id }, list);
}

interface RecordRow {
  record: BinaryString;
  /** The version of the record; absent for what has none. */
  version?: BinaryString;
}

const findStatements = compiledVariants<RecordRow>({ isReadOnly: true, isBinary: true });

/** The row of one record, or undefined if there is none. */
async function recordRow(
  db: Kysely<Database>,
  { table, record, materialized, isVersioned = false }: Listable,
  id: string,
): Promise<RecordRow | undefined> {
  const version = isVersioned ? sql`, version::text as version` : sql``;
  if (materialized !== undefined) {
    const statement = findStatements(
      `materialized ${table}`,
      (param) => sql`
        select ${materialized.record} as record${version} from ${sql.table(table)}
        where id = ${param('id')} and ${materialized.isCurrent}`,
    );
    const [row] = await statement.execute(db, { id });
    if (row !== undefined) return row;
  }
  const statement = findStatements(
    table,
    (param) => sql`select ${record} as record${version} from ${sql.table(table)} where id = ${param('id')}`,
  );
  const [row] = await statement.execute(db, { id });
  return row;
}

/** One record, or undefined if there is none. */
export async function findRecord<Row extends { id: string }>(
  db: Kysely<Database>,
  listable: Listable<Row>,
  id: string,
): Promise<RawJson<Row> | undefined> {
  const row = await recordRow(db, listable, id);
  if (row === undefined) return undefined;
  const { record, version } = row;
  return new RawJson([record], { version: version === undefined ? undefined : Number(version) });
}
