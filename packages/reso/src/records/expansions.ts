import { invalidParameter } from '@roster/api';
import type { Condition } from '@roster/api/query';
import type { Expansion } from '@roster/odata';
import { nextLinkOf, type ResoCall } from '../call/call.ts';
import type { Navigation } from '../definitions/definition.ts';
import { allOf, conditionOf } from '../fields/conditions.ts';
import { orderOf, type ResoField, type ResoResource, selectedFields } from '../fields/fields.ts';
import { COLLECTION_MAX, EXPANDED_COLLECTIONS_MAX } from '../protocol/limits.ts';
import { findRecords } from './find-records.ts';
import { shownRecord, valueAt } from './shown-record.ts';

/** Keys per query. */
const KEYS_OF_QUERY = 500;

interface CheckedExpansion {
  source: string;
  navigation: Navigation;
  target: ResoResource;
  expansion: Expansion;
  fields: readonly ResoField[];
}

/** Throws `invalid_parameter` for an unknown or repeated item, and unsupported options. */
export function checkedExpansions(
  { resources }: Pick<ResoCall, 'resources'>,
  { name: source, navigation: properties }: ResoResource,
  items: readonly Expansion[] = [],
): CheckedExpansion[] {
  return items.map((expansion, index) => {
    const { name, at } = expansion;
    const reject = (code: string, detail: string) =>
      invalidParameter('$expand', code, `${detail} (character ${at + 1})`);
    const navigation = properties.find((property) => property.name === name);
    const target = resources.get(navigation?.target ?? '');
    if (navigation === undefined || target === undefined)
      throw reject('unknown_field', `names ${name.slice(0, 100)}, which is no navigation property here`);
    if (items.findIndex((item) => item.name === name) < index)
      throw reject('invalid_format', `names ${name} twice`);
    const { filter, orderBy, top, skip, count } = expansion;
    if (skip !== undefined || count !== undefined)
      throw reject('not_supported', `has $skip or $count of ${name}`);
    const isOne = !navigation.isCollection;
    if (isOne && (filter !== undefined || orderBy !== undefined || top !== undefined))
      throw reject('not_supported', `has an option of ${name}, which is one entity: it takes $select alone`);
    return { source, navigation, target, expansion, fields: selectedFields(target.fields, expansion.select) };
  });
}

interface Expanded {
  items: readonly Record<string, unknown>[];
  shown: readonly Record<string, unknown>[];
  expansions: readonly CheckedExpansion[];
}

/** Adds expanded entities to the records of a page. Those out of the limit are null or left out. */
export async function expand(call: ResoCall, { items, shown, expansions }: Expanded): Promise<void> {
  for (const expansion of expansions) {
    if (expansion.navigation.isCollection) await expandMany(call, { items, shown, expansion });
    else await expandOne(call, { items, shown, expansion });
  }
}

type ExpandedOne = Pick<Expanded, 'items' | 'shown'> & { expansion: CheckedExpansion };

async function expandOne(call: ResoCall, { items, shown, expansion }: ExpandedOne): Promise<void> {
  const { navigation, target, fields } = expansion;
  const keyOf = (item: Record<string, unknown>) => valueAt(item, navigation.path);
  const keys = [...new Set(items.map(keyOf))].filter((key) => typeof key === 'string');
  const found = new Map<unknown, Record<string, unknown>>();
  // Rights to the target are checked even if no record refers to one.
  for (let start = 0; start === 0 || start < keys.length; start += KEYS_OF_QUERY) {
    await call.service.charge(1);
    const values = keys.slice(start, start + KEYS_OF_QUERY);
    const where: Condition = { kind: 'in', field: 'id', values };
    const limit = Math.max(1, values.length);
    const page = await findRecords(call, { resource: target.resource, where, orderBy: [], limit });
    for (const record of page.items) found.set(record.id, record);
  }
  for (const [index, item] of items.entries()) {
    const record = found.get(keyOf(item));
    set(shown[index], navigation.name, record === undefined ? null : shownRecord(record, fields, call));
  }
}

async function expandMany(call: ResoCall, { items, shown, expansion }: ExpandedOne): Promise<void> {
  const { source, navigation, target, fields, expansion: options } = expansion;
  if (items.length > EXPANDED_COLLECTIONS_MAX) {
    const detail = `has ${navigation.name} on a page of more than ${EXPANDED_COLLECTIONS_MAX} entities: ask for fewer with $top or maxpagesize`;
    throw invalidParameter('$expand', 'too_many', detail);
  }
  const filter = options.filter && conditionOf(options.filter, target.byName);
  const orderBy = orderOf(options.orderBy, target.byName);
  const limit = Math.min(options.top ?? COLLECTION_MAX, COLLECTION_MAX);
  for (const [index, { id }] of items.entries()) {
    await call.service.charge(1);
    const key = String(id);
    const own: Condition = { kind: 'compare', field: navigation.path, comparison: 'eq', value: key };
    const where = allOf([own, filter]) ?? own;
    const page = await findRecords(call, {
      resource: target.resource,
      where,
      orderBy,
      limit: Math.max(1, limit),
    });
    const records = page.items.slice(0, limit).map((record) => shownRecord(record, fields, call));
    set(shown[index], navigation.name, records);
    const remaining = options.top === undefined ? undefined : options.top - limit;
    if (page.nextCursor === undefined || remaining === 0) continue;
    const path = `${source}('${key}')/${navigation.name}`;
    const next = { path, parameters: options.texts, cursor: page.nextCursor, remaining };
    set(shown[index], `${navigation.name}@odata.nextLink`, nextLinkOf(call, next));
  }
}

function set(record: Record<string, unknown> | undefined, name: string, value: unknown): void {
  if (record !== undefined) record[name] = value;
}
