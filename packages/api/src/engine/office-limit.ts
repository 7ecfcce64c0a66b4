import { compileOnce, type Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';

/** Access limited to some offices and their branches. Records out of the limit are treated as missing. */
export interface OfficeLimit {
  granted: readonly string[];
  offices: ReadonlySet<string>;
}

export type IsWithin = (offices: RawBuilder<unknown>) => RawBuilder<boolean>;

export function isWithin(officeId: RawBuilder<unknown>, offices: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${officeId} = any(${offices}::uuid[])`;
}

/** Whether a row is within a limit. Without a column with the office no row is. */
export function isRowWithin(column: string | undefined, offices: RawBuilder<unknown>): RawBuilder<boolean> {
  return column === undefined ? sql<boolean>`false` : isWithin(sql.ref(column), offices);
}

/** Whether a referenced record is within a limit. For an office the ID alone decides. */
export function isReferredWithin(
  { table, limitColumn }: { table: string; limitColumn: string },
  id: RawBuilder<unknown>,
  offices: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (limitColumn === 'id') return isWithin(id, offices);
  const isSeen = isWithin(sql.ref(`${table}.${limitColumn}`), offices);
  return sql<boolean>`exists (select from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = ${id} and ${isSeen})`;
}

const findBranches = compileOnce<{ granted: readonly string[] }, { id: string }>(
  (place) => sql`
    with recursive within (id) as (
      select unnest(${place('granted')}::uuid[])
      union
      select found.id from within cross join lateral (
        select office.id from office where office.main_office_id = within.id
        union all
        select survivor_id from record_merge where duplicate_id = within.id and undone_at is null
      ) as found
    )
    select id from within`,
  { isReadOnly: true },
);

/**
 * Deleted granted offices remain: they have no records, but their last event is visible, and their limits can
 * be found and removed. A merged office leads to the one it was merged into.
 */
export async function readLimit(db: Kysely<Database>, granted: readonly string[]): Promise<OfficeLimit> {
  const rows = await findBranches.execute(db, { granted });
  return { granted, offices: new Set(rows.map(({ id }) => id)) };
}

const values = new WeakMap<OfficeLimit, Buffer>();

const UUID_TYPE = 2950;

/** `uuid[]` in PostgreSQL's binary format, which it parses in a fraction of the time of text. */
function uuidArray(ids: ReadonlySet<string>): Buffer {
  const dimensions = ids.size === 0 ? [0, 0, UUID_TYPE] : [1, 0, UUID_TYPE, ids.size, 1];
  const bytes = Buffer.alloc(4 * dimensions.length + 20 * ids.size);
  let at = 0;
  for (const number of dimensions) at = bytes.writeInt32BE(number, at);
  for (const id of ids) {
    at = bytes.writeInt32BE(16, at);
    at += bytes.write(id.replaceAll('-', ''), at, 'hex');
  }
  return bytes;
}

/** A `uuid[]` parameter, encoded once and not for each statement. */
export function officesValue(limit: OfficeLimit): Buffer {
  const known = values.get(limit);
  if (known !== undefined) return known;
  const value = uuidArray(limit.offices);
  values.set(limit, value);
  return value;
}

/** Whether a row is visible to a caller with this limit, or without any. */
export function isWithinLimit(
  column: string | undefined,
  limit: OfficeLimit | undefined,
): RawBuilder<boolean> {
  return limit === undefined ? sql<boolean>`true` : isRowWithin(column, sql`${officesValue(limit)}`);
}

/** Empty without a limit, so that those statements stay unchanged. */
export function andIsWithin(column: string | undefined, limit: OfficeLimit | undefined): RawBuilder<unknown> {
  return limit === undefined ? sql`` : sql` and ${isWithinLimit(column, limit)}`;
}
