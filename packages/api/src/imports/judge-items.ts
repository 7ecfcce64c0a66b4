import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { Reference } from '../engine/definition.ts';
import type { OfficeLimit } from '../engine/office-limit.ts';
import type { ImportDefinition } from './definitions.ts';
import { findNamed } from './find-records.ts';
import { addIssue, type RowAsRead, type Source } from './rows.ts';

type Item = Record<string, unknown>;

/** An item of a list that names its record by something other than the ID. */
interface NamedItem {
  row: RowAsRead;
  item: Item;
  /** The path of the name in the record. */
  path: (string | number)[];
  name: { source: Source } | { email: string };
}

/** The list whose items may do so, with its reference; undefined if the resource has none. */
function itemReference({ itemRows, references }: ImportDefinition) {
  const reference = references.find(({ field }) => field === itemRows?.field);
  if (itemRows === undefined || reference?.items === undefined) return undefined;
  return { ...itemRows, reference, idField: reference.items.field };
}

/** Takes the names out of the items of a record. */
function takeNames(row: RowAsRead, { field, names }: NonNullable<ImportDefinition['itemRows']>): NamedItem[] {
  const { fields } = row;
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
      return [{ row, item, path: [field, index, name], name: named }];
    }),
  );
}

/**
 * Replaces the source or the email address of items by the ID of the record. Rejects items that lead to no record within the limit, to
 * several, or to different ones, and items of one list that lead to the same record.
 */
export async function judgeItems(
  trx: Transaction<Database>,
  rows: readonly RowAsRead[],
  { definition, limit }: { definition: ImportDefinition; limit: OfficeLimit | undefined },
): Promise<void> {
  const list = itemReference(definition);
  if (list === undefined) return;
  const { field, idField, reference } = list;
  const named = rows.flatMap((row) => takeNames(row, list));
  const pathOf = new Map(named.map(({ item, path }) => [item, path]));
  const found = await findNames(trx, named, { reference, limit });
  for (const [place, { row, item, path }] of named.entries()) {
    const [id, other] = found[place] ?? [];
    if (id === undefined) {
      const detail = `is not an existing ${reference.table}`;
      addIssue(row, path, { errorCode: 'reference_not_found', code: 'not_found', detail });
    } else if (other !== undefined || (item[idField] !== undefined && item[idField] !== id)) {
      const detail = `matches several, or different, ${reference.table} records`;
      addIssue(row, path, { errorCode: 'reference_not_found', code: 'ambiguous', detail });
    }
    item[idField] ??= id;
  }
  for (const row of rows) checkIds(row, { field, idField, pathOf });
}

async function findNames(
  trx: Transaction<Database>,
  named: readonly NamedItem[],
  { reference, limit }: { reference: Reference; limit: OfficeLimit | undefined },
): Promise<string[][]> {
  const names = named.map(({ name }) => name);
  return names.length === 0 ? [] : findNamed(trx, reference, { names, limit });
}

/** Rejects items without an ID, or with that of an earlier item, if the row has no other fault. */
function checkIds(
  row: RowAsRead,
  { field, idField, pathOf }: { field: string; idField: string; pathOf: Map<Item, (string | number)[]> },
): void {
  const items = row.fields[field];
  if (!Array.isArray(items) || row.issues.length > 0) return;
  const seen = new Set<unknown>();
  for (const [index, item] of (items as Item[]).entries()) {
    const id = item[idField];
    const place = pathOf.get(item) ?? [field, index, idField];
    if (id === undefined) addIssue(row, place, { code: 'required', detail: 'is required' });
    else if (seen.has(id))
      addIssue(row, place, { code: 'repeated', detail: 'is already used by an earlier item' });
    seen.add(id);
  }
}

/** Sorts items by the IDs of their records, the order in which they are stored. */
export function sortItems(rows: readonly RowAsRead[], definition: ImportDefinition): void {
  const list = itemReference(definition);
  if (list === undefined) return;
  const idOf = (item: Item) => String(item[list.idField]);
  for (const { fields } of rows) {
    const items = fields[list.field];
    if (Array.isArray(items))
      fields[list.field] = items.toSorted((one: Item, other: Item) => (idOf(one) < idOf(other) ? -1 : 1));
  }
}
