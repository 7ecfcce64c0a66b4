import type { Event, FieldChange } from '@roster/client';
import { isObject } from '@roster/fields/objects';
import { isEqual } from '../record/edit/form-values.ts';

type Values = Readonly<Record<string, unknown>>;

/** The fields that the service sets with every change, or that follow from others. */
const own = new Set([
  'id',
  'version',
  'createdAt',
  'updatedAt',
  'statusChangedAt',
  'deactivatedAt',
  'displayName',
]);

function differences(field: string, before: unknown, after: unknown): FieldChange[] {
  if (isEqual(before ?? null, after ?? null)) return [];
  if (!isObject(before) || !isObject(after)) return [{ field, before: before ?? null, after: after ?? null }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => differences(`${field}.${name}`, before[name], after[name]));
}

/** The fields that an event changed, with their values before and after; none of a record that was created or deleted. */
export function changesOf({ record, previous }: Pick<Event, 'record' | 'previous'>): FieldChange[] {
  const values = (record ?? {}) as Values;
  return Object.entries(previous as Values)
    .filter(([field]) => !own.has(field))
    .flatMap(([field, before]) => differences(field, before, values[field]));
}
