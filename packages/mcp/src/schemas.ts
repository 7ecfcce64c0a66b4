import { isDeepStrictEqual } from 'node:util';
import { operations } from '@roster/contract/operations';
import { records } from '@roster/contract/records';
import type { Field, Value } from '@roster/fields';
import type { ResourceName } from './service.ts';

/** Draft 2020-12. */
export type JsonSchema = Record<string, unknown>;

/** Removes rules, which errors contain, and RESO names, which users of assistants don't use. */
const inFewWords = (text: string) => text.replaceAll(/ \(RESO [^)]*\)/g, '').split(/;|: `|\. /)[0] ?? text;

/** Formats that help an assistant; descriptions contain the others. */
const formats: Partial<Record<Field['kind'], string>> = {
  reference: 'uuid',
  date: 'date',
  time: 'date-time',
  phone: 'phone',
  country: 'country',
};

function present(object: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** Without null and limits of length, which errors contain. */
function schemaOf(value: Value): JsonSchema {
  const { kind, item, parts, choices, minimum, maximum, isFraction, isRelative } = value;
  if (kind === 'switch') return { type: 'boolean' };
  if (kind === 'number') return present({ type: isFraction ? 'number' : 'integer', minimum, maximum });
  if (kind === 'list') return { type: 'array', ...(item && { items: schemaOf(item) }) };
  if (kind === 'records')
    return { type: 'array', items: parts ? objectSchema(parts, true) : { type: 'object' } };
  if (kind === 'object') return objectSchema(parts ?? [], true);
  if (kind === 'map') return { type: 'object', ...(item && { additionalProperties: schemaOf(item) }) };
  return present({ type: 'string', enum: choices, format: isRelative ? undefined : formats[kind] });
}

/** Only the outermost schema rejects other properties. */
export function objectSchema(fields: readonly Field[], isPart = false): JsonSchema {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const properties = fields.map(({ name, description, default: usual, ...value }) => [
    name,
    { ...schemaOf(value), ...present({ default: usual, description: inFewWords(description) }) },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    ...(!isPart && { additionalProperties: false }),
  };
}

/** A field of an operation as a tool offers it. */
export type Offered = Partial<Field> & { name: string };

/** In the order of the tool. A list that accepts a single item takes only one. */
export function fieldsOf(procedure: string, offered: readonly (string | Offered)[]): Field[] {
  const { pathParameters = [], fields = [], conditions = [] } = operations[procedure] ?? {};
  const known = [...pathParameters, ...fields, ...conditions];
  return offered.flatMap((one) => {
    const { name, ...changed } = typeof one === 'string' ? { name: one } : one;
    const found = known.find((field) => field.name === name);
    if (found === undefined) return [];
    const { acceptsOne, item, isNullable: _, default: __, ...field } = found;
    return { ...field, ...(acceptsOne ? item : item && { item }), ...changed };
  });
}

export const newFields = (name: ResourceName) => records[name].fields.filter(({ isReadOnly }) => !isReadOnly);

export const patchFields = (name: ResourceName): readonly Field[] =>
  operations[`${name}.update`]?.fields ?? [];

const listed = new Intl.ListFormat('en-GB');
const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** One object with the fields of all resources: a choice between schemas would repeat most of them three times. */
export function newRecordSchema(names: readonly ResourceName[]): JsonSchema {
  const shared = new Map<string, { field: Field; owners: ResourceName[] }>();
  for (const owner of names) {
    for (const { isRequired: _, ...field } of newFields(owner)) {
      const known = shared.get(field.name);
      if (known === undefined) shared.set(field.name, { field, owners: [owner] });
      else known.owners.push(owner);
    }
  }
  const shown: Field[] = [];
  for (const { field, owners } of shared.values()) {
    const { parts, ...whole } = field;
    const same = shown.find((one) => parts !== undefined && isDeepStrictEqual(one.parts, parts));
    const of = owners.length === names.length ? '' : ` (${owners.join(', ')})`;
    const what = `${inFewWords(field.description)}${same ? `, as \`${same.name}\`` : ''}${of}`;
    shown.push({ ...(same ? { ...whole, kind: 'map' } : field), description: what });
  }
  const required = names.map((name) => {
    const needed = newFields(name).flatMap((field) => (field.isRequired ? [field.name] : []));
    const { nameParts = [] } = records[name];
    return `of ${name} ${listed.format([...(nameParts.length > 0 ? [either.format(nameParts)] : []), ...needed])}`;
  });
  return {
    ...objectSchema(shown),
    description: `The fields. Required: ${required.join(', ')}. Phone numbers become E.164, by the country of the address unless they begin with +`,
  };
}
