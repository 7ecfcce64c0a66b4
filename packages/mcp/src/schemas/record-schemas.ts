import { isDeepStrictEqual } from 'node:util';
import { type Field, type JsonSchema, objectSchema } from '@roster/contract';
import { checkFields } from '@roster/contract/check';
import { patches } from '@roster/contract/patches';
import { records } from '@roster/contract/records';
import { invalidInput, type Problem, type ResourceName, type Row } from '../service.ts';

type Operation = 'create' | 'update';

/** The fields of a record to create, or of a merge patch of one. */
function fieldsOf(resource: ResourceName, operation: Operation): readonly Field[] {
  if (operation === 'update') return patches[resource];
  return records[resource].fields.filter(({ isReadOnly }) => !isReadOnly);
}

/** The name of a field in RESO, which no user of an assistant says. */
const resoName = / \(RESO [^)]*\)/g;

/** A field as an assistant is shown it: what it is, without the rules that an error names, and without null, which is left out of a new record. */
function shownField({ description, isNullable: _, parts, item, kind, ...field }: Field): Field {
  const [what = ''] = description.replaceAll(resoName, '').split(/;|: `/);
  return {
    ...field,
    kind: kind === 'email' || kind === 'url' ? 'text' : kind,
    description: what,
    ...(item && { item: { kind: item.kind, ...(item.choices && { choices: item.choices }) } }),
    ...(parts && { parts: parts.map(shownField) }),
  };
}

/** A field of records of some resources. */
interface SharedField {
  field: Field;
  names: ResourceName[];
}

/** The fields that the records of some resources have, each once, with the resources whose records have it. */
function sharedFields(names: readonly ResourceName[]): SharedField[] {
  const shared = new Map<string, SharedField>();
  for (const name of names) {
    for (const field of fieldsOf(name, 'create')) {
      const known = shared.get(field.name);
      if (known !== undefined) known.names.push(name);
      else shared.set(field.name, { field: withKnownParts(shownField(field), shared), names: [name] });
    }
  }
  return [...shared.values()];
}

/** A field that refers to the one before it that has the same parts, such as another address. */
function withKnownParts(field: Field, before: ReadonlyMap<string, SharedField>): Field {
  const { parts, ...whole } = field;
  const same = [...before.values()].find((one) => isDeepStrictEqual(one.field.parts, parts));
  if (parts === undefined || same === undefined) return field;
  return { ...whole, kind: 'map', description: `${field.description}, as \`${same.field.name}\`` };
}

const listed = new Intl.ListFormat('en-GB');

/** A sentence about the fields that a new record of each resource must have. */
function requiredFields(names: readonly ResourceName[]): string {
  const each = names.map((name) => {
    const required = fieldsOf(name, 'create').filter(({ isRequired }) => isRequired);
    return `${name} ${listed.format(required.map((field) => field.name))}`;
  });
  return `Required: of ${each.join(', of ')}.`;
}

/**
 * The JSON Schema of the fields of a new record of one of some resources. One object has the fields of all, of which those that some
 * records lack say whose they are: a choice between schemas would have most of them three times.
 */
export function newRecordSchema(names: readonly ResourceName[]): JsonSchema {
  const fields = sharedFields(names).map(({ field, names: own }): Field => {
    const of = own.length === names.length ? '' : ` (${own.join(', ')})`;
    const { isRequired: _, ...optional } = field;
    return { ...optional, description: `${field.description}${of}` };
  });
  return {
    ...objectSchema(fields),
    description: `The fields. ${requiredFields(names)} Telephones become E.164, by the country of the address unless they begin with +`,
  };
}

/**
 * Checks values by the contract, which has the names, types, lengths and choices of the fields, but no rule between fields or records.
 * Returns the error that the service would return; undefined if there is none.
 */
export function checkValues(resource: ResourceName, operation: Operation, values: Row): Problem | undefined {
  const violations = checkFields(fieldsOf(resource, operation), values);
  return violations.length === 0 ? undefined : invalidInput(violations);
}
