import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { withVisibleItems } from '../../access/visible-items.ts';
import type { ResourceDefinition } from '../../engine/definition.ts';
import { writtenFields } from '../../engine/fields/shapes.ts';
import { andIsWithin } from '../../engine/office-limit.ts';
import type { Limited } from '../../engine/write/mutations.ts';
import { wasWithin } from '../../engine/write/tombstones.ts';
import type { ErrorCode } from '../../errors/error-codes.ts';
import type { FieldConflict, RecordError } from '../../records/change-each.ts';
import {
  changedPaths,
  differences,
  type Json,
  patched,
  patchTo,
  splitPath,
  valueAt,
} from '../../records/field-changes.ts';
import type { Versioned } from '../../records/service.ts';
import type { Located } from '../../records/try-change.ts';
import { type RecordedChange, type Step, stepsOf } from './changes.ts';

type Definition = Pick<ResourceDefinition, 'fields' | 'defaults'>;

export interface States {
  before: Json;
  after: Json;
  current: Json;
}

/**
 * Plans which fields get their values back; those changed since stay.
 *
 * @param paths the fields, or parts, to undo
 * @returns the values as a merge patch (RFC 7396), and the skipped fields
 */
export function planFields(
  { defaults = {} }: Definition,
  { before, after, current }: States,
  paths: readonly string[],
): { values: Json; conflicts: FieldConflict[] } {
  // A default name, before and now, follows its parts.
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
  // Otherwise a derived field would follow those it depends on.
  const given = Object.keys(defaults).filter((name) => name in before && kept.includes(name));
  return {
    values: { ...Object.fromEntries(given.map((name) => [name, before[name]])), ...patch },
    conflicts,
  };
}

/** Read-only fields that transitions change. */
const statusFields = ['status', 'statusReason', 'deactivatedAt'];

interface Found<Row> {
  id: string;
  record: Row;
  isDeleted: boolean;
}

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

export type PlannedStep = Pick<Step, 'id' | 'verb'> & { values: Json };

/** Each record has steps or is in another list; one with steps can also be in `partial`. */
export interface Plan {
  steps: PlannedStep[][];
  unchanged: string[];
  rejected: RecordError[];
  /** Records of which some fields stay, because they were changed since. */
  partial: RecordError[];
}

export interface UndoRequest extends Limited {
  ids: readonly string[];
  changes: readonly RecordedChange[];
  isPutBack?: ((field: string) => boolean) | undefined;
  /** If one of these fields was changed since, the status stays. */
  statusTies?: readonly string[] | undefined;
}

type Fields = Pick<UndoRequest, 'isPutBack' | 'statusTies'>;

type Now = Found<Versioned & Json>;

/** A step is skipped entirely if one of these fields was changed since. */
function leadsOf(verb: Step['verb'], { parent }: Pick<ResourceDefinition, 'parent'>): readonly string[] {
  if (verb === 'transferred') return parent === undefined ? [] : [parent.field];
  return verb === 'updated' ? [] : statusFields;
}

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

/** Each step restores the fields that still have the values of its change. */
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

interface About {
  changes: readonly RecordedChange[];
  steps: readonly Step[];
  now: Now | undefined;
}

/** Locks the records until the transaction ends, so that the plan stays valid. */
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

const NAMED_MAX = 5;
const VALUE_MAX = 60;

const errorOf = (code: ErrorCode, detail: string, fields: FieldConflict[] = []) => {
  return (id: string): RecordError => ({ id, code, detail, fields });
};

const eventGone = errorOf('not_found', 'The event of the change is no longer available.');

function goneSince({ table }: ResourceDefinition, id: string, limit: Limited['limit']): RecordError {
  const orHidden = limit === undefined ? '' : ', or left the offices of the limit';
  return errorOf('not_found', `The ${table} was deleted since${orHidden}.`)(id);
}

function restoredSince({ table }: ResourceDefinition, id: string): RecordError {
  return errorOf('version_conflict', `The ${table} was restored since.`)(id);
}

function worded(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  const text = JSON.stringify(value);
  return text.length <= VALUE_MAX ? text : `${text.slice(0, VALUE_MAX)}…`;
}

function listed(texts: readonly string[]): string {
  const more = texts.length - NAMED_MAX;
  return [...texts.slice(0, NAMED_MAX), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function changedSince({ table }: ResourceDefinition, id: string, fields: FieldConflict[]): RecordError {
  const which = fields.map(({ field, set, current }) => `${field} is ${worded(current)}, not ${worded(set)}`);
  return errorOf('version_conflict', `The ${table} was changed since: ${listed(which)}.`, fields)(id);
}

function creationChangedSince(
  { table, fields }: ResourceDefinition,
  id: string,
  { newest, current }: { newest: RecordedChange; current: Json },
): RecordError {
  const changed = differences(newest.record, current, fields).map(
    ({ field, before, after }): FieldConflict => ({ field, previous: null, set: before, current: after }),
  );
  const which = changed.length === 0 ? '' : `: ${listed(changed.map(({ field }) => field))}`;
  const detail = `The ${table} is not deleted, because it was changed since${which}.`;
  return errorOf('version_conflict', detail, changed)(id);
}
