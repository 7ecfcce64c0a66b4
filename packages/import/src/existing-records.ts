import type { ResourceName } from '@roster/client';
import type { ImportClient } from './import-client.ts';
import type { Input, Row } from './rows.ts';

/** Ids in one call: the limit of the service. */
const IDS_MAX = 200;

/** Reads the records with these ids. */
export async function recordsById(
  client: ImportClient,
  resource: ResourceName,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  const found = new Map<string, Row>();
  const all = [...new Set(ids)];
  for (let from = 0; from < all.length; from += IDS_MAX) {
    const { items } = await client.list(resource, { ids: all.slice(from, from + IDS_MAX), limit: IDS_MAX });
    for (const item of items) found.set(String(item.id), item);
  }
  return found;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || Object.values(value as object).every(isEmpty);

/** An item of a list without its empty parts. */
function withoutEmpty(item: unknown): unknown {
  if (!isObject(item)) return item;
  const said = Object.entries(item).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(said.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Whether a merge patch would leave a value unchanged. Returns false for values that the service may normalise to the same
 * one, such as language tags: the service then creates no new version.
 */
function isAlreadySet(patch: unknown, known: unknown): boolean {
  if (typeof patch !== 'object' || patch === null)
    return patch === null || patch === '' ? isEmpty(known) : patch === known;
  if (Array.isArray(patch)) {
    const items = Array.isArray(known) ? known : [];
    return JSON.stringify(patch.map(withoutEmpty)) === JSON.stringify(items.map(withoutEmpty));
  }
  return Object.entries(patch).every(([name, part]) =>
    isAlreadySet(part, isObject(known) ? known[name] : undefined),
  );
}

/** The fields of a record that differ from the existing one; undefined if none do. */
export function differenceOf(record: Input, known: Row): Input | undefined {
  const different = Object.entries(record).filter(([name, value]) => !isAlreadySet(value, known[name]));
  return different.length === 0 ? undefined : Object.fromEntries(different);
}
