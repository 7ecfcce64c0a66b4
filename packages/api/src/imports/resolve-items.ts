import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { Reference } from '../engine/definition.ts';
import type { OfficeLimit } from '../engine/office-limit.ts';
import type { ImportDefinition } from './definitions.ts';
import { findNamed } from './find-records.ts';
import { addIssue, type ImportCandidate, type Source } from './row-as-read.ts';

type Item = Record<string, unknown>;

/** An item of a list that names its record otherwise than by the id. */
interface NamedItem {
  candidate: ImportCandidate;
  item: Item;
  /** The path of the name in the record. */
  path: (string | number)[];
  name: { source: Source } | { email: string };
}

/** The list whose items may name their records so, with what it refers to; undefined if the resource has none. */
function itemReference({ itemRows, references }: ImportDefinition) {
  const reference = references.find(({ field }) => field === itemRows?.field);
  if (itemRows === undefined || reference?.items === undefined) return undefined;
  return { ...itemRows, reference, idField: reference.items.field };
}

/** Takes the names out of the items of a record. */
function takeNames(
  candidate: ImportCandidate,
  { field, names }: NonNullable<ImportDefinition['itemRows']>,
): NamedItem[] {
  const { fields } = candidate;
  const given = fields[field];
  if (!Array.isArray(given)) return [];
  const items = given.map((item: Item) => ({ ...item }));
  fields[field] = items;
  return items.flatMap((item, index) =>
    Object.entries(names).flatMap(([name, kind]): NamedItem[] => {
      const value = item[name];
      delete item[name];
      if (value === undefined || value === null) return [];
      const named = kind === 'source' ? { source: value as Source } : { email: String(value) };
      return [{ candidate, item, path: [field, index, name], name: named }];
    }),
  );
}

/**
 * Gives the items of lists that name their records by a source or an email address the ids of these. Rejects those that lead to none
 * within the limit, to several, or to another than the item names besides; those that name none; and those of a list that lead to the
 * same.
 */
export async function resolveItemNames(
  trx: Transaction<Database>,
  candidates: readonly ImportCandidate[],
  { definition, limit }: { definition: ImportDefinition; limit: OfficeLimit | undefined },
): Promise<void> {
  const list = itemReference(definition);
  if (list === undefined) return;
  const { field, idField, reference } = list;
  const named = candidates.flatMap((candidate) => takeNames(candidate, list));
  const pathOf = new Map(named.map(({ item, path }) => [item, path]));
  const found = await findNames(trx, named, { reference, limit });
  for (const [place, { candidate, item, path }] of named.entries()) {
    const [id, other] = found[place] ?? [];
    if (id === undefined) {
      const detail = `is not an existing ${reference.table}`;
      addIssue(candidate, path, { errorCode: 'reference_not_found', code: 'not_found', detail });
    } else if (other !== undefined || (item[idField] !== undefined && item[idField] !== id)) {
      const detail = `matches several, or different, ${reference.table} records`;
      addIssue(candidate, path, { errorCode: 'reference_not_found', code: 'ambiguous', detail });
    }
    item[idField] ??= id;
  }
  for (const candidate of candidates) checkIds(candidate, { field, idField, pathOf });
}

async function findNames(
  trx: Transaction<Database>,
  named: readonly NamedItem[],
  { reference, limit }: { reference: Reference; limit: OfficeLimit | undefined },
): Promise<string[][]> {
  const names = named.map(({ name }) => name);
  return names.length === 0 ? [] : findNamed(trx, reference, { names, limit });
}

/** Rejects items without an id, unless they have a fault already, and those with that of an item before. */
function checkIds(
  candidate: ImportCandidate,
  { field, idField, pathOf }: { field: string; idField: string; pathOf: Map<Item, (string | number)[]> },
): void {
  const items = candidate.fields[field];
  if (!Array.isArray(items) || candidate.issues.length > 0) return;
  const seen = new Set<unknown>();
  for (const [index, item] of (items as Item[]).entries()) {
    const id = item[idField];
    const place = pathOf.get(item) ?? [field, index, idField];
    if (id === undefined) addIssue(candidate, place, { code: 'required', detail: 'is required' });
    else if (seen.has(id))
      addIssue(candidate, place, { code: 'repeated', detail: 'is already used by an earlier item' });
    seen.add(id);
  }
}

/** Puts the items of lists into the order of the ids of their records, in which they are kept. */
export function sortItems(candidates: readonly ImportCandidate[], definition: ImportDefinition): void {
  const list = itemReference(definition);
  if (list === undefined) return;
  const idOf = (item: Item) => String(item[list.idField]);
  for (const { fields } of candidates) {
    const items = fields[list.field];
    if (Array.isArray(items))
      fields[list.field] = items.toSorted((one: Item, other: Item) => (idOf(one) < idOf(other) ? -1 : 1));
  }
}
