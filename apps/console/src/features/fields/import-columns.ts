import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { records } from '@roster/contract/fields';
import { type Column, columnsOf, createImportable } from '@roster/import';
import { mapResources, type ResourceName } from '../../api/contract/contracts.ts';
import { pathLabel } from './field-labels.ts';

export const importables = mapResources((name) => createImportable(name, records));

const columns = mapResources((name) => columnsOf(importables[name]));

export const importColumns = (resource: ResourceName): readonly Column[] => columns[resource];

export function choicesOfColumn(resource: ResourceName, field: string): readonly string[] {
  return importColumns(resource).find((column) => column.field === field)?.choices ?? [];
}

/** Whether a column is of an item of a list, in a file with a row for each item: an empty cell of it says nothing. */
export function isOfItem(resource: ResourceName, field: string): boolean {
  return importColumns(resource).some((column) => column.field === field && column.isOfItem === true);
}

/** The columns that are no fields of a record: other ways to name an office, and parts that only the Data Dictionary has. */
const columnLabels: Readonly<Record<string, MessageDescriptor>> = {
  wholeName: msg`Full name`,
  officeSource: msg`Office, in the other system`,
  'officeSource.name': msg`Office: other system`,
  'officeSource.key': msg`Office: ID in the other system`,
  officeName: msg`Office: name`,
  mainOfficeSource: msg`Main office, in the other system`,
  'mainOfficeSource.name': msg`Main office: other system`,
  'mainOfficeSource.key': msg`Main office: ID in the other system`,
  'licenses[0].number': msg`Licence number`,
  'licenses[0].region': msg`Licence: region`,
  'licenses[0].type': msg`Licence: type`,
  'licenses[0].expiresOn': msg`Licence: expiry date`,
  'address.city': msg`City`,
  'address.postalCodePlus4': msg`Address, suffix of the postal code`,
};

/**
 * The label of a column of an import.
 *
 * @param field The path of the field, such as `address.city`
 */
export function columnLabel(i18n: I18n, resource: ResourceName, field: string): string {
  const label = columnLabels[field.replace('.0.', '[0].')];
  // Of a list the import has the only item.
  return label === undefined
    ? pathLabel(i18n, resource, field.replaceAll(/\[0\]|\.0(?=\.|$)/g, ''))
    : i18n._(label);
}
