import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { z } from 'zod';
import { readOnlyFields } from '../errors/read-only-fields.ts';
import { invalidInput } from '../errors/roster-error.ts';
import { causeOf, checkVersion, type Versioned, versionsOf, writtenColumns } from '../records/service.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { columnOf } from '../resources/fields/columns.ts';
import { writtenFields } from '../resources/fields/shapes.ts';
import { andIsWithin } from '../resources/office-limit.ts';
import type { ChangeCause } from '../resources/outbox/event-outbox.ts';
import { byId, changeRecords, type Limited } from '../resources/write/mutations.ts';
import { rolledBack } from '../resources/write/transaction.ts';
import type { CallContext } from '../trpc/context.ts';
import {
  asJson,
  differences,
  isWritablePath,
  type Json,
  parsePatch,
  patchTo,
  splitPath,
} from './field-changes.ts';
import { findVersion } from './repository.ts';
import type { FieldChange, Revert } from './schemas.ts';
import { throwGone } from './service.ts';

/** A record after a revert. */
export type Reverted<Row> = Row & { changes: FieldChange[]; notReverted: FieldChange[] };

/** Throws `validation_failed` for a path that is no field, or that callers cannot write. */
function checkPaths(paths: readonly string[], { fields }: Pick<ResourceDefinition, 'fields'>): void {
  const errors = paths.flatMap((path, index) => {
    if (isWritablePath(path, fields)) return [];
    const [name] = splitPath(path);
    const readOnly = readOnlyFields.get(name);
    const pointer = `#/fields/${index}`;
    if (readOnly !== undefined)
      return [{ pointer, code: 'read_only', detail: `names ${name}, which ${readOnly}` }];
    return [{ pointer, code: 'unknown_field', detail: 'names no field that a change can write' }];
  });
  const [first, ...others] = errors;
  if (first !== undefined) throw invalidInput(first, ...others);
}

/** Locks a record and returns it; undefined if there is none within the limit. */
async function lockRecord<Row extends { id: string }>(
  trx: Transaction<Database>,
  { table, record, limit: { column } }: ResourceDefinition<Row>,
  { id, limit }: Limited & { id: string },
): Promise<Row | undefined> {
  const { rows } = await sql<{ record: Row }>`
    select ${record} as record from ${sql.table(table)} where id = ${id}${andIsWithin(column, limit)} for no key update`.execute(
    trx,
  );
  return rows[0]?.record;
}

/** The record in the version to revert to. Throws `validation_failed` if the log does not have it. */
async function readVersion<Row extends Versioned>(
  db: Kysely<Database>,
  { table }: ResourceDefinition<Row>,
  { current, version, limit }: Limited & { current: Row; version: number },
): Promise<Json> {
  if (version === current.version) return asJson(current);
  const earlier = await findVersion(db, { table, subject: current.id, version, limit });
  if (earlier !== undefined) return earlier;
  const detail =
    version > current.version
      ? `is ${version}, and the ${table} is at version ${current.version}`
      : `is ${version}, which is no longer in the log`;
  throw invalidInput({ pointer: '#/toVersion', code: 'not_found', detail });
}

/**
 * The input of an update that gives fields their values in an earlier version: the smallest merge patch, empty if they have them.
 * Throws `validation_failed` for a value that is no longer valid.
 */
function patchOf<Row extends Versioned>(
  { fields, computed = {} }: Pick<ResourceDefinition<Row>, 'fields' | 'computed'>,
  { current, earlier, paths }: { current: Row; earlier: Json; paths: string[] | undefined },
): Json {
  const written = new Map(writtenFields(fields));
  const wanted = paths ?? [...written.keys()];
  const changed = patchTo(asJson(current), earlier, wanted);
  if (Object.keys(changed).length === 0) return changed;
  // A field that follows from others unless it is given would follow them.
  const following = wanted.filter((name) => columnOf(name) in computed && name in earlier);
  const all = { ...Object.fromEntries(following.map((name) => [name, earlier[name]])), ...changed };
  return parsePatch(written, all, (name) => {
    const detail = `has a value of ${name} that is no longer valid`;
    return invalidInput({ pointer: '#/toVersion', code: 'invalid_value', detail });
  });
}

/** The differences that a revert of the whole record leaves: the status, which only transitions change. */
function statusDifference(current: Versioned, earlier: Json): FieldChange[] {
  const { status: before } = current;
  const { status: after } = earlier;
  return before === after ? [] : [{ field: 'status', before, after }];
}

/**
 * Gives a record, or some of its fields, the values of an earlier version, by the same statement as an update and with the same
 * errors; its event says which version. What changes nothing makes no version. The status does not change.
 *
 * A dry run does all of that, so that every rule is checked, and undoes it.
 *
 * Throws `not_found`, `version_conflict`, `validation_failed` if the log does not have the version, and the error of the
 * constraint that rejects a value, such as `email_taken`.
 */
export async function revertRecord<Row extends Versioned>(
  ctx: CallContext,
  resource: ResourceDefinition<Row>,
  request: z.output<typeof Revert>,
): Promise<Reverted<Row>> {
  const { id, ifVersion, dryRun, fields: paths } = request;
  if (paths !== undefined) checkPaths(paths, resource);
  const versions = versionsOf(ctx, { ifVersion });
  return ctx.db.transaction().execute(async (trx) => {
    const current = await lockRecord(trx, resource, { id, limit: ctx.limit });
    if (current === undefined) return throwGone({ db: trx, limit: ctx.limit }, resource, id);
    checkVersion(current, versions);
    const cause = causeOf(ctx, request.reason);
    const revert = () => revertLocked(trx, resource, { current, request, cause, limit: ctx.limit });
    return dryRun ? { ...(await rolledBack(trx, revert)), ...current } : revert();
  });
}

interface LockedRevert<Row> extends Limited {
  current: Row;
  request: z.output<typeof Revert>;
  cause: ChangeCause;
}

/** Reverts a record that the transaction has locked. */
async function revertLocked<Row extends Versioned>(
  trx: Transaction<Database>,
  resource: ResourceDefinition<Row>,
  { current, request: { toVersion, fields: paths }, cause, limit }: LockedRevert<Row>,
): Promise<Reverted<Row>> {
  const earlier = await readVersion(trx, resource, { current, version: toVersion, limit });
  const notReverted = paths === undefined ? statusDifference(current, earlier) : [];
  const patch = patchOf(resource, { current, earlier, paths });
  if (Object.keys(patch).length === 0) return { ...current, changes: [], notReverted };
  const columns = writtenColumns(resource, patch, { isPatch: true });
  const details = { ...cause.details, revertedTo: toVersion };
  const change = {
    selection: byId(current.id),
    columns,
    verb: 'updated' as const,
    cause: { ...cause, details },
    limit,
  };
  const [changed] = await changeRecords(trx, resource, change);
  if (changed === undefined) throw new Error('a locked record was not changed');
  const { record } = changed;
  return { ...record, changes: differences(asJson(current), asJson(record), resource.fields), notReverted };
}
