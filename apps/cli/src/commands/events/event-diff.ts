import type { Event, FieldChange } from '@roster/client';
import type { Row } from '../../contract/columns.ts';
import { fieldEntries } from '../../ui/text.ts';

/** The value of a field; null if it is missing, or an empty list. */
function valueIn(values: ReadonlyMap<string, unknown>, field: string): unknown {
  const value = values.get(field) ?? null;
  return Array.isArray(value) && value.length === 0 ? null : value;
}

/**
 * The fields that an event changed; of a created record, all its fields. The id, the version and timestamps that equal the
 * time of the event are left out.
 */
export function diffEvent({ type, record, previous, occurredAt }: Event): FieldChange[] {
  const now: Row = record ?? {};
  const isNew = type.endsWith('.created');
  const changed = isNew
    ? now
    : Object.fromEntries(Object.keys(previous).map((name) => [name, now[name as never]]));
  const before = new Map(fieldEntries(previous));
  const after = new Map(fieldEntries(changed));
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((field) => ({ field, before: valueIn(before, field), after: valueIn(after, field) }))
    .filter(({ field, before, after }) => {
      const isRedundant = field === 'id' || field === 'version' || after === occurredAt;
      return !isRedundant && JSON.stringify(before) !== JSON.stringify(after);
    });
}
