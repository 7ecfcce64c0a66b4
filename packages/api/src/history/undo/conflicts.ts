import type { ResourceDefinition } from '../../engine/definition.ts';
import type { Limited } from '../../engine/write/mutations.ts';
import type { ErrorCode } from '../../errors/error-codes.ts';
import type { FieldConflict, RecordError } from '../../records/change-each.ts';
import { differences, type Json } from '../../records/field-changes.ts';
import type { RecordedChange } from './changes.ts';

/** Why an undo skips a record or some of its fields. */

const NAMED_MAX = 5;
const VALUE_MAX = 60;

const errorOf = (code: ErrorCode, detail: string, fields: FieldConflict[] = []) => {
  return (id: string): RecordError => ({ id, code, detail, fields });
};

export const eventGone = errorOf('not_found', 'The event of the change is no longer available.');

export function goneSince({ table }: ResourceDefinition, id: string, limit: Limited['limit']): RecordError {
  const orHidden = limit === undefined ? '' : ', or left the offices of the limit';
  return errorOf('not_found', `The ${table} was deleted since${orHidden}.`)(id);
}

export function restoredSince({ table }: ResourceDefinition, id: string): RecordError {
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

export function changedSince(
  { table }: ResourceDefinition,
  id: string,
  fields: FieldConflict[],
): RecordError {
  const which = fields.map(({ field, set, current }) => `${field} is ${worded(current)}, not ${worded(set)}`);
  return errorOf('version_conflict', `The ${table} was changed since: ${listed(which)}.`, fields)(id);
}

export function creationChangedSince(
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
