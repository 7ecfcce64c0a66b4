import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ResourceName } from '../../contract/contracts.ts';
import { pathLabel } from '../../fields/field-labels.ts';

// Apart from `importables.ts`, which the worker reads too: it has no messages.

/** The columns that are no fields of a record: other ways to name an office, and parts that only the Data Dictionary has. */
const columnLabels: Readonly<Record<string, MessageDescriptor>> = {
  officeSource: msg`Office, by its source`,
  'officeSource.name': msg`Office, system of its key`,
  'officeSource.key': msg`Office, key in its source`,
  officeName: msg`Office, by its name`,
  mainOfficeSource: msg`Main office, by its source`,
  'mainOfficeSource.name': msg`Main office, system of its key`,
  'mainOfficeSource.key': msg`Main office, key in its source`,
  'address.postalCodePlus4': msg`Address, suffix of the postal code`,
};

/**
 * What a column of an import is called.
 *
 * @param field The path of the field, such as `address.city`
 */
export function columnLabel(i18n: I18n, resource: ResourceName, field: string): string {
  const label = columnLabels[field];
  // Of a list the import has the only item.
  return label === undefined ? pathLabel(i18n, resource, field.replaceAll('[0]', '')) : i18n._(label);
}
