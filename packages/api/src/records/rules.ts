import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { isStillReferenced } from '../constraints.ts';
import type { Context } from '../context.ts';
import { RosterError } from '../errors.ts';
import { type Changed, changeRecords, countDependents, deleteRecord, insertRecord } from './changes.ts';
import type { Collection } from './collection.ts';
import type { Columns } from './columns.ts';
import { findRecord } from './pages.ts';
import { takeTombstone } from './tombstones.ts';

/** What offices and agents may have done to them, written once; the nouns add only what is their own. */

/** The refusal of an id nobody has. */
function notFound({ table }: Pick<Collection, 'table'>, id: string): RosterError {
  return new RosterError('not_found', `No ${table} has the id ${id}.`);
}

/** Reads one record. Throws `not_found`. */
export async function getRecord<Row extends { id: string }>(
  { db }: Context,
  collection: Collection<Row>,
  id: string,
): Promise<Row> {
  const record = await findRecord(db, collection, id);
  if (record === undefined) throw notFound(collection, id);
  return record;
}

/** Creates a record, active and of version 1. Throws what the constraints refuse. */
export async function createRecord<Row extends { id: string }>(
  ctx: Context,
  collection: Collection<Row>,
  input: object,
): Promise<Row> {
  const now = ctx.now();
  return insertRecord(ctx.db, collection, {
    id: uuidv7({ msecs: now.getTime() }),
    created_at: now,
    updated_at: now,
    status_changed_at: now,
    ...collection.columns(input, { isPatch: false }),
  });
}

/** The one record a change was about. Throws `not_found` where there was none. */
function only<Row>(changed: Changed<Row>[], collection: Pick<Collection, 'table'>, id: string): Row {
  const [first] = changed;
  if (first === undefined) throw notFound(collection, id);
  return first.record;
}

/** Merges a patch (RFC 7396) into a record; one that changes nothing makes no version. Throws `not_found`. */
export async function updateRecord<Row extends { id: string }>(
  ctx: Context,
  collection: Collection<Row>,
  { id, ...patch }: { id: string },
): Promise<Row> {
  const columns = collection.columns(patch, { isPatch: true });
  if (Object.keys(columns).length === 0) return getRecord(ctx, collection, id);
  const where = sql<boolean>`id = ${id}`;
  return only(await changeRecords(ctx.db, collection, { where, columns, now: ctx.now() }), collection, id);
}

/** The columns of becoming inactive. */
export function inactive(
  now: Date,
  reason: string | null | undefined,
): { columns: Columns; when: RawBuilder<boolean> } {
  const columns = {
    status: 'inactive',
    status_reason: reason ?? null,
    status_changed_at: now,
    deactivated_at: now,
  };
  return { columns, when: sql`target.status = 'active'` };
}

/** Deactivates a record; an inactive one is answered as it is. Throws `not_found`. */
export async function deactivateRecord<Row extends { id: string }>(
  { db, now: clock }: Pick<Context, 'db' | 'now'>,
  collection: Collection<Row>,
  { id, reason }: { id: string; reason?: string | null | undefined },
): Promise<Row> {
  const now = clock();
  const change = { where: sql<boolean>`id = ${id}`, ...inactive(now, reason), now };
  return only(await changeRecords(db, collection, change), collection, id);
}

/** Reactivates a record; an active one is answered as it is. Throws `not_found`, `office_inactive`. */
export async function reactivateRecord<Row extends { id: string }>(
  { db, now: clock }: Pick<Context, 'db' | 'now'>,
  collection: Collection<Row>,
  id: string,
): Promise<Row> {
  const now = clock();
  const columns = { status: 'active', status_reason: null, status_changed_at: now, deactivated_at: null };
  const change = {
    where: sql<boolean>`id = ${id}`,
    columns,
    when: sql<boolean>`target.status = 'inactive'`,
    now,
  };
  return only(await changeRecords(db, collection, change), collection, id);
}

/** Deletes a record, which can be restored for a time. Throws `not_found`, and `has_dependents` with counts. */
export async function removeRecord<Row extends { id: string }>(
  { db, now }: Context,
  collection: Collection<Row>,
  id: string,
): Promise<void> {
  const gone = await deleteRecord(db, collection, { id, now: now() }).catch(async (error: unknown) => {
    if (!isStillReferenced(error)) throw error;
    const dependents = await countDependents(db, collection, id);
    const counts = Object.entries(dependents).map(([kind, count]) => `${kind}: ${count}`);
    const detail = `Other records refer to this ${collection.table} (${counts.join(', ')}).`;
    throw new RosterError('has_dependents', detail, { dependents, cause: error });
  });
  if (gone === undefined) throw notFound(collection, id);
}

/**
 * Brings a deleted record back under its id and in its last state, as a new version; a record that is there is
 * answered as it is. Uniqueness and references are checked anew by the constraints. Throws `not_found`.
 */
export async function restoreRecord<Row extends { id: string; version: number; updatedAt: string }>(
  ctx: Context,
  collection: Collection<Row>,
  id: string,
): Promise<Row> {
  const now = ctx.now();
  return ctx.db.transaction().execute(async (trx) => {
    const last = await takeTombstone(trx, collection, { id, now, retentionDays: ctx.retentionDays });
    if (last === undefined) return getRecord({ ...ctx, db: trx }, collection, id);
    return insertRecord(trx, collection, {
      ...collection.columns(last, { isPatch: false }),
      version: last.version + 1,
      updated_at: now > new Date(last.updatedAt) ? now : last.updatedAt,
    });
  });
}
