import type { Lookup } from '../definitions/lookups.ts';
import { type ResoField, type ResoResource, readOnlyField } from '../fields/fields.ts';
import type { MemorySet } from './memory-set.ts';
import { openNamesOf, openNamesOfKey, readOpenValues } from './open-values.ts';

/** When the values of Lookup and Field last changed: update with them. */
const MODIFIED_AT = '2026-11-25T00:00:00.000Z';

const textField = (name: string, options: Partial<ResoField> = {}) =>
  readOnlyField(name, { maxLength: 255, ...options });

const timestamp = readOnlyField('ModificationTimestamp', { type: 'time' });

const lookupFields = [
  textField('LookupKey'),
  textField('LookupName', { maxLength: 50 }),
  textField('LookupValue'),
  textField('StandardLookupValue', { isNullable: true }),
  textField('LegacyODataValue', { isNullable: true }),
  timestamp,
];

/** RESO Lookup resource, RCP-32: all values of closed lookups, and those of open ones in use. */
export function createLookupSet(resources: Iterable<ResoResource>): MemorySet {
  const fields = [...resources].flatMap((resource) => resource.fields);
  const closed = new Set(fields.flatMap(({ lookup }) => lookup ?? []));
  const open = [...new Set(fields.flatMap(({ openLookup }) => openLookup?.name ?? []))];
  return {
    name: 'Lookup',
    key: 'LookupKey',
    fields: lookupFields,
    items: [...closed].flatMap(itemsOf),
    read: (call, { where, key }) =>
      readOpenValues(call, key === undefined ? openNamesOf(where, open) : openNamesOfKey(key, open)),
  };
}

function itemsOf({ name, values }: Lookup): MemorySet['items'] {
  return values.map(({ standard }) => ({
    LookupKey: `${name}-${standard.replaceAll(' ', '')}`,
    LookupName: name,
    LookupValue: standard,
    StandardLookupValue: standard,
    LegacyODataValue: standard.replaceAll(' ', ''),
    ModificationTimestamp: MODIFIED_AT,
  }));
}

const fieldFields = [
  textField('FieldKey'),
  textField('ResourceName'),
  textField('FieldName'),
  textField('DisplayName'),
  timestamp,
];

/** `MemberMlsId` becomes `Member Mls Id`. */
const displayName = (name: string) => name.replace(/^X_/, '').replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');

/** RESO Field resource, including its own fields. */
export function createFieldSet(sets: readonly Pick<MemorySet, 'name' | 'fields'>[]): MemorySet {
  const name = 'Field';
  const all = [...sets, { name, fields: fieldFields }];
  const items = all.flatMap((set) =>
    set.fields.map((field) => ({
      FieldKey: `${set.name}-${field.name}`,
      ResourceName: set.name,
      FieldName: field.name,
      DisplayName: displayName(field.name),
      ModificationTimestamp: MODIFIED_AT,
    })),
  );
  return { name, key: 'FieldKey', fields: fieldFields, items };
}
