import { compileOnce, type Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';

/**
 * The limit of a caller to some offices with their branches. A record is within it by one column: an office by its id, an agent
 * by the primary office. What is not within it does not exist for the caller.
 */
export interface OfficeLimit {
  /** The offices that were granted. */
  granted: readonly string[];
  /** Those with all their branches, also of branches, as of at most a second ago. */
  offices: ReadonlySet<string>;
}

/** An office, or another record by its office, is within the offices that are a parameter of a statement. */
export type IsWithin = (offices: RawBuilder<unknown>) => RawBuilder<boolean>;

/** Whether the office of a row is within a limit, by the ids of its offices as a parameter. */
export function isWithin(officeId: RawBuilder<unknown>, offices: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${officeId} = any(${offices}::uuid[])`;
}

/** Whether a row is within a limit, by its column with the office. Without such a column no row is within any. */
export function isRowWithin(column: string | undefined, offices: RawBuilder<unknown>): RawBuilder<boolean> {
  return column === undefined ? sql<boolean>`false` : isWithin(sql.ref(column), offices);
}

/** Whether the record that an id refers to is within a limit. The id of an office says that by itself. */
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
 * Reads the offices of a limit. A granted office that was deleted stays among them: it has no records, but its last event is
 * seen, and what was limited to it can be found and ended. One that was merged into another one leads to that.
 */
export async function readLimit(db: Kysely<Database>, granted: readonly string[]): Promise<OfficeLimit> {
  const rows = await findBranches.execute(db, { granted });
  return { granted, offices: new Set(rows.map(({ id }) => id)) };
}

const values = new WeakMap<OfficeLimit, Buffer>();

/** The type uuid (pg_type.oid). */
const UUID_TYPE = 2950;

/** A list of ids as `uuid[]` in PostgreSQL's binary format, which it reads in a fraction of the time of text. */
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

/** The offices of a limit as a value for a parameter `uuid[]`. It is written once, and not for each statement. */
export function officesValue(limit: OfficeLimit): Buffer {
  const known = values.get(limit);
  if (known !== undefined) return known;
  const value = uuidArray(limit.offices);
  values.set(limit, value);
  return value;
}

/**
 * The condition that a row is within a limit, by its column with the office, behind others; nothing for a caller without a limit, whose
 * statements stay as they are.
 */
export function andIsWithin(column: string | undefined, limit: OfficeLimit | undefined): RawBuilder<unknown> {
  return limit === undefined ? sql`` : sql` and ${isRowWithin(column, sql`${officesValue(limit)}`)}`;
}
