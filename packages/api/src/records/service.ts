import { codeOf, fragment, SQLSTATE } from '@roster/db';
import { sql } from 'kysely';
import type { ResourceDefinition } from '../engine/definition.ts';
import type { Status } from '../engine/fields/schemas.ts';
import type { RawJson } from '../engine/json/raw-json.ts';
import type { JsonShape } from '../engine/json/record-json.ts';
import { findRecord } from '../engine/list/find-record.ts';
import type { Listable } from '../engine/list/list-records.ts';
import { newId } from '../engine/new-id.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import { type Columns, columnsOf } from '../engine/sql/column-mapping.ts';
import type { Condition } from '../engine/sql/filter.ts';
import {
  byId,
  type Change,
  changeEncodedRecords,
  deleteRecord,
  insertRecord,
} from '../engine/write/mutations.ts';
import { checkVersion, type Precondition, preconditionOf } from '../engine/write/precondition.ts';
import type { CountrySources } from '../engine/write/telephone-countries.ts';
import { hasUnreadTelephones, withReadTelephones } from '../engine/write/telephones.ts';
import { takeTombstones } from '../engine/write/tombstones.ts';
import { RosterError } from '../errors/roster-error.ts';
import type { CallContext } from '../trpc/context.ts';
import { dependentsError } from './dependents.ts';
import type { RecordContext } from './procedure.ts';

/** The operations that all resources share. */

export interface Versioned {
  id: string;
  version: number;
  status: Status;
  updatedAt: string;
}

export function causeOf({ caller, request, now }: CallContext, reason?: string | null): ChangeCause {
  return { now: now(), actorId: caller.id, requestId: request.id, reason };
}

export function writtenColumns(
  { fields, columns }: Pick<ResourceDefinition, 'fields' | 'columns'>,
  input: object,
  options: { isPatch: boolean },
): Columns {
  return columns?.(input, options) ?? columnsOf(fields, input, options);
}

export function notFound({ table }: Pick<ResourceDefinition, 'table'>, id: string): RosterError {
  return new RosterError('not_found', `No ${table} has the ID ${id}.`, { missing: { table, id } });
}

type Reading = Pick<CallContext, 'db' | 'limit'>;

/** Throws `not_found`, also out of the limit. */
export async function readRecord<Row extends { id: string }>(
  { db, limit }: Reading,
  resource: Listable<Row> & Pick<ResourceDefinition, 'table'>,
  id: string,
  expanded?: JsonShape<Row>,
): Promise<RawJson<Row>> {
  const record = await findRecord(db, resource, { id, limit, expanded });
  if (record === undefined) throw notFound(resource, id);
  return record;
}

/** Throws `not_found`, also out of the limit. */
export async function getRecord<Row extends { id: string }>(
  ctx: Reading,
  resource: ResourceDefinition<Row>,
  id: string,
): Promise<Row> {
  return (await readRecord(ctx, resource, id)).decode();
}

export function countrySources({
  limit,
  settings,
}: Pick<RecordContext, 'limit' | 'settings'>): CountrySources {
  return { limit, defaultCountry: settings.defaultCountry };
}

/** The JSON of PostgreSQL, or what it decodes to. Only from an object are items removed that are hidden from limited access. */
function responseOf<Row>({ limit, request }: CallContext, record: RawJson<Row>): RawJson<Row> | Row {
  return limit === undefined && request.acceptsRawJson ? record : record.decode();
}

/** Throws `validation_failed` for an invalid telephone, and the error of a violated constraint. */
export async function createRecord<Row extends { id: string }>(
  ctx: RecordContext,
  resource: ResourceDefinition<Row>,
  input: object,
): Promise<RawJson<Row> | Row> {
  const cause = causeOf(ctx);
  const { now } = cause;
  const read = await withReadTelephones(ctx.db, resource, { input }, countrySources(ctx));
  const columns = {
    id: { value: newId(now) },
    created_at: { value: now },
    updated_at: { value: now },
    status_changed_at: { value: now },
    ...writtenColumns(resource, read, { isPatch: false }),
  };
  const insertion = { columns, verb: 'created' as const, cause, limit: ctx.limit };
  return responseOf(ctx, await insertRecord(ctx.db, resource, insertion));
}

export interface OneChange {
  id: string;
  ifVersion?: number | undefined;
}

interface OneRecordChange extends Omit<Change, 'selection' | 'limit'> {
  id: string;
  values?: Record<string, unknown>;
}

/** Throws `not_found`. */
async function changeEncoded<Row extends Versioned>(
  { db, limit }: Reading,
  resource: ResourceDefinition<Row>,
  { id, values, ...change }: OneRecordChange,
) {
  const one = byId(id);
  const selection = values === undefined ? one : { ...one, values: { ...one.values, ...values } };
  const [first] = await changeEncodedRecords(db, resource, { selection, ...change, limit });
  if (first === undefined) throw notFound(resource, id);
  return first;
}

/**
 * Returns the record even if nothing changes. Throws `not_found`, `version_conflict`.
 *
 * @param isInPlace whether an unchanged record already is as requested, so that its version does not matter
 */
export async function changeOne<Row extends Versioned>(
  ctx: Reading,
  resource: ResourceDefinition<Row>,
  { isInPlace, ...change }: OneRecordChange & { isInPlace: (record: Row) => boolean },
): Promise<Row> {
  const { record: encoded, isChanged } = await changeEncoded(ctx, resource, change);
  const record = encoded.decode();
  if (!isChanged && !isInPlace(record)) checkVersion(record, change.precondition);
  return record;
}

/** Throws `not_found`, `version_conflict`, `validation_failed`. */
async function readPatchTelephones<Row extends Versioned>(
  ctx: RecordContext,
  resource: ResourceDefinition<Row>,
  { id, precondition, patch }: { id: string; precondition: Precondition | undefined; patch: object },
): Promise<object> {
  if (!hasUnreadTelephones(resource, patch)) return patch;
  const record = ctx.recordRead ?? (await getRecord(ctx, resource, id));
  checkVersion(record, precondition);
  return withReadTelephones(ctx.db, resource, { input: patch, record }, countrySources(ctx));
}

/** RFC 7396. Throws `not_found`, `version_conflict`, `validation_failed` for an invalid telephone. */
export async function updateRecord<Row extends Versioned>(
  ctx: RecordContext,
  resource: ResourceDefinition<Row>,
  { id, ifVersion, ...patch }: OneChange,
): Promise<RawJson<Row> | Row> {
  const precondition = preconditionOf(ctx, { ifVersion });
  const read = await readPatchTelephones(ctx, resource, { id, precondition, patch });
  const columns = writtenColumns(resource, read, { isPatch: true });
  if (Object.keys(columns).length === 0) {
    const record = await getRecord(ctx, resource, id);
    checkVersion(record, precondition);
    return record;
  }
  const change = { id, columns, precondition, verb: 'updated' as const, cause: causeOf(ctx) };
  const { record, version, isChanged } = await changeEncoded(ctx, resource, change);
  if (!isChanged) checkVersion({ version }, precondition);
  return responseOf(ctx, record);
}

const hadStatus = fragment<{ status: 'active' | 'inactive' }, Condition>(
  ({ status }) => sql`target.status = ${sql.lit(status)}`,
);

export function deactivation(cause: ChangeCause) {
  const { now, reason = null } = cause;
  const columns = {
    status: { value: 'inactive' },
    status_reason: { value: reason },
    status_changed_at: { value: now },
    deactivated_at: { value: now },
  };
  return { columns, when: hadStatus({ status: 'active' }), verb: 'deactivated' as const, cause };
}

export function reactivation(cause: ChangeCause) {
  const columns = {
    status: { value: 'active' },
    status_reason: { value: null },
    status_changed_at: { value: cause.now },
    deactivated_at: { value: null },
  };
  return { columns, when: hadStatus({ status: 'inactive' }), verb: 'reactivated' as const, cause };
}

export function transfer(
  { name, parent }: Pick<ResourceDefinition, 'name' | 'parent'>,
  officeId: string | null,
  cause: ChangeCause,
) {
  if (parent === undefined) throw new Error(`${name} belong to no office`);
  return { columns: { [parent.column]: { value: officeId } }, verb: 'transferred' as const, cause };
}

const transitions = {
  deactivate: { changeBy: deactivation, to: 'inactive' },
  reactivate: { changeBy: reactivation, to: 'active' },
} as const;
export type StatusVerb = keyof typeof transitions;

type OneTransition = OneChange & { reason?: string | null | undefined };

/** Returns a record with that status unchanged. Throws `not_found`, `version_conflict`, `office_inactive`. */
export function setStatus<Row extends Versioned>(
  ctx: CallContext,
  resource: ResourceDefinition<Row>,
  verb: StatusVerb,
  { reason, ...one }: OneTransition,
): Promise<Row> {
  const { changeBy, to } = transitions[verb];
  const precondition = preconditionOf(ctx, one);
  const change = { ...changeBy(causeOf(ctx, reason)), isInPlace: ({ status }: Row) => status === to };
  return changeOne(ctx, resource, { id: one.id, precondition, ...change });
}

/** Throws `not_found`, `version_conflict`, and `has_dependents` with counts. */
export async function removeRecord<Row extends Versioned>(
  ctx: CallContext,
  resource: ResourceDefinition<Row>,
  one: OneChange,
): Promise<void> {
  const { id } = one;
  const precondition = preconditionOf(ctx, one);
  for (;;) {
    const deletion = deleteRecord(ctx.db, resource, {
      id,
      precondition,
      cause: causeOf(ctx),
      limit: ctx.limit,
    });
    const gone = await deletion.catch(async (error: unknown) => {
      if (codeOf(error) !== SQLSTATE.foreignKeyViolation) throw error;
      throw await dependentsError(ctx.db, resource, { id, limit: ctx.limit, cause: error });
    });
    if (gone !== undefined) return;
    // A matching record must have been restored since the deletion looked for it, and is to be deleted.
    checkVersion(await getRecord(ctx, resource, id), precondition);
  }
}

export function restoredState<Row extends Pick<Versioned, 'version' | 'updatedAt'>>(
  last: Row,
  now: Date,
): Row {
  const updatedAt = now > new Date(last.updatedAt) ? now.toISOString() : last.updatedAt;
  return { ...last, version: last.version + 1, updatedAt };
}

/**
 * Restores a record under its ID in its last state, as a new version; returns an existing record unchanged.
 * Constraints check uniqueness and references again. References may be out of the limit, because they are not
 * new. Throws `not_found`, and `version_conflict` if another version than the last is requested.
 */
export async function restoreRecord<Row extends Versioned>(
  ctx: RecordContext,
  resource: ResourceDefinition<Row>,
  { id, ifVersion, reason }: OneTransition,
): Promise<Row> {
  const cause = causeOf(ctx, reason);
  const { now } = cause;
  const precondition = preconditionOf(ctx, { ifVersion }, { isOptional: true });
  return ctx.db.transaction().execute(async (trx) => {
    const { retentionDays } = ctx.settings;
    const { limit } = ctx;
    const [last] = await takeTombstones<Row>(trx, resource, { ids: [id], now, retentionDays, limit });
    if (last === undefined) return getRecord({ db: trx, limit }, resource, id);
    checkVersion(last, precondition);
    const columns = writtenColumns(resource, restoredState(last, now), { isPatch: false });
    const record = await insertRecord(trx, resource, { columns, verb: 'restored', cause, limit });
    return record.decode();
  });
}
