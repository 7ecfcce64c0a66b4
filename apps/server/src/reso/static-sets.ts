import { eventFields } from './entity-events.ts';
import { type ResoField, readOnlyField } from './fields.ts';
import { lookups } from './lookups.ts';
import type { MemorySet } from './memory-set.ts';
import { openNamesOf, openNamesOfKey, readOpenValues } from './open-values.ts';
import { resources } from './resources.ts';

/** When the values of Lookup and Field last changed: to be raised with them. */
const MODIFIED_AT = '2026-11-23T00:00:00.000Z';

const textField = (name: string, options: Partial<ResoField> = {}) =>
  readOnlyField(name, { maxLength: 255, ...options });

const timestamp = readOnlyField('ModificationTimestamp', { type: 'time' });

/** The values of the closed lookups (RESO Lookup resource, RCP-32). */
export const lookupSet: MemorySet = {
  name: 'Lookup',
  key: 'LookupKey',
  fields: [
    textField('LookupKey'),
    textField('LookupName', { maxLength: 50 }),
    textField('LookupValue'),
    textField('StandardLookupValue', { isNullable: true }),
    textField('LegacyODataValue', { isNullable: true }),
    timestamp,
  ],
  items: Object.values(lookups).flatMap(({ name, values }) =>
    values.map(({ standard }) => ({
      LookupKey: `${name}-${standard.replaceAll(' ', '')}`,
      LookupName: name,
      LookupValue: standard,
      StandardLookupValue: standard,
      LegacyODataValue: standard.replaceAll(' ', ''),
      ModificationTimestamp: MODIFIED_AT,
    })),
  ),
  read: (call, { where, key }) =>
    readOpenValues(call, key === undefined ? openNamesOf(where) : openNamesOfKey(key)),
};

const fieldFields = [
  textField('FieldKey'),
  textField('ResourceName'),
  textField('FieldName'),
  textField('DisplayName'),
  timestamp,
];

/** The fields of every set. */
const allFields: readonly (readonly [string, readonly Pick<ResoField, 'name'>[]])[] = [
  ...Object.values(resources).map(({ name, fields }) => [name, fields] as const),
  ['EntityEvent', eventFields],
  ['Lookup', lookupSet.fields],
  ['Field', fieldFields],
];

/** `MemberMlsId` is `Member Mls Id`. */
const displayName = (name: string) => name.replace(/^X_/, '').replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');

/** The fields of all sets (RESO Field resource). */
export const fieldSet: MemorySet = {
  name: 'Field',
  key: 'FieldKey',
  fields: fieldFields,
  items: allFields.flatMap(([resource, fields]) =>
    fields.map(({ name }) => ({
      FieldKey: `${resource}-${name}`,
      ResourceName: resource,
      FieldName: name,
      DisplayName: displayName(name),
      ModificationTimestamp: MODIFIED_AT,
    })),
  ),
};
