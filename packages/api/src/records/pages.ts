import { type Database, preparedShapes } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import { cursorAfter, inOrder, isAfter, positionOf, type Sort } from '../pagination.ts';
import { type Bytes, textOf } from './bytes.ts';
import { checkOf, type TextCheck } from './checked-text.ts';
import { columnOf, type Place } from './columns.ts';
import { type Filter, type Filters, filtersOf } from './filters.ts';
import type { Shape } from './record-json.ts';
import { foldedWords } from './search.ts';

/** What a list needs to know of what it lists. */
export interface Listed<Row extends { id: string } = { id: string }> extends Shape<Row> {
  /** Which list it is; a cursor of one is refused by another. */
  name: string;
  table: string;
  /** The key and the column of the sort by name. */
  nameSort: { key: string; column: string };
  /** Columns whose index goes on in the order of another column: which that is. */
  orderedWithin?: Record<string, string>;
  /** What its records hold to, where they may be answered as text. */
  schema?: z.ZodType<Row>;
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

function sortOf(sort: string, { nameSort }: Listed): Sort {
  const key = sort.replace('-', '');
  const column = key === nameSort.key ? nameSort.column : columnOf(key);
  return { key, column, isDescending: sort.startsWith('-') };
}

/** A query that narrows a list by what `filters.ts` has no condition for does not compile. */
type Known<Input extends ListInput> = Input & Record<Exclude<keyof Input, keyof ListInput>, never>;

interface Listing<Row, Input extends ListInput = ListInput> {
  collection: Listed;
  /** How each item is shown where that is more than the record, and the name that tells it from that. */
  expanded?: { name: string; shape: Shape<Row>; schema: z.ZodType<Row> } | undefined;
  input: Known<Input>;
  /** The words of its search, folded. */
  words?: string[] | undefined;
}

interface PageRow {
  /** The records as JSON, with a comma between two; null where one is not of the shape that was asked for. */
  items: Bytes | null;
  total?: string;
}

/** What is selected of each row, and how the rows become the items of a page. */
function itemsOf({ record, row, kept }: Shape<unknown>): {
  selected: RawBuilder<unknown>;
  items: RawBuilder<unknown>;
} {
  if (row !== undefined) return { selected: row, items: joined(sql`to_json(page)`) };
  const records = joined(sql`page.record`);
  if (kept === undefined) return { selected: sql`${record} as record`, items: records };
  return {
    selected: sql`${kept.record} as record, ${kept.isCurrent} as is_current`,
    items: sql`case when bool_and(page.is_current is true) is not false then ${records} end`,
  };
}

/** JSON values with a comma between two, as bytes: what they are in PostgreSQL, so that nothing is converted. */
function joined(json: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(string_agg(json_send(${json}), ','), '')`;
}

const pageStatements = preparedShapes<PageRow>({ reads: true, isBinary: true });

/**
 * Whether there is an index that has these rows together and in their order, whatever the values are. Then the values are
 * kept from the planner, which would plan for each, to no avail, in half the time that reading the page takes.
 */
function isWalk(filters: Filter[], { column }: Sort, { orderedWithin = {} }: Listed): boolean {
  const [first, ...others] = filters.filter(({ values }) => Object.keys(values).length > 0);
  if (first === undefined) return true;
  return others.length === 0 && first.one !== undefined && orderedWithin[first.one] === column;
}

/** Values as the planner does not see them. */
const unseen =
  (place: Place): Place =>
  (name) =>
    sql`(select ${place(name)})`;

/** The statement of a page, with its values: the JSON of its items and of one more, and the total if it was asked for. */
function pageStatement<Row>({ collection, expanded, input, words }: Listing<Row>, shown: Shape<unknown>) {
  const { limit, cursor, direction: _, sort: sortName, includeTotal = false, ...given } = input;
  const sort = sortOf(sortName, collection);
  const list = [collection.name, sortName, given];
  const { shape, filters } = filtersOf({ ...given, q: words });
  const after = cursor === undefined ? undefined : positionOf(cursor, list, sort);
  const isKept = shown.kept !== undefined;
  const kind = [
    collection.name,
    expanded?.name,
    isKept,
    sortName,
    shape,
    after !== undefined,
    includeTotal,
    limit,
  ];
  const statement = pageStatements(kind.join('|'), (seen) => {
    const place = !includeTotal && isWalk(filters, sort, collection) ? unseen(seen) : seen;
    const filtered = filters.map(({ condition }) => condition(place));
    const onward =
      after === undefined ? [] : [isAfter({ value: place('after'), id: place('after id') }, sort)];
    const table = sql.table(collection.table);
    const total = includeTotal
      ? sql`, (select count(*)::text from ${table} ${where(filtered)}) as total`
      : sql``;
    const { selected, items } = itemsOf(shown);
    return sql`
      select ${items} as items${total}
      from (
        select ${selected} from ${table} ${where([...filtered, ...onward])} ${inOrder(sort)}
        limit ${sql.lit(limit + 1)}
      ) as page`;
  });
  // The size of the page is part of the text: PostgreSQL plans for a tenth of all rows where it does not know it.
  const values = { after: after?.value, 'after id': after?.id };
  return { statement, sort, list, values: Object.assign(values, ...filters.map((filter) => filter.values)) };
}

/** What the database knows of a page. What rows keep is taken where all of it is current, and made anew else. */
async function pageRow<Row>(db: Kysely<Database>, listing: Listing<Row>, shown: Shape<unknown>) {
  const { statement, values, ...page } = pageStatement(listing, shown);
  const [row] = await statement.execute(db, values);
  if (row === undefined) throw new Error('a page is one row');
  if (row.items === null) return pageRow(db, listing, { record: shown.record });
  return { ...page, row };
}

/** What is asked of the database, and whether the answer may be text. */
type Asking = Pick<Context, 'db' | 'takesText'>;

/** The check of what may be answered as text; undefined where nothing may. */
function checkFor({ takesText = false }: Asking, schema: z.ZodType | undefined): TextCheck | undefined {
  return takesText && schema !== undefined ? checkOf(schema) : undefined;
}

/** The page of a row, as text where that is asked for and can be had. The row gives its records away. */
function pageOf<Row>(
  { row, sort, list }: Awaited<ReturnType<typeof pageRow>>,
  check: TextCheck | undefined,
  limit: number,
): Page<Row> {
  const items = row.items ?? '';
  // As `CheckedText.take` does: the promises that brought the row keep it for long.
  row.items = null;
  const total = row.total === undefined ? undefined : Number(row.total);
  const cursorOf = (last: { id: string }) =>
    cursorAfter({ value: String((last as Record<string, unknown>)[sort.key]), id: last.id }, list);
  const asText = () => check?.page(items, { limit, total, cursorOf }) as unknown as Page<Row> | undefined;
  const text = asText();
  if (text !== undefined) return text;
  const found = JSON.parse(`[${textOf(items)}]`) as (Row & { id: string })[];
  // The names stand in one order, that of the text, whether it was known or is known from now on.
  const isKnown = found.filter((item) => check?.learn(item)).length > 0 ? asText() : undefined;
  if (isKnown !== undefined) return isKnown;
  const last = found[limit - 1];
  return {
    items: found.slice(0, limit),
    ...(found.length > limit && last !== undefined && { nextCursor: cursorOf(last) }),
    ...(total !== undefined && { total }),
  };
}

/**
 * One page of a list, by keyset: it costs the same however deep it is. Items and total are of one snapshot.
 * For those who take text it is a `CheckedText`, which is not what the type says: the schema of the page lets it pass.
 * Throws `invalid_cursor` and `cursor_mismatch`.
 */
export async function readPage<Row, Input extends ListInput>(
  asking: Asking,
  listing: Listing<Row, Input>,
): Promise<Page<Row>> {
  const { collection, expanded, input } = listing;
  const words = input.q === undefined ? undefined : await foldedWords(asking.db, input.q);
  const page = await pageRow<Row>(asking.db, { ...listing, words }, expanded?.shape ?? collection);
  return pageOf(page, checkFor(asking, expanded?.schema ?? collection.schema), input.limit);
}

const findStatements = preparedShapes<{ record: Bytes }>({ reads: true, isBinary: true });

/** The JSON of one record, or undefined where there is none. */
async function recordBytes<Row extends { id: string }>(
  db: Kysely<Database>,
  { table, record, kept }: Listed<Row>,
  id: string,
): Promise<Bytes | undefined> {
  if (kept !== undefined) {
    const statement = findStatements(
      `kept ${table}`,
      (place) => sql`
        select ${kept.record} as record from ${sql.table(table)} where id = ${place('id')} and ${kept.isCurrent}`,
    );
    const [row] = await statement.execute(db, { id });
    if (row !== undefined) return row.record;
  }
  const statement = findStatements(
    table,
    (place) => sql`select ${record} as record from ${sql.table(table)} where id = ${place('id')}`,
  );
  const [row] = await statement.execute(db, { id });
  return row?.record;
}

/** One record, or undefined where there is none; for those who take text a `CheckedText`, as in `readPage`. */
export async function findRecord<Row extends { id: string }>(
  asking: Asking,
  listed: Listed<Row>,
  id: string,
): Promise<Row | undefined> {
  const bytes = await recordBytes(asking.db, listed, id);
  if (bytes === undefined) return undefined;
  const check = checkFor(asking, listed.schema);
  const asText = () => check?.record(bytes) as unknown as Row | undefined;
  const checked = asText();
  if (checked !== undefined) return checked;
  const row: Row = JSON.parse(textOf(bytes));
  return check?.learn(row) ? (asText() ?? row) : row;
}
