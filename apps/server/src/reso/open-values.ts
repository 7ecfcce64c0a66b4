import { findFieldTexts } from '@roster/api/query';
import type { Condition } from '@roster/api/server';
import type { ResoCall } from './call.ts';
import { OPEN_VALUES_MAX } from './limits.ts';
import { openLookups } from './lookups.ts';
import { type ResoResource, resources } from './resources.ts';

type Item = Record<string, string | null>;

/**
 * The values of the open lookups with some names, as records of the set Lookup: those that the records have which the caller may
 * read. A set that the caller may not read has none.
 */
export async function readOpenValues({ context }: ResoCall, names: readonly string[]): Promise<Item[]> {
  const found = new Map<string, Item>();
  for (const resource of Object.values(resources)) {
    const lookups = lookupsOf(resource, names);
    const mayRead = context.caller.grants.some(({ scopes }) => scopes.includes(`${resource.resource}:read`));
    if (lookups.size === 0 || !mayRead) continue;
    const query = { resource: resource.resource, fields: [...lookups.keys()], limit: OPEN_VALUES_MAX };
    for (const { field, text, updatedAt } of await findFieldTexts(context, query)) {
      const item = itemOf(lookups.get(field) ?? '', text, updatedAt);
      const known = found.get(String(item.LookupKey))?.ModificationTimestamp;
      if (!known || known < updatedAt) found.set(String(item.LookupKey), item);
    }
  }
  const byKey = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
  return byKey.map(([, item]) => item);
}

/** The names of the open lookups of a set by the paths of their fields. */
function lookupsOf({ fields }: ResoResource, names: readonly string[]): Map<string, string> {
  const open = fields.flatMap(({ path, lookup, lookupName = '' }): [string, string][] =>
    lookup === undefined && names.includes(lookupName) ? [[path, lookupName]] : [],
  );
  return new Map(open);
}

const itemOf = (name: string, text: string, updatedAt: string): Item => ({
  LookupKey: `${name}-${text}`,
  LookupName: name,
  LookupValue: text,
  StandardLookupValue: openLookups[name]?.has(text) === true ? text : null,
  LegacyODataValue: null,
  ModificationTimestamp: updatedAt,
});

/** The names of the open lookups of which a filter of Lookup may select a value: of one if it says which. */
export function openNamesOf(where: Condition | undefined): string[] {
  const names = Object.keys(openLookups);
  if (where?.kind === 'and') {
    const parts = where.parts.map(openNamesOf);
    return names.filter((name) => parts.every((part) => part.includes(name)));
  }
  if (where?.kind !== 'compare' || where.field !== 'LookupName' || where.comparison !== 'eq') return names;
  return names.filter((name) => name === where.value);
}

/** The names of the open lookups that may have a key. */
export const openNamesOfKey = (key: string): string[] =>
  Object.keys(openLookups).filter((name) => key.startsWith(`${name}-`));
