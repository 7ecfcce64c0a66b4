import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { definitions } from '../directory.ts';
import type { Reference } from '../resources/definition.ts';
import { decodeBinaryString } from '../resources/json/binary-string.ts';
import { RawJson } from '../resources/json/raw-json.ts';
import { isWithin, type OfficeLimit, officesValue } from '../resources/office-limit.ts';

/**
 * Lists of records whose items name other records, of which a caller with a limit sees those within it: wherever such a list is, in a
 * record, an event, a history or a preview.
 */

type HiddenItems = Reference & { items: NonNullable<Reference['items']> };

/** The references of such lists. Items of two lists that have the same field refer to the same table. */
const hiddenItems = definitions.flatMap(({ references }) =>
  Object.values<Reference>(references).filter(
    (reference): reference is HiddenItems => reference.items?.areHiddenOutside === true,
  ),
);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Whether a value is a list of objects that each have an id in this field. */
function isListOf(field: string, value: unknown): value is Record<string, unknown>[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => isObject(item) && typeof item[field] === 'string')
  );
}

/** Adds the ids in the lists of a value, at any depth. */
function addIds(field: string, value: unknown, ids: Set<string>): void {
  if (isListOf(field, value)) for (const item of value) ids.add(String(item[field]));
  else if (Array.isArray(value)) for (const item of value) addIds(field, item, ids);
  else if (isObject(value)) for (const part of Object.values(value)) addIds(field, part, ids);
}

/** The value whose lists have only the items with these ids; the parts that have no such list are the same objects. */
function withItems(field: string, value: unknown, ids: ReadonlySet<string>): unknown {
  if (isListOf(field, value)) return value.filter((item) => ids.has(String(item[field])));
  if (Array.isArray(value)) return value.map((item) => withItems(field, item, ids));
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, withItems(field, part, ids)]);
  return Object.fromEntries(parts);
}

async function findVisible(
  db: Kysely<Database>,
  { table, limitColumn }: Reference,
  { ids, limit }: { ids: ReadonlySet<string>; limit: OfficeLimit },
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)}
    where id = any(${[...ids]}::uuid[]) and ${isWithin(sql.ref(limitColumn), sql`${officesValue(limit)}`)}`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/** JSON that PostgreSQL encoded, decoded if it may have such a list. */
function decodedIfListed(json: RawJson): unknown {
  const { version, nextCursor, prevCursor } = json;
  const parts = json.take();
  const text = parts.join('');
  const isListed = hiddenItems.some(({ items }) => text.includes(`"${items.field}":`));
  return isListed
    ? JSON.parse(decodeBinaryString(text))
    : new RawJson(parts, { version, nextCursor, prevCursor });
}

/** A value without the items of lists that a caller with this limit does not see; without a limit as it is. */
export async function withVisibleItems<Value>(
  db: Kysely<Database>,
  given: Value,
  limit: OfficeLimit | undefined,
): Promise<Value> {
  if (limit === undefined || hiddenItems.length === 0) return given;
  let value: unknown = given instanceof RawJson ? decodedIfListed(given) : given;
  for (const reference of hiddenItems) {
    const { field } = reference.items;
    const ids = new Set<string>();
    addIds(field, value, ids);
    if (ids.size === 0) continue;
    value = withItems(field, value, await findVisible(db, reference, { ids, limit }));
  }
  return value as Value;
}
