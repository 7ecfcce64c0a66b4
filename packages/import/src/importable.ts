import type { Field } from '@roster/contract';
import type { ResourceName } from '@roster/contract/records';
import { records } from '@roster/contract/records';

/** A field that a new record may have. */
export interface ImportField {
  /** `['address', 'city']` */
  path: readonly string[];
  kind: Field['kind'];
  choices?: readonly string[] | undefined;
  description: string;
}

/** A resource as an import reads it, from the contract of the service. */
export interface Importable {
  name: ResourceName;
  singular: string;
  /** The fields of a new record, each part of an object after it. */
  fields: readonly ImportField[];
  /** The field with the id of the office that a record belongs to, the one with its source, and what the office is in words. */
  officeId: string;
  officeSource: string;
  officeText: string;
  /** The field with the name of the office, if there is one. */
  officeName?: string;
  /** Whether the office is a record of the same resource: then the upper ones are sent first. */
  isTree: boolean;
  /** The other fields with the id of a record, and the resource of that. */
  otherIds: readonly { field: string; resource: string }[];
  /** The list whose items may be rows of a file by themselves; undefined if there is none. */
  itemRows?: ItemRows;
  /** Whether e-mail addresses are unique. */
  isEmailUnique: boolean;
  /** The fields that a new record needs, and its office; an existing one has them already. */
  requiredFields: readonly string[];
}

/** A list whose items may be rows of a file: each has columns of its own. */
interface ItemRows {
  /** The field of the list, the parts of an item, and those that name its record by the id, its source and its e-mail address. */
  field: string;
  parts: readonly Pick<Field, 'name' | 'kind' | 'choices' | 'description'>[];
  idField: string;
  source?: string;
  email?: string;
  /** The record that an item refers to, in words: `the agent`. */
  text: string;
}

function itemRowsOf({ fields, itemRows }: (typeof records)[ResourceName]): ItemRows | undefined {
  if (itemRows === undefined) return undefined;
  const { field, names } = itemRows;
  const { parts = [] } = fields.find(({ name }) => name === field) ?? {};
  const id = parts.find(({ refersTo }) => refersTo !== undefined);
  return id && { field, parts, idField: id.name, ...names, text: textOf(id.name) };
}

/** The names of the resources that can be imported: all of the directory. */
export const importableNames = Object.keys(records) as ResourceName[];

/** A field, followed by the parts of an object, which have columns of their own. */
function withParts({ name, kind, choices, description, parts = [] }: Field): ImportField[] {
  const field = { path: [name], kind, choices, description };
  if (kind !== 'object') return [field];
  return [field, ...parts.map((part) => ({ ...part, path: [name, part.name] }))];
}

/** `mainOfficeId` is `the main office`. */
function textOf(field: string): string {
  return `the ${field.replace(/Id$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}

/** Makes what an import reads of a resource. */
export function createImportable(name: ResourceName): Importable {
  const { fields, singular, parentField, parentNames, uniqueBy } = records[name];
  const itemRows = itemRowsOf(records[name]);
  const written = fields.filter(({ isReadOnly }) => !isReadOnly);
  const ids = written.filter(({ kind, refersTo }) => kind === 'reference' && refersTo !== undefined);
  return {
    name,
    singular,
    fields: written.flatMap(withParts),
    officeId: parentField,
    officeSource: parentNames.source,
    officeText: textOf(parentField),
    ...(parentNames.name !== undefined && { officeName: parentNames.name }),
    isTree: ids.some((field) => field.name === parentField && field.refersTo === name),
    otherIds: ids.flatMap(({ name: field, refersTo: resource = '' }) =>
      field === parentField ? [] : [{ field, resource }],
    ),
    ...(itemRows !== undefined && { itemRows }),
    isEmailUnique: uniqueBy.includes('email'),
    requiredFields: [
      ...written.filter(({ isRequired }) => isRequired).map((field) => field.name),
      parentField,
    ],
  };
}
