import type { Event } from '@roster/client';
import { places } from '../output/text.ts';
import type { Row } from '../resources.ts';

/** One place of a record that a change has made different. */
export interface Difference {
  /** With a dot between a field and its part: `address.city`. */
  field: string;
  before: unknown;
  after: unknown;
}

/** A place without a value is null, whether the record has it or not, and so is a list without items. */
function valueIn(values: ReadonlyMap<string, unknown>, place: string): unknown {
  const value = values.get(place) ?? null;
  return Array.isArray(value) && value.length === 0 ? null : value;
}

/**
 * What an event has changed, place by place; of a new record all it was given. What merely says the event again is
 * left out: the id, the version, and the times at which the record says that it happened.
 */
export function differencesIn({ type, record, previous, occurredAt }: Event): Difference[] {
  const now: Row = record ?? {};
  const isNew = type.endsWith('.created');
  const changed = isNew
    ? now
    : Object.fromEntries(Object.keys(previous).map((name) => [name, now[name as never]]));
  const before = new Map(places(previous));
  const after = new Map(places(changed));
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((field) => ({ field, before: valueIn(before, field), after: valueIn(after, field) }))
    .filter(({ field, before, after }) => {
      const isSaid = field === 'id' || field === 'version' || after === occurredAt;
      return !isSaid && JSON.stringify(before) !== JSON.stringify(after);
    });
}
