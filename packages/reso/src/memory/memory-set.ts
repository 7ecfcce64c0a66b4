import type { Condition } from '@roster/api/query';
import {
  checkEntityOptions,
  contextUrl,
  invalidSkipToken,
  parseSkipToken,
  type ResoCall,
  rejectExpand,
} from '../call/call.ts';
import { pageResponse, pageSize } from '../call/paging.ts';
import { conditionOf } from '../fields/conditions.ts';
import { orderOf, type ResoField, selectedFields } from '../fields/fields.ts';
import { noSuchEntity } from '../protocol/errors.ts';
import type { ResoResponse } from '../protocol/service.ts';
import { meets } from './memory-conditions.ts';

type Item = Record<string, string | null>;

/** A set small enough to read whole, such as Lookup. */
export interface MemorySet {
  name: string;
  key: string;
  fields: readonly ResoField[];
  /** Constant while the service runs. */
  items: readonly Item[];
  /** Reads changing records that a filter or key may select. */
  read?: (call: ResoCall, wanted: { where?: Condition | undefined; key?: string }) => Promise<Item[]>;
}

/** Has the same options as sets of the database. */
export async function readMemorySet(call: ResoCall, set: MemorySet): Promise<ResoResponse> {
  rejectExpand(call, set.name);
  const selected = selectedFields(set.fields, call.options.select);
  const start = startOf(call);
  const found = await matching(call, set);
  const size = pageSize(call);
  const items = found.slice(start, start + size);
  const next = start + items.length;
  return pageResponse(call, {
    set: set.name,
    value: items.map((item) => shownItem(item, selected)),
    total: call.options.count ? found.length : undefined,
    cursor: next < found.length ? String(next) : undefined,
  });
}

export async function countMemorySet(call: ResoCall, set: MemorySet): Promise<number> {
  return (await matching(call, set)).length;
}

/** Throws `not_found`. */
export async function readMemoryEntity(call: ResoCall, set: MemorySet, key: string): Promise<ResoResponse> {
  checkEntityOptions(call);
  rejectExpand(call, set.name);
  const selected = selectedFields(set.fields, call.options.select);
  const isIt = (one: Item) => one[set.key] === key;
  const item = set.items.find(isIt) ?? (await set.read?.(call, { key }))?.find(isIt);
  if (item === undefined) throw noSuchEntity(set.name, key);
  return { body: { '@odata.context': contextUrl(call, set.name, true), ...shownItem(item, selected) } };
}

const shownItem = (item: Item, selected: readonly ResoField[]) =>
  Object.fromEntries(selected.map(({ name }) => [name, item[name] ?? null]));

async function matching(call: ResoCall, { fields, items, read }: MemorySet): Promise<Item[]> {
  const { options } = call;
  const byName = new Map(fields.map((field) => [field.name, field]));
  const where: Condition | undefined = options.filter && conditionOf(options.filter, byName);
  const order = orderOf(options.orderBy, byName);
  const all = read === undefined ? items : [...items, ...(await read(call, { where }))];
  const found = all.filter((item) => where === undefined || meets(item, where));
  return found.sort((one, other) => {
    for (const { field, isDescending } of order) {
      const difference = compared(one[field] ?? null, other[field] ?? null);
      if (difference !== 0) return isDescending ? -difference : difference;
    }
    return 0;
  });
}

/** By code unit; null is lowest. */
function compared(one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null) return -1;
  return other === null || one > other ? 1 : -1;
}

function startOf({ options }: ResoCall): number {
  const cursor = parseSkipToken(options.skipToken)?.cursor;
  if (cursor === undefined) return options.skip ?? 0;
  if (/^\d{1,6}$/.test(cursor)) return Number(cursor);
  throw invalidSkipToken();
}
