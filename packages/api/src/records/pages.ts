import { type Database, preparedShapes } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import { cursorAfter, inOrder, isAfter, positionOf, type Sort } from '../pagination.ts';
import { checkOf } from './checked-text.ts';
import { columnOf } from './columns.ts';
import { type Filters, filtersOf } from './filters.ts';
import type { Shape } from './record-json.ts';

/** What a list needs to know of what it lists. */
export interface Listed<Row extends { id: string } = { id: string }> extends Shape<Row> {
  /** Which list it is; a cursor of one is refused by another. */
  name: string;
  table: string;
  /** The key and the column of the sort by name. */
  nameSort: { key: string; column: string };
  /** What its records hold to, where they may be answered as text. */
  schema?: z.ZodType<Row>;
}

/** What the caller of a list asked for, validated. */
interface ListInput extends Filters {
  limit: number;
  sort: string;
  cursor?: string | undefined;
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

interface Listing<Row> {
  collection: Listed;
  /** How each item is shown where that is more than the record, and the name that tells it from that. */
  expanded?: { name: string; shape: Shape<Row>; schema: z.ZodType<Row> } | undefined;
  input: ListInput;
}

interface PageRow {
  /** The records as JSON, with a comma between two; null where there is none. */
  items: string | null;
  /** Whether all of them are of the shape that was asked for. */
  isCurrent: boolean;
  total?: number;
}

/** What is selected of each row, and how the rows become the items of a page. */
function itemsOf({ record, row, kept }: Shape<unknown>): {
  selected: RawBuilder<unknown>;
  items: RawBuilder<unknown>;
} {
  if (row !== undefined)
    return { selected: row, items: sql`string_agg(to_json(page)::text, ',') as items, true as "isCurrent"` };
  return {
    selected: sql`${kept?.record ?? record} as record, ${kept?.isCurrent ?? sql`true`} as is_current`,
    items: sql`string_agg(page.record::text, ',') as items, coalesce(bool_and(page.is_current is true), true) as "isCurrent"`,
  };
}

const pageStatements = preparedShapes<PageRow>({ reads: true });

/** The statement of a page, with its values: the JSON of its items and of one more, and the total if it was asked for. */
function pageStatement<Row>({ collection, expanded, input }: Listing<Row>, shown: Shape<unknown>) {
  const { limit, cursor, sort: sortName, includeTotal = false, ...given } = input;
  const sort = sortOf(sortName, collection);
  const list = [collection.name, sortName, given];
  const { shape, filters } = filtersOf(given);
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
  const statement = pageStatements(kind.join('|'), (place) => {
    const filtered = filters.map(({ condition }) => condition(place));
    const onward =
      after === undefined ? [] : [isAfter({ value: place('after'), id: place('after id') }, sort)];
    const table = sql.table(collection.table);
    const total = includeTotal
      ? sql`, (select count(*)::int from ${table} ${where(filtered)}) as total`
      : sql``;
    const { selected, items } = itemsOf(shown);
    return sql`
      select ${items}${total}
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
  if (row?.isCurrent === false) return pageRow(db, listing, { record: shown.record });
  return { ...page, items: row?.items ?? '', total: row?.total };
}

/** What is asked of the database, and whether the answer may be text. */
type Asking = Pick<Context, 'db' | 'takesText'>;

/**
 * One page of a list, by keyset: it costs the same however deep it is. Items and total are of one snapshot.
 * For those who take text it is a `CheckedText`, which is not what the type says: the schema of the page lets it pass.
 * Throws `invalid_cursor` and `cursor_mismatch`.
 */
export async function readPage<Row>(
  { db, takesText = false }: Asking,
  listing: Listing<Row>,
): Promise<Page<Row>> {
  const shape: Shape<unknown> = listing.expanded?.shape ?? listing.collection;
  const { items, total, sort, list } = await pageRow<Row>(db, listing, shape);
  const { limit } = listing.input;
  const cursorOf = (last: { id: string }) =>
    cursorAfter({ value: String((last as Record<string, unknown>)[sort.key]), id: last.id }, list);
  const schema = listing.expanded?.schema ?? listing.collection.schema;
  const check = takesText && schema !== undefined ? checkOf(schema) : undefined;
  const asText = () => check?.page(items, { limit, total, cursorOf }) as unknown as Page<Row> | undefined;
  const text = asText();
  if (text !== undefined) return text;
  const found = JSON.parse(`[${items}]`) as (Row & { id: string })[];
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

const findStatements = preparedShapes<{ record: string }>({ reads: true });

/** The JSON of one record, or undefined where there is none. */
async function recordText<Row extends { id: string }>(
  db: Kysely<Database>,
  { table, record, kept }: Listed<Row>,
  id: string,
): Promise<string | undefined> {
  if (kept !== undefined) {
    const statement = findStatements(
      `kept ${table}`,
      (place) => sql`
        select ${kept.record}::text as record from ${sql.table(table)} where id = ${place('id')} and ${kept.isCurrent}`,
    );
    const [row] = await statement.execute(db, { id });
    if (row !== undefined) return row.record;
  }
  const statement = findStatements(
    table,
    (place) => sql`select ${record}::text as record from ${sql.table(table)} where id = ${place('id')}`,
  );
  const [row] = await statement.execute(db, { id });
  return row?.record;
}

/** One record, or undefined where there is none; for those who take text a `CheckedText`, as in `readPage`. */
export async function findRecord<Row extends { id: string }>(
  { db, takesText = false }: Asking,
  listed: Listed<Row>,
  id: string,
): Promise<Row | undefined> {
  const text = await recordText(db, listed, id);
  if (text === undefined) return undefined;
  const check = takesText && listed.schema !== undefined ? checkOf(listed.schema) : undefined;
  const asText = () => check?.record(text) as unknown as Row | undefined;
  const checked = asText();
  if (checked !== undefined) return checked;
  const row: Row = JSON.parse(text);
  return check?.learn(row) ? (asText() ?? row) : row;
}
