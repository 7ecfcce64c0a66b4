import type { Database } from '@roster/db';
import type { Kysely, Transaction } from 'kysely';
import type { z } from 'zod';
import type { ResourceDefinition } from '../../engine/definition.ts';
import { writtenFields } from '../../engine/fields/shapes.ts';
import type { ChangeCause } from '../../engine/outbox/event-outbox.ts';
import type { Limited } from '../../engine/write/mutations.ts';
import { checkVersion, preconditionOf } from '../../engine/write/precondition.ts';
import { rolledBack } from '../../engine/write/transaction.ts';
import { readOnlyFields } from '../../errors/issue-text.ts';
import { invalidInput } from '../../errors/roster-error.ts';
import type { EventDetails } from '../../log/event-details.ts';
import {
  asJson,
  differences,
  isWritablePath,
  type Json,
  parsePatch,
  splitPath,
} from '../../records/field-changes.ts';
import { causeOf, type Versioned } from '../../records/service.ts';
import { findRecords } from '../../records/try-change.ts';
import type { CallContext } from '../../trpc/context.ts';
import { findVersion } from '../repository.ts';
import type { FieldChange, Revert } from '../schemas.ts';
import { throwGone } from '../service.ts';
import { putBack } from './apply.ts';
import { lockRecords, planFields } from './plan.ts';

export type Reverted<Row> = Row & { changes: FieldChange[]; notReverted: FieldChange[] };

/** Throws `validation_failed` for a path that is unknown or read-only. */
function checkPaths(paths: readonly string[], { fields }: Pick<ResourceDefinition, 'fields'>): void {
  const errors = paths.flatMap((path, index) => {
    if (isWritablePath(path, fields)) return [];
    const [name] = splitPath(path);
    const readOnly = readOnlyFields.get(name);
    const pointer = `#/fields/${index}`;
    if (readOnly !== undefined)
      return [{ pointer, code: 'read_only', detail: `includes ${name}, which ${readOnly}` }];
    return [{ pointer, code: 'unknown_field', detail: 'has no writable field' }];
  });
  const [first, ...others] = errors;
  if (first !== undefined) throw invalidInput(first, ...others);
}

/** Throws `validation_failed` if the changes to keep are the reverted ones. */
function checkOrder({ toVersion, keepChangesAfter }: z.output<typeof Revert>): void {
  if (keepChangesAfter === undefined || keepChangesAfter > toVersion) return;
  const detail = `must be greater than toVersion, which is ${toVersion}`;
  throw invalidInput({ pointer: '#/keepChangesAfter', code: 'invalid_value', detail });
}

type VersionName = 'toVersion' | 'keepChangesAfter';

/** Throws `validation_failed` if the log does not have the version. */
async function readVersion<Row extends Versioned>(
  db: Kysely<Database>,
  { table }: ResourceDefinition<Row>,
  { current, version, name, limit }: Limited & { current: Row; version: number; name: VersionName },
): Promise<Json> {
  if (version === current.version) return asJson(current);
  const earlier = await findVersion(db, { table, subject: current.id, version, limit });
  if (earlier !== undefined) return earlier;
  const detail =
    version > current.version
      ? `is ${version}, and the ${table} is at version ${current.version}`
      : `is ${version}, which is no longer in the log`;
  throw invalidInput({ pointer: `#/${name}`, code: 'not_found', detail });
}

/** Not reverted with the whole record, because these fields have operations of their own. */
const leftFields = new Set(['status', 'scheduledChanges']);

/** Throws `validation_failed` for a value that is no longer valid. */
function parseValues({ fields }: Pick<ResourceDefinition, 'fields'>, values: Json): Json {
  return parsePatch(new Map(writtenFields(fields)), values, (name) => {
    const detail = `has a value of ${name} that is no longer valid`;
    return invalidInput({ pointer: '#/toVersion', code: 'invalid_value', detail });
  });
}

/**
 * Restores a record, or some of its fields, from an earlier version, except the status. No difference makes
 * no version. With `keepChangesAfter`, fields changed after that version stay, and are returned. A dry run
 * checks every rule, then rolls back.
 *
 * Throws `not_found`, `version_conflict`, `validation_failed` if the log does not have the version, and the
 * error of a violated constraint, such as `email_taken`.
 */
export async function revertRecord<Row extends Versioned>(
  ctx: CallContext,
  resource: ResourceDefinition<Row>,
  request: z.output<typeof Revert>,
): Promise<Reverted<Row>> {
  const { id, ifVersion, dryRun, fields: paths } = request;
  if (paths !== undefined) checkPaths(paths, resource);
  checkOrder(request);
  const precondition = preconditionOf(ctx, { ifVersion });
  return ctx.db.transaction().execute(async (trx) => {
    const [found] = await lockRecords<Row>(trx, resource, { ids: [id], limit: ctx.limit });
    if (found === undefined || found.isDeleted) return throwGone({ db: trx, limit: ctx.limit }, resource, id);
    const { record: current } = found;
    checkVersion(current, precondition);
    const cause = causeOf(ctx, request.reason);
    const revert = () => revertLocked(trx, resource, { current, request, cause, limit: ctx.limit });
    return dryRun ? { ...(await rolledBack(trx, revert)), ...current } : revert();
  });
}

/** The changed parts of some fields, each to keep or revert by itself, and derived fields. */
function partsOf(
  { fields, defaults = {} }: Pick<ResourceDefinition, 'fields' | 'defaults'>,
  { before, after }: { before: Json; after: Json },
  wanted: readonly string[],
): string[] {
  const parts = differences(before, after, fields)
    .map(({ field }) => field)
    .filter((path) => wanted.includes(path) || wanted.includes(splitPath(path)[0]));
  return [...new Set([...parts, ...wanted.filter((name) => name in defaults)])];
}

interface LockedRevert<Row> extends Limited {
  current: Row;
  request: z.output<typeof Revert>;
  cause: ChangeCause;
}

/** The record must be locked. */
async function revertLocked<Row extends Versioned>(
  trx: Transaction<Database>,
  resource: ResourceDefinition<Row>,
  { current, request, cause, limit }: LockedRevert<Row>,
): Promise<Reverted<Row>> {
  const { id, toVersion, fields: paths, keepChangesAfter } = request;
  const versionOf = (name: VersionName, version: number) =>
    readVersion(trx, resource, { current, version, name, limit });
  const before = await versionOf('toVersion', toVersion);
  const now = asJson(current);
  const left =
    paths === undefined
      ? differences(now, before, resource.fields).filter(({ field }) => leftFields.has(field))
      : [];
  const wanted = paths ?? writtenFields(resource.fields).map(([name]) => name);
  const after = keepChangesAfter === undefined ? now : await versionOf('keepChangesAfter', keepChangesAfter);
  const plan =
    keepChangesAfter === undefined
      ? planFields(resource, { before, after: now, current: now }, wanted)
      : planFields(resource, { before, after, current: now }, partsOf(resource, { before, after }, wanted));
  const kept = plan.conflicts.map(({ field, previous, current }) => ({
    field,
    before: current,
    after: previous,
  }));
  const notReverted = [...left, ...kept];
  const values = parseValues(resource, plan.values);
  const details: EventDetails = { revertedTo: toVersion };
  const reverting = { ...cause, details: { ...cause.details, ...details } };
  const change = { verb: 'updated' as const, cause: reverting, limit };
  await putBack(trx, resource, { ...change, records: [{ id, values }] });
  const record = (await findRecords<Row>(trx, resource, { ids: [id], limit: undefined })).get(id) ?? current;
  return { ...record, changes: differences(now, asJson(record), resource.fields), notReverted };
}
