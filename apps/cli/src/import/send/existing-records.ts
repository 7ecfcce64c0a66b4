import type { Input } from '../../input/fields.ts';
import type { Row } from '../../resources.ts';
import type { Service } from './import-client.ts';

/** Ids in one call. */
const IDS_MAX = 200;

/** The records with these ids, as they are now. */
export async function recordsById(
  service: Service,
  noun: 'offices' | 'agents',
  ids: readonly string[],
): Promise<Map<string, Row>> {
  const found = new Map<string, Row>();
  const all = [...new Set(ids)];
  for (let from = 0; from < all.length; from += IDS_MAX) {
    const { items } = await service.list(noun, { ids: all.slice(from, from + IDS_MAX), limit: IDS_MAX });
    for (const item of items) found.set(String(item.id), item);
  }
  return found;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || Object.values(value as object).every(isEmpty);

/** An item of a list without what it does not say. */
function withoutEmpty(item: unknown): unknown {
  if (!isObject(item)) return item;
  const said = Object.entries(item).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(said.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Whether a record says already what a merge patch would make it say. Where it may be the same in other words, such as
 * a language tag in other letters, it answers no: the service makes no version of what changes nothing.
 */
function isSaid(patch: unknown, known: unknown): boolean {
  if (typeof patch !== 'object' || patch === null)
    return patch === null || patch === '' ? isEmpty(known) : patch === known;
  if (Array.isArray(patch)) {
    const items = Array.isArray(known) ? known : [];
    return JSON.stringify(patch.map(withoutEmpty)) === JSON.stringify(items.map(withoutEmpty));
  }
  return Object.entries(patch).every(([name, part]) =>
    isSaid(part, isObject(known) ? known[name] : undefined),
  );
}

/** What of a record is not so yet; undefined where all is. */
export function differenceOf(record: Input, known: Row): Input | undefined {
  const different = Object.entries(record).filter(([name, value]) => !isSaid(value, known[name]));
  return different.length === 0 ? undefined : Object.fromEntries(different);
}
