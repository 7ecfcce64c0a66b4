import type { Condition } from '@roster/api/query';
import type { ResoCall } from '../call/call.ts';
import type { OpenLookup } from '../definitions/lookups.ts';
import type { ResoResource } from '../fields/fields.ts';
import { OPEN_VALUES_MAX } from '../protocol/limits.ts';

type Item = Record<string, string | null>;

/** Values in visible records, as records of the set Lookup; none from sets the caller can't read. */
export async function readOpenValues(
  { service, resources }: Pick<ResoCall, 'service' | 'resources'>,
  names: readonly string[],
): Promise<Item[]> {
  const found = new Map<string, Item>();
  for (const { resource, scopes, fields } of resources.values()) {
    const lookups = lookupsOf(fields, names);
    if (lookups.size === 0 || !service.hasScope(scopes.read)) continue;
    const query = { resource, fields: [...lookups.keys()], limit: OPEN_VALUES_MAX };
    for (const { field, text, updatedAt } of await service.findFieldTexts(query)) {
      const lookup = lookups.get(field);
      if (lookup === undefined) continue;
      const item = itemOf(lookup, text, updatedAt);
      const known = found.get(String(item.LookupKey))?.ModificationTimestamp;
      if (!known || known < updatedAt) found.set(String(item.LookupKey), item);
    }
  }
  const byKey = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
  return byKey.map(([, item]) => item);
}

function lookupsOf(
  fields: ResoResource['fields'],
  names: readonly string[],
): ReadonlyMap<string, OpenLookup> {
  const open = fields.flatMap(({ path, openLookup }): [string, OpenLookup][] =>
    openLookup !== undefined && names.includes(openLookup.name) ? [[path, openLookup]] : [],
  );
  return new Map(open);
}

const itemOf = ({ name, standard }: OpenLookup, text: string, updatedAt: string): Item => ({
  LookupKey: `${name}-${text}`,
  LookupName: name,
  LookupValue: text,
  StandardLookupValue: standard.has(text) ? text : null,
  LegacyODataValue: null,
  ModificationTimestamp: updatedAt,
});

/** The open lookups a filter may select: one, if it is named. */
export function openNamesOf(where: Condition | undefined, all: readonly string[]): readonly string[] {
  if (where?.kind === 'and') {
    const parts = where.parts.map((part) => openNamesOf(part, all));
    return all.filter((name) => parts.every((part) => part.includes(name)));
  }
  if (where?.kind !== 'compare' || where.field !== 'LookupName' || where.comparison !== 'eq') return all;
  return all.filter((name) => name === where.value);
}

export function openNamesOfKey(key: string, all: readonly string[]): readonly string[] {
  return all.filter((name) => key.startsWith(`${name}-`));
}
