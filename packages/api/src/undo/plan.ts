import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { withVisibleItems } from '../access/visible-items.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { differences, type Json, patchTo, splitPath } from '../history/field-changes.ts';
import type { RecordError } from '../records/change-each.ts';
import type { Versioned } from '../records/service.ts';
import type { Located } from '../records/try-change.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { columnOf } from '../resources/fields/columns.ts';
import { writtenFields } from '../resources/fields/shapes.ts';
import { andIsWithin } from '../resources/office-limit.ts';
import type { Limited } from '../resources/write/mutations.ts';
import { wasWithin } from '../resources/write/tombstones.ts';
import { type RecordedChange, type Step, stepsOf } from './changes.ts';

type Definition = Pick<ResourceDefinition, 'fields' | 'computed'>;

/** Three states of a record: before the changes that are undone, after them, and now. */
export interface States {
  before: Json;
  after: Json;
  current: Json;
}

/**
 * Plans which fields of a record get their values back, and which were changed since and stay as they are.
 *
 * @param paths the fields, or parts of fields, that the undo is about
 * @returns the values as a merge patch (RFC 7396), and the paths that stay
 */
export function planFields(
  { fields, computed = {} }: Definition,
  { before, after, current }: States,
  paths: readonly string[],
): { values: Json; conflicts: string[] } {
  const isKept = (path: string) => {
    const [name] = splitPath(path);
    return [after, before].some((state) => isDeepStrictEqual(current[name], state[name]));
  };
  const kept = paths.filter(isKept);
  const patch = patchTo(current, before, kept);
  const conflicts = paths.filter((path) => !isKept(path));
  if (Object.keys(patch).length === 0) return { values: patch, conflicts };
  // A field that follows from others unless it is given would follow them.
  const followed = Object.keys(fields).filter((name) => columnOf(name) in computed && name in before);
  const given = followed.filter((name) => kept.includes(name)).map((name) => [name, before[name]]);
  return { values: { ...Object.fromEntries(given), ...patch }, conflicts };
}

/** Fields that callers cannot write, and transitions change. */
const statusFields = new Set(['status', 'statusReason', 'deactivatedAt']);

/** A record that an undo is about, as it is now. */
interface Found<Row> {
  id: string;
  record: Row;
  /** Whether it is deleted, and can be restored. */
  isDeleted: boolean;
}

/** Locks records within the limit, or their tombstones, until the transaction ends, and reads them. */
export async function lockRecords<Row extends { id: string }>(
  trx: Transaction<Database>,
  resource: Located & Pick<ResourceDefinition, 'name' | 'parent'>,
  { ids, limit }: Limited & { ids: readonly string[] },
): Promise<Found<Row>[]> {
  const { table, record, name } = resource;
  const { rows } = await sql<Found<Row>>`
    with locked as (
      select id, ${record} as record from ${sql.table(table)}
      where id = any(${ids}::uuid[])${andIsWithin(resource.limit.column, limit)} order by id for no key update
    ), deleted as (
      select id, record from tombstone
      where collection = ${name} and id = any(${ids}::uuid[])${wasWithin(resource, limit)} order by id for update
    )
    select id, record, false as "isDeleted" from locked
    union all
    select id, record, true from deleted`.execute(trx);
  return rows;
}

/** A step, with the values that a record gets back by it; of a deletion and a restoration none. */
export type PlannedStep = Pick<Step, 'id' | 'verb'> & { values: Json };

/** The effects of an undo, each record in one of the lists, or with some of its fields in `conflicts`. */
export interface Plan {
  /** The steps of each record, in their order. */
  steps: PlannedStep[][];
  /** The records that stay as they are: changed since, gone, or with events that are no longer kept. */
  rejected: RecordError[];
  /** The fields that stay as they are, because they were changed since. */
  conflicts: { id: string; fields: string[] }[];
}

export interface UndoRequest extends Limited {
  ids: readonly string[];
  /** The changes of the records, of each the newest first. */
  changes: readonly RecordedChange[];
  /** The parts of a record that was changed since which stay as they are: all, or the fields that were changed. */
  keeps: 'records' | 'fields';
  /** The fields that are put back; all, unless given. */
  isPutBack?: (field: string) => boolean;
}

/** A record as it is now, whose fields are compared by their names. */
type Now = Found<Versioned & Json>;

/** The fields that the error of a record names. */
const NAMED_MAX = 5;

/** The error of a record that is not as the newest of its changes left it; undefined if it is, or if only its fields differ. */
function errorSince(
  { table, fields }: ResourceDefinition,
  id: string,
  { newest, now, limit }: Limited & { newest: RecordedChange | undefined; now: Now | undefined },
): RecordError | undefined {
  const error = (code: ErrorCode, detail: string) => ({ id, code, detail });
  if (newest === undefined) return error('not_found', 'The event of the change is no longer kept.');
  const isDeletion = newest.verb === 'deleted';
  if (now === undefined || (now.isDeleted && !isDeletion)) {
    const orHidden = limit === undefined ? '' : ', or left the offices of the limit';
    return error('not_found', `The ${table} was deleted since${orHidden}.`);
  }
  if (isDeletion)
    return now.isDeleted ? undefined : error('version_conflict', `The ${table} was restored since.`);
  const { version } = now.record;
  if (version === newest.version) return undefined;
  const changed = differences(newest.record, now.record, fields).map(({ field }) => field);
  const more = changed.length > NAMED_MAX ? [`${changed.length - NAMED_MAX} more`] : [];
  const which = changed.length === 0 ? '' : ` (${[...changed.slice(0, NAMED_MAX), ...more].join(', ')})`;
  const detail = `The ${table} was changed since${which}: it has version ${version}, not ${newest.version}.`;
  return error('version_conflict', detail);
}

/** Plans the steps of one record that is there. */
function planSteps(
  resource: Definition,
  steps: readonly Step[],
  { current, isPutBack = () => true }: { current: Json; isPutBack?: UndoRequest['isPutBack'] },
): { planned: PlannedStep[]; conflicts: string[] } {
  const { fields, computed = {} } = resource;
  const written = writtenFields(fields).map(([name]) => name);
  const conflicts: string[] = [];
  const planned = steps.map(({ id, verb, after, previous }, index): PlannedStep => {
    if (verb === 'deleted' || verb === 'restored') return { id, verb, values: {} };
    const changed = [...written, ...statusFields].filter((name) => name in previous && isPutBack(name));
    const following = written.filter((name) => columnOf(name) in computed && isPutBack(name));
    // Of steps after the first the record is as the step before them leaves it.
    const states = { before: { ...after, ...previous }, after, current: index === 0 ? current : after };
    const plan = planFields(resource, states, [...new Set([...changed, ...following])]);
    conflicts.push(...plan.conflicts.filter((name) => changed.includes(name)));
    return { id, verb, values: plan.values };
  });
  return { planned, conflicts };
}

/** Plans the undo of changes of records, which are locked until the transaction ends, so that they stay as the plan has them. */
export async function planUndo(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, changes, keeps, isPutBack, limit }: UndoRequest,
): Promise<Plan> {
  const locked = await lockRecords<Now['record']>(trx, resource, { ids, limit });
  const own = new Set(ids);
  const about = changes.filter(({ id }) => own.has(id));
  const seen = await withVisibleItems(trx, { changes: about, records: locked }, limit);
  const changesById = Map.groupBy(seen.changes, ({ id }) => id);
  const nowById = new Map(seen.records.map((found) => [found.id, found]));
  const plan: Plan = { steps: [], rejected: [], conflicts: [] };
  for (const id of ids) {
    const [some = [], now] = [changesById.get(id), nowById.get(id)];
    const newest = some[0];
    const error = errorSince(resource, id, { newest, now, limit });
    const isPartly = keeps === 'fields' && error?.code === 'version_conflict' && newest?.verb !== 'deleted';
    if (error !== undefined && !isPartly) plan.rejected.push(error);
    if (now === undefined || (error !== undefined && !isPartly)) continue;
    const current = now.record;
    const { planned, conflicts } = planSteps(resource, stepsOf(some), {
      current,
      ...(isPutBack && { isPutBack }),
    });
    plan.steps.push(planned);
    if (conflicts.length > 0) plan.conflicts.push({ id, fields: conflicts });
  }
  return plan;
}
