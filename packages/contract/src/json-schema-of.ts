import type { Field, Kind, Operation, Value } from './field.ts';

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = Record<string, unknown>;

const formats: Partial<Record<Kind, string>> = {
  reference: 'uuid',
  date: 'date',
  time: 'date-time',
  email: 'idn-email',
  phone: 'phone',
  country: 'country',
  url: 'iri',
};

/** The members of an object that are not undefined. */
function present(object: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

function listSchema(items: JsonSchema, { minItems, maxItems, acceptsOne }: Value): JsonSchema {
  return { type: acceptsOne ? ['string', 'array'] : 'array', items, ...present({ minItems, maxItems }) };
}

function mapSchema({ item, maxItems }: Value): JsonSchema {
  return {
    type: 'object',
    additionalProperties: schemaOf(item ?? { kind: 'text' }),
    ...present({ maxProperties: maxItems }),
  };
}

/** The schema of a value other than null. */
function presentSchema(value: Value): JsonSchema {
  const { kind, choices, constant, minimum, maximum, minLength, maxLength, pattern, isRelative } = value;
  if (kind === 'switch') return present({ type: 'boolean', const: constant });
  if (kind === 'number') return present({ type: 'integer', const: constant, minimum, maximum });
  if (kind === 'list') return listSchema(schemaOf(value.item ?? { kind: 'text' }), value);
  if (kind === 'records') return listSchema(objectSchema(value.parts ?? []), value);
  if (kind === 'map') return mapSchema(value);
  if (kind === 'object') {
    return value.variants === undefined
      ? objectSchema(value.parts ?? [])
      : { oneOf: value.variants.map((variant) => objectSchema(variant)) };
  }
  const format = isRelative ? `${formats[kind]}-or-duration` : formats[kind];
  return present({ type: 'string', enum: choices, format, minLength, maxLength, pattern });
}

function schemaOf(value: Value): JsonSchema {
  const schema = presentSchema(value);
  const { type, enum: choices } = schema;
  if (!value.isNullable) return schema;
  if (type === undefined || choices !== undefined) return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [type, 'null'].flat() };
}

function fieldSchema({ description, ...value }: Field): JsonSchema {
  return { ...schemaOf(value), ...(description !== '' && { description }) };
}

/** The JSON Schema of an object with the fields and no others. */
export function objectSchema(fields: readonly Field[]): JsonSchema {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The fields of the input of a procedure: the parameters of its path in REST, the fields, and the preconditions. */
export function inputFields({ pathParameters, fields, conditions }: Operation): Field[] {
  return [...pathParameters, ...fields, ...conditions];
}

/** The JSON Schema of the input of a procedure. */
export function inputSchema(operation: Operation): JsonSchema {
  return objectSchema(inputFields(operation));
}
