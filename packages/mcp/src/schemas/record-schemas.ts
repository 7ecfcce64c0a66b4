import { fromJsonSchema } from '@modelcontextprotocol/server';
import { type JsonSchema, objectSchema } from '@roster/contract';
import { patches } from '@roster/contract/patches';
import { records } from '@roster/contract/records';
import type { Problem, ResourceName } from '../service.ts';

type Operation = 'create' | 'update';

/** The JSON Schema of the fields of a record to create, or of a merge patch of one. */
function schemaOf(resource: ResourceName, operation: Operation): JsonSchema {
  const created = () => records[resource].fields.filter(({ isReadOnly }) => !isReadOnly);
  const fields = operation === 'create' ? created() : patches[resource];
  return { ...objectSchema(fields), description: `The fields of one of the ${resource}` };
}

/** The keywords that say what a value looks like, and not what it means. */
const shapes = new Set(['type', 'enum', 'items', 'properties', 'required', 'anyOf', 'additionalProperties']);

/**
 * The JSON Schema of what may be written, of one of some resources. For updates names and types alone: the meaning of each field is in
 * the schema for creations, which the same callers get, and would double the list of the tools.
 */
export function writableSchema(names: readonly ResourceName[], operation: Operation): JsonSchema {
  const each = names.map((name): JsonSchema => {
    const schema = schemaOf(name, operation);
    return operation === 'create' ? schema : (keep(schema, (keyword) => shapes.has(keyword)) as JsonSchema);
  });
  const [first] = each;
  return first !== undefined && each.length === 1 ? first : { anyOf: each };
}

/** The checks that have been made, by resource and operation. */
const checks = new Map<string, ReturnType<typeof fromJsonSchema>>();

/**
 * Checks values by the JSON Schema of the API, which has the names, types, lengths and choices of the fields, but no rule between
 * fields or records. Returns the error that the service would return; undefined if there is none.
 */
export async function checkValues(
  resource: ResourceName,
  operation: Operation,
  values: object,
): Promise<Problem | undefined> {
  const name = `${resource} ${operation}`;
  // The OpenAPI formats `int64` and `idn-email` are none of those that the validator knows.
  const check =
    checks.get(name) ??
    fromJsonSchema(keep(schemaOf(resource, operation), (keyword) => keyword !== 'format') as JsonSchema);
  checks.set(name, check);
  const { issues } = await check['~standard'].validate(values);
  if (issues === undefined) return undefined;
  const errors = issues.map(({ message }) => ({ code: 'invalid_value', detail: message }));
  const detail = `The values do not match the schema: ${errors.map((error) => error.detail).join('; ')}.`;
  return { code: 'validation_failed', status: 422, detail, errors };
}

/** A schema with some of its keywords alone. */
function keep(value: unknown, isKept: (keyword: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => keep(one, isKept));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => isKept(name));
  // The names of properties are no keywords.
  return Object.fromEntries(
    kept.map(([name, one]) => [
      name,
      name === 'properties'
        ? Object.fromEntries(Object.entries(one as object).map(([field, of]) => [field, keep(of, isKept)]))
        : keep(one, isKept),
    ]),
  );
}
