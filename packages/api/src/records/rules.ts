import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { isStillReferenced } from '../constraints.ts';
import type { Context, Precondition } from '../context.ts';
import { RosterError } from '../errors.ts';
import { type Changed, changeRecords, countDependents, deleteRecord, insertRecord } from './changes.ts';
import type { Collection } from './collection.ts';
import type { Columns } from './columns.ts';
import { findRecord } from './pages.ts';
import type { Status } from './schemas.ts';
import { takeTombstone } from './tombstones.ts';

/** What offices and agents may have done to them, written once; the nouns add only what is their own. */

/** What the rules read of a record, whatever its noun. */
interface Versioned {
  id: string;
  version: number;
  status: Status;
  updatedAt: string;
}

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

/** A request to change one record, with the version RPC may name. */
interface OneChange {
  id: string;
  ifVersion?: number | undefined;
}

/** The versions a change may meet: of the input in RPC, of If-Match in REST. Throws `version_required`. */
function versionsOf(
  { ifMatch, isVersionRequired }: Pick<Context, 'ifMatch' | 'isVersionRequired'>,
  { ifVersion }: OneChange,
): Precondition | undefined {
  if (ifVersion !== undefined) return [ifVersion];
  const versions = ifMatch();
  if (versions === undefined && isVersionRequired) throw new RosterError('version_required');
  return versions;
}

function checkVersion({ version }: { version: number }, versions: Precondition | undefined): void {
  if (versions === undefined || versions === 'any' || versions.includes(version)) return;
  const detail = `The record has version ${version}, not ${versions.join(' or ') || 'the one that was named'}.`;
  throw new RosterError('version_conflict', detail, { currentVersion: version });
}

interface Asked {
  collection: Pick<Collection, 'table'>;
  id: string;
  versions: Precondition | undefined;
  /** Whether a record that was not changed is already as asked, so that its version does not matter. */
  isInPlace?: (status: Status) => boolean;
}

/** The one record a change was about. Throws `not_found` where there was none, and `version_conflict`. */
function settled<Row extends Versioned>(
  [first]: Changed<Row>[],
  { collection, id, versions, isInPlace }: Asked,
): Row {
  if (first === undefined) throw notFound(collection, id);
  const { record, isChanged } = first;
  if (!isChanged && !isInPlace?.(record.status)) checkVersion(record, versions);
  return record;
}

/** Merges a patch (RFC 7396) into a record; one that changes nothing makes no version. Throws `not_found`. */
export async function updateRecord<Row extends Versioned>(
  ctx: Context,
  collection: Collection<Row>,
  { id, ifVersion, ...patch }: OneChange,
): Promise<Row> {
  const versions = versionsOf(ctx, { id, ifVersion });
  const columns = collection.columns(patch, { isPatch: true });
  if (Object.keys(columns).length === 0) {
    const record = await getRecord(ctx, collection, id);
    checkVersion(record, versions);
    return record;
  }
  const where = sql<boolean>`id = ${id}`;
  const changed = await changeRecords(ctx.db, collection, { where, columns, versions, now: ctx.now() });
  return settled(changed, { collection, id, versions });
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

function active(now: Date): { columns: Columns; when: RawBuilder<boolean> } {
  const columns = { status: 'active', status_reason: null, status_changed_at: now, deactivated_at: null };
  return { columns, when: sql`target.status = 'inactive'` };
}

/** What a transition needs of its context. */
type Transitional = Pick<Context, 'db' | 'now' | 'ifMatch' | 'isVersionRequired'>;

/** Deactivates a record; an inactive one is answered as it is. Throws `not_found`, `version_conflict`. */
export async function deactivateRecord<Row extends Versioned>(
  ctx: Transitional,
  collection: Collection<Row>,
  { reason, ...one }: OneChange & { reason?: string | null | undefined },
): Promise<Row> {
  const now = ctx.now();
  const versions = versionsOf(ctx, one);
  const change = { where: sql<boolean>`id = ${one.id}`, ...inactive(now, reason), versions, now };
  const changed = await changeRecords(ctx.db, collection, change);
  return settled(changed, { collection, id: one.id, versions, isInPlace: (status) => status === 'inactive' });
}

/** Reactivates a record; an active one is answered as it is. Throws `not_found`, `version_conflict`, `office_inactive`. */
export async function reactivateRecord<Row extends Versioned>(
  ctx: Transitional,
  collection: Collection<Row>,
  one: OneChange,
): Promise<Row> {
  const now = ctx.now();
  const versions = versionsOf(ctx, one);
  const change = { where: sql<boolean>`id = ${one.id}`, ...active(now), versions, now };
  const changed = await changeRecords(ctx.db, collection, change);
  return settled(changed, { collection, id: one.id, versions, isInPlace: (status) => status === 'active' });
}

/**
 * Deletes a record, which can be restored for a time.
 * Throws `not_found`, `version_conflict`, and `has_dependents` with counts.
 */
export async function removeRecord<Row extends Versioned>(
  ctx: Context,
  collection: Collection<Row>,
  one: OneChange,
): Promise<void> {
  const { id } = one;
  const versions = versionsOf(ctx, one);
  const deletion = deleteRecord(ctx.db, collection, { id, versions, now: ctx.now() });
  const gone = await deletion.catch(async (error: unknown) => {
    if (!isStillReferenced(error)) throw error;
    const dependents = await countDependents(ctx.db, collection, id);
    const counts = Object.entries(dependents).map(([kind, count]) => `${kind}: ${count}`);
    const detail = `Other records refer to this ${collection.table} (${counts.join(', ')}).`;
    throw new RosterError('has_dependents', detail, { dependents, cause: error });
  });
  if (gone === undefined) checkVersion(await getRecord(ctx, collection, id), versions);
}

/**
 * Brings a deleted record back under its id and in its last state, as a new version; a record that is there is
 * answered as it is. Uniqueness and references are checked anew by the constraints.
 * Throws `not_found`, and `version_conflict` where another version than the last is asked for.
 */
export async function restoreRecord<Row extends Versioned>(
  ctx: Context,
  collection: Collection<Row>,
  { id, ifVersion }: OneChange,
): Promise<Row> {
  const now = ctx.now();
  const versions = versionsOf({ ...ctx, isVersionRequired: false }, { id, ifVersion });
  return ctx.db.transaction().execute(async (trx) => {
    const last = await takeTombstone(trx, collection, { id, now, retentionDays: ctx.retentionDays });
    if (last === undefined) return getRecord({ ...ctx, db: trx }, collection, id);
    checkVersion(last, versions);
    return insertRecord(trx, collection, {
      ...collection.columns(last, { isPatch: false }),
      version: last.version + 1,
      updated_at: now > new Date(last.updatedAt) ? now : last.updatedAt,
    });
  });
}
