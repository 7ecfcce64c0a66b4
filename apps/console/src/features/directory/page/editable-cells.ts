import { contracts, fieldOf, type ResourceName } from '../../../api/contract/contracts.ts';
import type { DirectoryRecord } from '../../../resources/record.ts';

/** Finds the cell with the focus of the list; its element is another one after the list was scrolled or read again. */
export const activeCell = () => document.querySelector<HTMLElement>('[role=grid] [data-cell][tabindex="0"]');

export interface EditedCell {
  record: DirectoryRecord;
  column: string;
  fields: readonly string[];
}

/**
 * The fields that the cell of a column edits: the field that it shows, whole if it shows a part of it. A name that is made of other
 * fields is edited by these.
 *
 * @returns none for what only the service sets
 */
export function fieldsOfCell(resource: ResourceName, column: string): readonly string[] {
  const { nameField, nameParts = [nameField] } = contracts[resource];
  const [name = ''] = column.split('.');
  if (fieldOf(resource, name) === undefined) return [];
  return name === nameField ? nameParts : [name];
}
