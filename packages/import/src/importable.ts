import type { BareField, BareRecordContract, RecordContract } from '@roster/fields';

/** The records of a resource, with the descriptions of their fields if columns are described. */
type Contract = RecordContract | BareRecordContract;

/** A field, with its description if there is one. */
type Field = BareField & { description?: string };

/** A field that a new record may have. */
export interface ImportField {
  /** `['address', 'city']` */
  path: readonly string[];
  kind: Field['kind'];
  choices?: readonly string[] | undefined;
  description: string;
}

/** The fields by which a record names its office: by the id, by the source and, if there is such a field, by the name. */
export interface OfficeFields {
  id: string;
  source: string;
  name?: string;
  /** The office in words: `the main office`. */
  text: string;
}

/** A resource as an import reads it, from the contract of the service. */
export interface Importable<Name extends string = string> {
  name: Name;
  singular: string;
  /** The fields of a new record, each part of an object after it. */
  fields: readonly ImportField[];
  /** The fields that name the office of a record; undefined if records belong to none. */
  office?: OfficeFields;
  /** Whether the office is a record of the same resource: then the upper ones are sent first. */
  isTree: boolean;
  /** The other fields with the id of a record, and the resource of that. */
  otherIds: readonly { field: string; resource: string }[];
  /** The list whose items may be rows of a file by themselves; undefined if there is none. */
  itemRows?: ItemRows;
  /** Whether e-mail addresses are unique. */
  isEmailUnique: boolean;
  /** The fields that a new record needs, and its office if it belongs to one; an existing one has them already. */
  requiredFields: readonly string[];
  /** A new record needs one of these fields; none if its name is one field. */
  nameParts: readonly string[];
  /** The fields that only the service sets, of any resource, for a clear error. */
  readOnlyFields: readonly string[];
}

/** A list whose items may be rows of a file: each has columns of its own. */
interface ItemRows {
  /** The field of the list, the parts of an item, and those that name its record by the id, its source and its e-mail address. */
  field: string;
  parts: readonly (Pick<Field, 'name' | 'kind' | 'choices'> & { description: string })[];
  idField: string;
  source?: string;
  email?: string;
  /** The record that an item refers to, in words: `the agent`. */
  text: string;
}

function itemRowsOf({ fields, itemRows }: Contract): ItemRows | undefined {
  if (itemRows === undefined) return undefined;
  const { field, names } = itemRows;
  const { parts = [] } = fields.find(({ name }) => name === field) ?? {};
  const id = parts.find(({ refersTo }) => refersTo !== undefined);
  const described = parts.map((part: Field) => ({ ...part, description: part.description ?? '' }));
  return id && { field, parts: described, idField: id.name, ...names, text: textOf(id.name) };
}

/** A field, followed by the parts of an object, which have columns of their own. */
function withParts({ name, kind, choices, description = '', parts = [] }: Field): ImportField[] {
  const field = { path: [name], kind, choices, description };
  if (kind !== 'object') return [field];
  return [
    field,
    ...parts.map((part: Field) => ({
      ...part,
      description: part.description ?? '',
      path: [name, part.name],
    })),
  ];
}

/** `mainOfficeId` is `the main office`. */
function textOf(field: string): string {
  return `the ${field.replace(/Id$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}

/** Makes what an import reads of a resource, of the contract of all records. */
export function createImportable<Name extends string>(
  name: Name,
  records: Readonly<Record<Name, Contract>>,
): Importable<Name> {
  const contract = records[name];
  const { fields, singular, nameParts = [], parentField, parentNames, uniqueBy } = contract;
  const itemRows = itemRowsOf(contract);
  const written = fields.filter(({ isReadOnly }) => !isReadOnly);
  const ids = written.filter(({ kind, refersTo }) => kind === 'reference' && refersTo !== undefined);
  return {
    name,
    singular,
    fields: written.flatMap(withParts),
    ...(parentField !== undefined &&
      parentNames !== undefined && {
        office: { id: parentField, ...parentNames, text: textOf(parentField) },
      }),
    isTree: ids.some((field) => field.name === parentField && field.refersTo === name),
    otherIds: ids.flatMap(({ name: field, refersTo: resource = '' }) =>
      field === parentField ? [] : [{ field, resource }],
    ),
    ...(itemRows !== undefined && { itemRows }),
    isEmailUnique: uniqueBy.includes('email'),
    requiredFields: [
      ...written.filter(({ isRequired }) => isRequired).map((field) => field.name),
      ...(parentField === undefined ? [] : [parentField]),
    ],
    nameParts,
    readOnlyFields: Object.values<Contract>(records).flatMap((one) =>
      one.fields.flatMap((field) => (field.isReadOnly && field.name !== 'id' ? [field.name] : [])),
    ),
  };
}
