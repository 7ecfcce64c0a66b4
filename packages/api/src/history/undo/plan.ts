import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import type { ResourceDefinition } from '../../engine/definition.ts';
import { writtenFields } from '../../engine/fields/shapes.ts';
import { andIsWithin } from '../../engine/office-limit.ts';
import type { Limited } from '../../engine/write/mutations.ts';
import { wasWithin } from '../../engine/write/tombstones.ts';
import { withVisibleItems } from '../../identity/access/visible-items.ts';
import type { FieldConflict, RecordError } from '../../records/change-each.ts';
import type { Versioned } from '../../records/service.ts';
import type { Located } from '../../records/try-change.ts';
import { changedPaths, type Json, patched, patchTo, splitPath, valueAt } from '../field-changes.ts';
import { type RecordedChange, type Step, stepsOf } from './changes.ts';
import { changedSince, creationChangedSince, eventGone, goneSince, restoredSince } from './conflicts.ts';

type Definition = Pick<ResourceDefinition, 'fields' | 'defaults'>;

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
 * @returns the values as a merge patch (RFC 7396), and the fields that stay
 */
export function planFields(
  { defaults = {} }: Definition,
  { before, after, current }: States,
  paths: readonly string[],
): { values: Json; conflicts: FieldConflict[] } {
  // A name that is made of others now, and was before, follows them.
  const follows = (name: string) =>
    [before, current].every((state) => name in state && state[name] === defaults[name]?.(state));
  const own = paths.filter((path) => !follows(path));
  const isKept = (path: string) =>
    [after, before].some((state) => isDeepStrictEqual(valueAt(current, path), valueAt(state, path)));
  const kept = own.filter(isKept);
  const conflicts = own
    .filter((path) => !isKept(path))
    .map((field): FieldConflict => {
      const [previous, set, now] = [before, after, current].map((state) => valueAt(state, field));
      return { field, previous, set, current: now };
    });
  const patch = patchTo(current, before, kept);
  if (Object.keys(patch).length === 0) return { values: patch, conflicts };
  // A field that follows from others unless it is given would follow them.
  const given = Object.keys(defaults).filter((name) => name in before && kept.includes(name));
  return {
    values: { ...Object.fromEntries(given.map((name) => [name, before[name]])), ...patch },
    conflicts,
  };
}

/** Fields that callers cannot write, and transitions change. */
const statusFields = ['status', 'statusReason', 'deactivatedAt'];

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
      where id = any(${ids}::uuid[])${andIsWithin(resource.limit?.column, limit)} order by id for no key update
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

/** The effects of an undo. Each record has steps or is in one of the other lists; one with steps may be in `partial` too. */
export interface Plan {
  /** The steps of each record, in their order. */
  steps: PlannedStep[][];
  /** The records that have their earlier values already. */
  unchanged: string[];
  /** The records that stay as they are: changed since, gone, or with events that are no longer kept. */
  rejected: RecordError[];
  /** The records of which some fields stay as they are, because they were changed since. */
  partial: RecordError[];
}

export interface UndoRequest extends Limited {
  ids: readonly string[];
  /** The changes of the records, of each the newest first. */
  changes: readonly RecordedChange[];
  /** The fields that are put back; all, unless given. */
  isPutBack?: ((field: string) => boolean) | undefined;
  /** Fields that a change of the status belongs to: if one was changed since, the status stays. */
  statusTies?: readonly string[] | undefined;
}

type Fields = Pick<UndoRequest, 'isPutBack' | 'statusTies'>;

/** A record as it is now, whose fields are compared by their names. */
type Now = Found<Versioned & Json>;

/** The fields by which a step is known: it is not taken at all if one of them was changed since. */
function leadsOf(verb: Step['verb'], { parent }: Pick<ResourceDefinition, 'parent'>): readonly string[] {
  if (verb === 'transferred') return parent === undefined ? [] : [parent.field];
  return verb === 'updated' ? [] : statusFields;
}

/** The fields, or parts of fields, that a step is about. */
function pathsOf(
  { fields, defaults = {} }: Definition,
  { before, after }: Pick<States, 'before' | 'after'>,
  isPutBack: (field: string) => boolean,
): string[] {
  const written = new Set(writtenFields(fields).map(([name]) => name));
  const paths = [
    ...changedPaths(before, after, fields).filter((path) => written.has(splitPath(path)[0])),
    ...statusFields.filter((name) => !isDeepStrictEqual(before[name], after[name])),
    ...Object.keys(defaults),
  ];
  return [...new Set(paths)].filter((path) => isPutBack(splitPath(path)[0]));
}

/** Plans one step of a record that is there. */
function planStep(
  resource: ResourceDefinition,
  { id, verb, after, previous }: Step,
  { current, isPutBack = () => true, statusTies = [] }: Fields & { current: Json },
): { step: PlannedStep | undefined; conflicts: FieldConflict[] } {
  if (verb === 'deleted' || verb === 'restored') return { step: { id, verb, values: {} }, conflicts: [] };
  const states = { before: { ...after, ...previous }, after, current };
  const paths = pathsOf(resource, states, isPutBack);
  const leads = leadsOf(verb, resource);
  const ties = leads.includes('status') ? statusTies : [];
  const plan = planFields(resource, states, [...paths, ...ties]);
  const leading = plan.conflicts.filter(({ field }) => leads.includes(field) || ties.includes(field));
  if (leading.length > 0) return { step: undefined, conflicts: leading };
  const changed = new Set(pathsOf({ ...resource, defaults: {} }, states, isPutBack));
  const conflicts = plan.conflicts.filter(({ field }) => changed.has(field));
  if (Object.keys(plan.values).length === 0) return { step: undefined, conflicts };
  const isLed = leads.some((name) => name in plan.values);
  return { step: { id, verb: isLed ? verb : 'updated', values: plan.values }, conflicts };
}

/** Plans the steps of one record that is there: each takes back the fields that still have the values of its change. */
function planSteps(
  resource: ResourceDefinition,
  steps: readonly Step[],
  { current: now, ...fields }: Fields & { current: Json },
): { planned: PlannedStep[]; conflicts: FieldConflict[] } {
  const planned: PlannedStep[] = [];
  const conflicts: FieldConflict[] = [];
  let current = now;
  for (const one of steps) {
    const { step, conflicts: left } = planStep(resource, one, { current, ...fields });
    conflicts.push(...left.filter(({ field }) => !conflicts.some((known) => known.field === field)));
    if (step === undefined) continue;
    planned.push(step);
    current = patched(current, step.values);
  }
  return { planned, conflicts };
}

/** The error of a record that is not there as its changes left it, or that they created and others changed; undefined otherwise. */
function errorSince(
  resource: ResourceDefinition,
  id: string,
  { changes: [newest], steps, now, limit }: Limited & About,
): RecordError | undefined {
  if (newest === undefined) return eventGone(id);
  const isDeletion = newest.verb === 'deleted';
  if (now === undefined || (now.isDeleted && !isDeletion)) return goneSince(resource, id, limit);
  if (isDeletion) return now.isDeleted ? undefined : restoredSince(resource, id);
  const isDeleted = steps.some(({ verb }) => verb === 'deleted');
  if (!isDeleted || now.record.version === newest.version) return undefined;
  return creationChangedSince(resource, id, { newest, current: now.record });
}

/** A record with its changes that are undone, the newest first, and their steps. */
interface About {
  changes: readonly RecordedChange[];
  steps: readonly Step[];
  now: Now | undefined;
}

/** Plans the undo of changes of records, which are locked until the transaction ends, so that they stay as the plan has them. */
export async function planUndo(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, changes, limit, ...fields }: UndoRequest,
): Promise<Plan> {
  const locked = await lockRecords<Now['record']>(trx, resource, { ids, limit });
  const own = new Set(ids);
  const about = changes.filter(({ id }) => own.has(id));
  const seen = await withVisibleItems(trx, { changes: about, records: locked }, limit);
  const changesById = Map.groupBy(seen.changes, ({ id }) => id);
  const nowById = new Map(seen.records.map((found) => [found.id, found]));
  const plan: Plan = { steps: [], unchanged: [], rejected: [], partial: [] };
  for (const id of ids) {
    const [some = [], now] = [changesById.get(id), nowById.get(id)];
    const steps = stepsOf(some);
    const error = errorSince(resource, id, { changes: some, steps, now, limit });
    if (error !== undefined) plan.rejected.push(error);
    if (error !== undefined || now === undefined) continue;
    const { planned, conflicts } = planSteps(resource, steps, { current: now.record, ...fields });
    if (planned.length > 0) plan.steps.push(planned);
    else if (conflicts.length === 0) plan.unchanged.push(id);
    if (conflicts.length === 0) continue;
    const list = planned.length > 0 ? plan.partial : plan.rejected;
    list.push(changedSince(resource, id, conflicts));
  }
  return plan;
}
