import { RosterError } from '@roster/api';
import type { Condition } from '@roster/api/server';
import { contextUrl, type ResoAnswer, type ResoCall } from './call.ts';
import { conditionOf } from './conditions.ts';
import { optionError } from './errors.ts';
import type { ResoField } from './fields.ts';
import { meets } from './memory-conditions.ts';
import { invalidSkipToken, nextPageLink, skipTokenOf } from './next-link.ts';
import { appliedPageSize, pageSize } from './read-records.ts';
import { orderOf, selectedFields } from './selection.ts';

/** The records of a set that never changes while the service runs, such as Lookup. */
export interface MemorySet {
  name: string;
  key: string;
  fields: readonly ResoField[];
  items: readonly Record<string, string | null>[];
}

/** A page of such a set: with the same options as the sets of the database. */
export function readMemorySet(call: ResoCall, set: MemorySet): ResoAnswer {
  const { options, preferences } = call;
  if (options.expand !== undefined)
    throw optionError('$expand', 'not_supported', `is not an option of ${set.name}`);
  const selected = selectedFields(set.fields, options.select);
  const found = matching(call, set);
  const start = startOf(call);
  const size = pageSize(call);
  const items = found.slice(start, start + size);
  const next = start + items.length;
  return {
    body: {
      '@odata.context': contextUrl(call, set.name),
      ...(options.count && { '@odata.count': found.length }),
      value: items.map((item) => shownItem(item, selected)),
      ...nextPageLink(call, {
        path: set.name,
        cursor: next < found.length ? String(next) : undefined,
        shown: items.length,
      }),
    },
    headers: appliedPageSize(preferences.maxPageSize),
  };
}

export function countMemorySet(call: ResoCall, set: MemorySet): ResoAnswer {
  return { body: String(matching(call, set).length), type: 'text/plain; charset=utf-8' };
}

/** One record of such a set. Throws `not_found`. */
export function readMemoryEntity(call: ResoCall, set: MemorySet, key: string): ResoAnswer {
  const item = set.items.find((one) => one[set.key] === key);
  if (item === undefined)
    throw new RosterError('not_found', `No ${set.name} has the key ${key.slice(0, 100)}.`);
  const selected = selectedFields(set.fields, call.options.select);
  return { body: { '@odata.context': contextUrl(call, set.name, true), ...shownItem(item, selected) } };
}

const shownItem = (item: Record<string, string | null>, selected: readonly ResoField[]) =>
  Object.fromEntries(selected.map(({ name }) => [name, item[name] ?? null]));

function matching({ options }: ResoCall, { fields, items }: MemorySet): Record<string, string | null>[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const where: Condition | undefined = options.filter && conditionOf(options.filter, byName);
  const found = items.filter((item) => where === undefined || meets(item, where));
  const order = orderOf(options.orderBy, byName);
  return found.sort((one, other) => {
    for (const { field, isDescending } of order) {
      const difference = compared(one[field] ?? null, other[field] ?? null);
      if (difference !== 0) return isDescending ? -difference : difference;
    }
    return 0;
  });
}

/** The order of texts by code unit, with null as the lowest. */
function compared(one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null) return -1;
  return other === null || one > other ? 1 : -1;
}

function startOf({ options }: ResoCall): number {
  const cursor = skipTokenOf(options.skipToken)?.cursor;
  if (cursor === undefined) return options.skip ?? 0;
  if (/^\d{1,6}$/.test(cursor)) return Number(cursor);
  throw invalidSkipToken();
}
