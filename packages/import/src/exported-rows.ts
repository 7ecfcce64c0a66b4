import { type Column, columnsOf, WHOLE_NAME } from './columns.ts';
import type { Importable } from './importable.ts';
import type { Row } from './rows.ts';

/**
 * The columns of a file that an import reads back: each field once, objects by their parts. With `byItem` the items of a list are rows,
 * of the resources that have such a list.
 */
export function exportedColumns(importable: Importable, { byItem }: { byItem: boolean }): Column[] {
  const { itemRows } = importable;
  const columns = columnsOf(importable).filter(({ field, isOfItem = false }) =>
    isOfItem ? byItem : !byItem || field !== itemRows?.field,
  );
  return columns.filter(
    ({ field }) =>
      !columns.some((other) => other.field.startsWith(`${field}.`)) &&
      !field.includes('[') &&
      field !== WHOLE_NAME &&
      !field.endsWith('Plus4'),
  );
}

/** The field of an item in which a list embeds what the item refers to: `agent` of `agentId`. */
const embeddedField = (idField: string) => idField.replace(/Id$/, '');

/**
 * A record as one row for each item of its list; one without items is one row. What an item refers to is named by its e-mail address
 * if it is embedded and has one, else by its id.
 */
export function itemRecords<One extends Row>({ itemRows }: Importable, record: One): One[] {
  const items = itemRows && record[itemRows.field];
  if (itemRows === undefined || !Array.isArray(items)) return [record];
  const { field, idField, email } = itemRows;
  if (items.length === 0) return [{ ...record, [field]: {} }];
  return items.map((item: Row) => {
    const { [embeddedField(idField)]: embedded, ...parts } = item as { [field: string]: unknown };
    const address = (embedded as { email?: string | null } | undefined)?.email ?? null;
    const isByEmail = email !== undefined && address !== null;
    const named = isByEmail ? { ...parts, [idField]: null, [email]: address } : parts;
    return { ...record, [field]: named };
  });
}
