import type { QueryFieldType } from '@roster/api/query';
import { records } from '@roster/contract/records';
import { type Field, fieldAt } from '@roster/fields';
import type { ResourceDefinition } from '../definitions/definition.ts';
import type { Lookup, OpenLookup } from '../definitions/lookups.ts';

/** A field of an entity set, and where a record of the API has it. */
export interface ResoField {
  name: string;
  /** The path in the record, such as `address.city`; its name in conditions too. */
  path: string;
  type: QueryFieldType;
  /** Whether it is the day of a time, in UTC. */
  isDayOfTime: boolean;
  /** In characters; of a list, of each of its texts. */
  maxLength?: number;
  isNullable: boolean;
  isWritable: boolean;
  /** Whether the Data Dictionary has it. Others are shown only if `$select` names them. */
  isStandard: boolean;
  lookup?: Lookup;
  openLookup?: OpenLookup;
}

/** A field of a set whose records the service makes itself: a text that is never null unless `options` say otherwise. */
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

/** The prefix of the names of fields that the Data Dictionary does not have. */
const PREFIX = 'X_Roster';

/** The paths of the fields of a resource that conditions and orders may name, with their types. */
export type FieldTypes = Readonly<Record<string, { type: QueryFieldType }>>;

/** Fields that are written by other procedures than those of their resource: the status. */
const writtenOtherwise: readonly string[] = ['status'];

/**
 * The fields of a resource: those of the Data Dictionary in the order of its table, then the others. A name of the table that no
 * record has of its own, such as the second half of a postal code, is no field.
 */
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

/** Whether records can be ordered by a field. */
export function isSortable({ type, lookup }: ResoField): boolean {
  return type !== 'texts' && lookup?.isSortedAlike !== false;
}

/** The fields of the contract that a set shows: of a resource, or of the items of a list in its records. */
function contractFields(resource: ResourceDefinition['resource']): readonly Field[] {
  const [name = '', list] = resource.split('.');
  const { fields } = records[name as keyof typeof records];
  if (list === undefined) return fields;
  return fields.find((field) => field.name === list)?.parts ?? [];
}

/** The length of an id in characters. */
const UUID_LENGTH = 36;

function lengthOf(type: QueryFieldType, field: Field | undefined): number | undefined {
  if (type === 'id') return UUID_LENGTH;
  return type === 'texts' ? field?.item?.maxLength : field?.maxLength;
}

/** Whether a record may have null in a field. */
function canBeNull(field: Field | undefined): boolean {
  return field?.isNullable === true && field.isAlwaysSet !== true;
}

/** An entity set whose records are those of a resource of the API. */
export interface ResoResource extends ResourceDefinition {
  fields: readonly ResoField[];
  byName: ReadonlyMap<string, ResoField>;
}

/** The entity set of a resource, of which `types` has the fields that conditions may name. */
export function createResource(definition: ResourceDefinition, types: FieldTypes): ResoResource {
  const fields = fieldsOf(definition, types);
  return { ...definition, fields, byName: new Map(fields.map((field) => [field.name, field])) };
}
