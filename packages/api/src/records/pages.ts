import type { Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { cursorAfter, inOrder, isAfter, positionOf, type Sort } from '../pagination.ts';
import { columnOf } from './columns.ts';
import type { listQuery } from './parameters.ts';

/** What a list needs to know of what it lists. */
export interface Listed<Row extends { id: string } = { id: string }> {
  /** Which list it is; a cursor of one is refused by another. */
  name: string;
  table: string;
  /** The JSON of one, built from a row named after the table. */
  record: RawBuilder<Row>;
  /** The key and the column of the sort by name. */
  nameSort: { key: string; column: string };
}

/** What the caller of a list asked for, validated; the filters of one noun are among the rest. */
type ListInput = Pick<z.output<z.ZodObject<typeof listQuery>>, 'limit'> &
  Partial<z.output<z.ZodObject<typeof listQuery>>> & { sort: string };

export interface Page<Row> {
  items: Row[];
  nextCursor?: string;
  total?: number;
}

type Condition = RawBuilder<boolean>;
type Filters = Omit<ListInput, 'limit' | 'cursor' | 'sort' | 'includeTotal'> & {
  officeId?: string[] | undefined;
  mainOfficeId?: string[] | undefined;
};

function equalsAny(column: string, values: string[]): Condition {
  return sql`${sql.ref(column)} = any(${values})`;
}

/** Every word has to occur somewhere in the folded text, which a trigram index answers. */
function searched(words: string): Condition {
  // Folded as the column is: compatibility forms first, because some of them become a wildcard.
  const patterns = words
    .normalize('NFKC')
    .split(/\s+/)
    .map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`);
  const each = patterns.map(
    (pattern) => sql`search_text like upper(${pattern}::text collate "und-x-icu") collate "C"`,
  );
  return sql`${sql.join(each, sql` and `)}`;
}

/** Any of the licence numbers; `@>` is what the index on licenses answers. */
function licensed(numbers: string[]): Condition {
  const any = numbers.map((number) => sql`licenses @> ${JSON.stringify([{ number }])}::jsonb`);
  return sql`(${sql.join(any, sql` or `)})`;
}

/** One condition for each filter there is; a filter that was not given adds none. */
const conditions: { [Name in keyof Filters]-?: (value: NonNullable<Filters[Name]>) => Condition } = {
  q: searched,
  status: (values) => equalsAny('status', values),
  ids: (values) => sql`id = any(${values}::uuid[])`,
  officeId: (values) => sql`office_id = any(${values}::uuid[])`,
  mainOfficeId: (values) => sql`main_office_id = any(${values}::uuid[])`,
  email: (values) =>
    sql`lower(email collate "und-x-icu") = any(select lower(wanted collate "und-x-icu") from unnest(${values}::text[]) as wanted)`,
  mlsId: (values) => equalsAny('mls_id', values),
  region: (values) => equalsAny('address_region', values),
  country: (values) => equalsAny('address_country', values),
  licenseNumber: licensed,
  sourceName: (values) => equalsAny('source_name', values),
  sourceKey: (values) => equalsAny('source_key', values),
  createdSince: (time) => sql`created_at >= ${time}`,
  createdBefore: (time) => sql`created_at < ${time}`,
  updatedSince: (time) => sql`updated_at >= ${time}`,
  updatedBefore: (time) => sql`updated_at < ${time}`,
  deactivatedSince: (time) => sql`status = 'inactive' and deactivated_at >= ${time}`,
};

function conditionsOf(filters: Filters): Condition[] {
  return Object.entries(filters).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const condition = conditions[name as keyof Filters] as (value: unknown) => Condition;
    return [condition(value)];
  });
}

function where(all: Condition[]): RawBuilder<unknown> {
  return all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`;
}

function sortOf(sort: string, { nameSort }: Listed): Sort {
  const key = sort.replace('-', '');
  const column = key === nameSort.key ? nameSort.column : columnOf(key);
  return { key, column, isDescending: sort.startsWith('-') };
}

interface Listing<Row> {
  collection: Listed;
  /** The JSON of each item; the collection's record, or one with more in it. */
  item: RawBuilder<Row>;
  input: ListInput;
}

/** The statement of a page: the JSON of its items and of one more, and the total if it was asked for. */
function pageStatement<Row>({ collection, item, input }: Listing<Row>) {
  const { limit, cursor, sort: sortName, includeTotal, ...filters } = input;
  const sort = sortOf(sortName, collection);
  const list = [collection.name, sortName, filters];
  const filtered = conditionsOf(filters);
  const after = cursor === undefined ? [] : [isAfter(positionOf(cursor, list, sort), sort)];
  const table = sql.table(collection.table);
  const total = includeTotal
    ? sql`, (select count(*)::int from ${table} ${where(filtered)}) as total`
    : sql``;
  const statement = sql<{ items: (Row & { id: string })[]; total?: number }>`
    select coalesce(json_agg(page.item), '[]') as items${total}
    from (
      select ${item} as item from ${table} ${where([...filtered, ...after])} ${inOrder(sort)} limit ${limit + 1}
    ) as page`;
  return { statement, sort, list };
}

/**
 * One page of a list, by keyset: it costs the same however deep it is. Items and total are of one snapshot.
 * Throws `invalid_cursor` and `cursor_mismatch`.
 */
export async function readPage<Row>(db: Kysely<Database>, listing: Listing<Row>): Promise<Page<Row>> {
  const { statement, sort, list } = pageStatement(listing);
  const { rows } = await statement.execute(db);
  const { items = [], total } = rows[0] ?? {};
  const page: Page<Row> = { items: items.slice(0, listing.input.limit) };
  const last = items[listing.input.limit - 1];
  if (items.length > listing.input.limit && last !== undefined) {
    const value = String((last as Record<string, unknown>)[sort.key]);
    page.nextCursor = cursorAfter({ value, id: last.id }, list);
  }
  if (total !== undefined) page.total = total;
  return page;
}

/** One record, or undefined where there is none. */
export async function findRecord<Row extends { id: string }>(
  db: Kysely<Database>,
  { table, record }: Listed<Row>,
  id: string,
): Promise<Row | undefined> {
  const { rows } = await sql<{ record: Row }>`
    select ${record} as record from ${sql.table(table)} where id = ${id}`.execute(db);
  return rows[0]?.record;
}
