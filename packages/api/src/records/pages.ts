import { type Database, preparedShapes } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { cursorAfter, inOrder, isAfter, positionOf, type Sort } from '../pagination.ts';
import { columnOf, type Place } from './columns.ts';
import type { listQuery } from './parameters.ts';
import type { Shape } from './record-json.ts';

/** What a list needs to know of what it lists. */
export interface Listed<Row extends { id: string } = { id: string }> extends Shape<Row> {
  /** Which list it is; a cursor of one is refused by another. */
  name: string;
  table: string;
  /** The key and the column of the sort by name. */
  nameSort: { key: string; column: string };
}

/** What the caller of a list asked for, validated; the filters of one noun are among the rest. */
type ListInput = Pick<z.output<z.ZodObject<typeof listQuery>>, 'limit'> &
  Partial<Omit<z.output<z.ZodObject<typeof listQuery>>, 'status'>> & {
    sort: string;
    status?: string[] | undefined;
  };

export interface Page<Row> {
  items: Row[];
  nextCursor?: string;
  total?: number;
}

type Condition = RawBuilder<boolean>;
type Filters = Omit<ListInput, 'limit' | 'cursor' | 'sort' | 'includeTotal'> & {
  officeId?: string[] | undefined;
  mainOfficeId?: string[] | undefined;
  webhookId?: string | undefined;
};

/** The values of a statement by name, and where each goes: the text is made once for every shape a list can have. */
type Values = Record<string, unknown>;

/** One filter of a list: its condition, and the values that go into it. */
interface Filter {
  /** What the text depends on beside the filter's name. */
  shape?: number;
  condition: (place: Place) => Condition;
  values: Values;
}

/** One value has a text of its own: only that lets PostgreSQL read an index on the column and the order in order. */
function equalsAny(column: string, values: string[], type = 'text'): Filter {
  const isOne = values.length === 1;
  const place = (at: Place) => sql`${at(column)}::${sql.raw(type)}${isOne ? sql`` : sql`[]`}`;
  return {
    shape: isOne ? 1 : 2,
    condition: isOne
      ? (at) => sql`${sql.ref(column)} = ${place(at)}`
      : (at) => sql`${sql.ref(column)} = any(${place(at)})`,
    values: { [column]: isOne ? values[0] : values },
  };
}

const isAnyId = (column: string, values: string[]) => equalsAny(column, values, 'uuid');

function compares(column: string, comparison: '>=' | '<', time: string): Filter {
  const name = `${column} ${comparison}`;
  const condition = (place: Place) => sql<boolean>`${sql.ref(column)} ${sql.raw(comparison)} ${place(name)}`;
  return { condition, values: { [name]: time } };
}

/** As many conditions as there are values, each with a place of its own. */
function each(name: string, values: unknown[], joined: (places: RawBuilder<unknown>[]) => Condition): Filter {
  const names = values.map((_, index) => `${name} ${index}`);
  return {
    shape: values.length,
    condition: (place) => joined(names.map((one) => place(one))),
    values: Object.fromEntries(values.map((value, index) => [names[index], value])),
  };
}

/** Every word has to occur somewhere in the folded text, which a trigram index answers. */
function searched(words: string): Filter {
  // Folded as the column is: compatibility forms first, because some of them become a wildcard.
  const patterns = words
    .normalize('NFKC')
    .split(/\s+/)
    .map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`);
  const occurs = (pattern: RawBuilder<unknown>) =>
    sql`search_text like upper(${pattern}::text collate "und-x-icu") collate "C"`;
  return each('q', patterns, (places) => sql`${sql.join(places.map(occurs), sql` and `)}`);
}

/** Any of the licence numbers; `@>` is what the index on licenses answers. */
function licensed(numbers: string[]): Filter {
  const held = numbers.map((number) => JSON.stringify([{ number }]));
  const holds = (place: RawBuilder<unknown>) => sql`licenses @> ${place}::jsonb`;
  return each('licenses', held, (places) => sql`(${sql.join(places.map(holds), sql` or `)})`);
}

function emailed(values: string[]): Filter {
  const condition = (place: Place) => sql<boolean>`
    lower(email collate "und-x-icu") = any(select lower(wanted collate "und-x-icu") from unnest(${place('email')}::text[]) as wanted)`;
  return { condition, values: { email: values } };
}

function deactivatedSince(time: string): Filter {
  const { condition, values } = compares('deactivated_at', '>=', time);
  return { condition: (place) => sql`status = 'inactive' and ${condition(place)}`, values };
}

/** One condition for each filter there is; a filter that was not given adds none. */
const filterOf: { [Name in keyof Filters]-?: (value: NonNullable<Filters[Name]>) => Filter } = {
  q: searched,
  status: (values) => equalsAny('status', values),
  ids: (values) => isAnyId('id', values),
  officeId: (values) => isAnyId('office_id', values),
  mainOfficeId: (values) => isAnyId('main_office_id', values),
  email: emailed,
  webhookId: (id) => ({
    condition: (place) => sql`webhook_id = ${place('webhook_id')}`,
    values: { webhook_id: id },
  }),
  mlsId: (values) => equalsAny('mls_id', values),
  region: (values) => equalsAny('address_region', values),
  country: (values) => equalsAny('address_country', values),
  licenseNumber: licensed,
  sourceName: (values) => equalsAny('source_name', values),
  sourceKey: (values) => equalsAny('source_key', values),
  createdSince: (time) => compares('created_at', '>=', time),
  createdBefore: (time) => compares('created_at', '<', time),
  updatedSince: (time) => compares('updated_at', '>=', time),
  updatedBefore: (time) => compares('updated_at', '<', time),
  deactivatedSince,
};

function filtersOf(given: Filters): { shape: string; filters: Filter[] } {
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  const filters = present.map(([name, value]) =>
    (filterOf[name as keyof Filters] as (value: unknown) => Filter)(value),
  );
  return { shape: present.map(([name], index) => `${name}${filters[index]?.shape ?? ''}`).join(), filters };
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
  /** How each item is shown where that is more than the record, and the name that tells it from that. */
  expanded?: { name: string; shape: Shape<Row> } | undefined;
  input: ListInput;
}

interface PageRow<Row> {
  items: (Row & { id: string })[];
  /** Whether all of them are of the shape that was asked for. */
  isCurrent: boolean;
  total?: number;
}

/** What is selected of each row, and how the rows become the items of a page. */
function itemsOf<Row>({ row, kept }: Shape<Row>): {
  selected: RawBuilder<unknown>;
  items: RawBuilder<unknown>;
} {
  if (kept === undefined)
    return { selected: row, items: sql`coalesce(json_agg(page), '[]') as items, true as "isCurrent"` };
  return {
    selected: sql`${kept.record}, ${kept.isCurrent} as is_current`,
    items: sql`coalesce(json_agg(page.record), '[]') as items, coalesce(bool_and(page.is_current is true), true) as "isCurrent"`,
  };
}

const pageStatements = preparedShapes<PageRow<unknown>>({ reads: true });

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
  const [row] = (await statement.execute(db, values)) as PageRow<Row>[];
  if (row?.isCurrent === false) return pageRow(db, listing, { record: shown.record, row: shown.row });
  return { ...page, row };
}

/**
 * One page of a list, by keyset: it costs the same however deep it is. Items and total are of one snapshot.
 * Throws `invalid_cursor` and `cursor_mismatch`.
 */
export async function readPage<Row>(db: Kysely<Database>, listing: Listing<Row>): Promise<Page<Row>> {
  const shown: Shape<unknown> = listing.expanded?.shape ?? listing.collection;
  const { row, sort, list } = await pageRow<Row>(db, listing, shown);
  const { items = [], total } = row ?? {};
  const page: Page<Row> = { items: items.slice(0, listing.input.limit) };
  const last = items[listing.input.limit - 1];
  if (items.length > listing.input.limit && last !== undefined) {
    const value = String((last as Record<string, unknown>)[sort.key]);
    page.nextCursor = cursorAfter({ value, id: last.id }, list);
  }
  if (total !== undefined) page.total = total;
  return page;
}

const findStatements = preparedShapes<{ record: unknown }>({ reads: true });

/** One record, or undefined where there is none. */
export async function findRecord<Row extends { id: string }>(
  db: Kysely<Database>,
  { table, record, kept }: Listed<Row>,
  id: string,
): Promise<Row | undefined> {
  if (kept !== undefined) {
    const statement = findStatements(
      `kept ${table}`,
      (place) => sql`
        select ${kept.record} as record from ${sql.table(table)} where id = ${place('id')} and ${kept.isCurrent}`,
    );
    const [row] = await statement.execute(db, { id });
    if (row !== undefined) return row.record as Row;
  }
  const statement = findStatements(
    table,
    (place) => sql`select ${record} as record from ${sql.table(table)} where id = ${place('id')}`,
  );
  const [row] = await statement.execute(db, { id });
  return row?.record as Row | undefined;
}
