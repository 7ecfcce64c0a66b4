import type { Event } from '@roster/client';
import { contracts, type ResourceName } from '../contract/contracts.ts';
import type { FieldContract } from '../contract/types.ts';
import { resourceOfEvent } from './index.ts';

type Values = Readonly<Record<string, unknown>>;

/** The ids of records of a resource in some fields of a record, and in the items of its lists. */
function idsIn(fields: readonly FieldContract[], resource: ResourceName, values: Values): string[] {
  return fields.flatMap(({ name, refersTo, parts = [] }) => {
    const items = [values[name]].flat();
    if (refersTo === resource) return items.filter((item) => typeof item === 'string');
    const objects = items.filter((item) => typeof item === 'object' && item !== null);
    return objects.flatMap((item) => idsIn(parts, resource, item as Values));
  });
}

/** The records of a resource that the record of an event refers to, or did before, such as the old and the new office of an agent. */
export function referredIds(
  resource: ResourceName,
  { type, record, previous }: Pick<Event, 'type' | 'record' | 'previous'>,
): string[] {
  const from = resourceOfEvent(type);
  if (from === undefined) return [];
  const { fields } = contracts[from];
  const states = [record, previous].map((state) => (state ?? {}) as Values);
  return [...new Set(states.flatMap((values) => idsIn(fields, resource, values)))];
}
