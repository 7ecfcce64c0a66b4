import { eventFields } from './entity-events.ts';
import type { ResoField } from './fields.ts';
import { lookups } from './lookups.ts';
import type { MemorySet } from './memory-set.ts';
import { resources } from './resources.ts';

/** When the values of Lookup and Field last changed: to be raised with them. */
const MODIFIED_AT = '2026-11-23T00:00:00.000Z';

function field(name: string, options: Partial<ResoField> = {}): ResoField {
  return {
    ...{ name, path: name, type: 'text', isDayOfTime: false, isStandard: true },
    ...{ isNullable: false, isWritable: false, maxLength: 255 },
    ...options,
  };
}

function timestamp(): ResoField {
  const { maxLength: _, ...time } = field('ModificationTimestamp', { type: 'time' });
  return time;
}

/** The values of the lookups (RESO Lookup resource, RCP-32). */
export const lookupSet: MemorySet = {
  name: 'Lookup',
  key: 'LookupKey',
  fields: [
    field('LookupKey'),
    field('LookupName', { maxLength: 50 }),
    field('LookupValue'),
    field('StandardLookupValue', { isNullable: true }),
    field('LegacyODataValue', { isNullable: true }),
    timestamp(),
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
};

const fieldFields = [
  field('FieldKey'),
  field('ResourceName'),
  field('FieldName'),
  field('DisplayName'),
  timestamp(),
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
