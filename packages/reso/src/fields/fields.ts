import { invalidParameter } from '@roster/api';
import type { QueryFieldType, RecordQuery } from '@roster/api/query';
import { records } from '@roster/contract/records';
import { type Field, fieldAt } from '@roster/fields';
import type { OrderKey, QueryOptions } from '@roster/odata';
import type { ResourceDefinition } from '../definitions/definition.ts';
import type { Lookup, OpenLookup } from '../definitions/lookups.ts';

export interface ResoField {
  name: string;
  /** Such as `address.city`; also its name in conditions. */
  path: string;
  type: QueryFieldType;
  /** Whether it is the day of a time, in UTC. */
  isDayOfTime: boolean;
  /** In characters; for a list, of each text. */
  maxLength?: number;
  isNullable: boolean;
  isWritable: boolean;
  /** Other fields are only shown on `$select`. */
  isStandard: boolean;
  lookup?: Lookup;
  openLookup?: OpenLookup;
}

/** A text that is never null, by default. */
export function readOnlyField(name: string, options: Partial<ResoField> = {}): ResoField {
  return {
    name,
    path: name,
    type: 'text',
    isDayOfTime: false,
    isStandard: true,
    isNullable: false,
    isWritable: false,
    ...options,
  };
}

/** For fields that are not in the Data Dictionary. */
const PREFIX = 'X_Roster';

export type FieldTypes = Readonly<Record<string, { type: QueryFieldType }>>;

const writtenOtherwise: readonly string[] = ['status'];

/** In the order of the Data Dictionary, then others. Leaves out names without a value in records. */
function fieldsOf(definition: ResourceDefinition, types: FieldTypes): ResoField[] {
  const standard = Object.entries(definition.names).filter(([, path]) => Object.hasOwn(types, path));
  const known = new Set(standard.map(([, path]) => path));
  const others = Object.entries(types).filter(([path]) => !known.has(path));
  return [
    ...standard.map(([name, path]) =>
      fieldOf(definition, { name, path, type: types[path]?.type ?? 'text', isStandard: true }),
    ),
    ...others.map(([path, { type }]) =>
      fieldOf(definition, { name: ownName(path), path, type, isStandard: false }),
    ),
  ];
}

/** `mailingAddress.city` is `X_RosterMailingAddressCity`, `licenses[0].region` is `X_RosterLicenseRegion`. */
function ownName(path: string): string {
  const words = path.replace('licenses[0]', 'license').split('.');
  return PREFIX + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function fieldOf(
  { resource, status, days, lookups, openLookups }: ResourceDefinition,
  { name, path, type, isStandard }: Pick<ResoField, 'name' | 'path' | 'type' | 'isStandard'>,
): ResoField {
  const field = fieldAt(contractFields(resource), path);
  const maxLength = lengthOf(type, field);
  const lookup = lookups[name];
  const openLookup = openLookups[name];
  return {
    name,
    path,
    type,
    isStandard,
    isDayOfTime: days.includes(name),
    isNullable: type !== 'texts' && (path.includes('.') || canBeNull(field)),
    isWritable: status !== undefined && (field?.isReadOnly !== true || writtenOtherwise.includes(path)),
    ...(maxLength !== undefined && { maxLength }),
    ...(lookup && { lookup }),
    ...(openLookup && { openLookup }),
  };
}

export function isSortable({ type, lookup }: ResoField): boolean {
  return type !== 'texts' && lookup?.isSortedAlike !== false;
}

function contractFields(resource: ResourceDefinition['resource']): readonly Field[] {
  const [name = '', list] = resource.split('.');
  const { fields } = records[name as keyof typeof records];
  if (list === undefined) return fields;
  return fields.find((field) => field.name === list)?.parts ?? [];
}

const UUID_LENGTH = 36;

function lengthOf(type: QueryFieldType, field: Field | undefined): number | undefined {
  if (type === 'id') return UUID_LENGTH;
  return type === 'texts' ? field?.item?.maxLength : field?.maxLength;
}

function canBeNull(field: Field | undefined): boolean {
  return field?.isNullable === true && field.isAlwaysSet !== true;
}

export interface ResoResource extends ResourceDefinition {
  fields: readonly ResoField[];
  byName: ReadonlyMap<string, ResoField>;
}

export function createResource(definition: ResourceDefinition, types: FieldTypes): ResoResource {
  const fields = fieldsOf(definition, types);
  return { ...definition, fields, byName: new Map(fields.map((field) => [field.name, field])) };
}

interface Selectable {
  name: string;
  isStandard: boolean;
}

/** Default and `*`: those of the Data Dictionary. Throws `invalid_parameter` for an unknown name. */
export function selectedFields<Field extends Selectable>(
  fields: readonly Field[],
  select: QueryOptions['select'],
): Field[] {
  if (select === undefined) return fields.filter(({ isStandard }) => isStandard);
  const names = new Set(select.map(({ name }) => name));
  for (const { name, at } of select) {
    if (name === '*' || fields.some((field) => field.name === name)) continue;
    const detail = `names ${name.slice(0, 100)}, which is no property here (character ${at + 1})`;
    throw invalidParameter('$select', 'unknown_field', detail);
  }
  const hasAll = names.has('*');
  return fields.filter(({ name, isStandard }) => names.has(name) || (hasAll && isStandard));
}

/** The key breaks ties. Throws `invalid_parameter` for an unknown property or a collection. */
export function orderOf(
  keys: readonly OrderKey[] = [],
  fields: ReadonlyMap<string, ResoField>,
): RecordQuery['orderBy'] {
  return keys.map(({ path, isDescending }) => {
    const reject = (code: string, what: string) =>
      invalidParameter(
        '$orderby',
        code,
        `names ${path.name.slice(0, 100)}, ${what} (character ${path.at + 1})`,
      );
    const field = fields.get(path.name);
    if (field === undefined) throw reject('unknown_field', 'which is no property here');
    if (field.type === 'texts') throw reject('invalid_type', 'a collection');
    if (!isSortable(field)) throw reject('not_supported', 'whose values have no order');
    return { field: field.path, isDescending };
  });
}
