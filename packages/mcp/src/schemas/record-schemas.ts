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

/** The keywords that say what a value looks like, and not what it means. */
const shapes = new Set(['type', 'enum', 'items', 'properties', 'required', 'anyOf', 'additionalProperties']);

/**
 * The JSON Schema of what may be written, of one of some resources. For updates names and types alone: the meaning of each field is in
 * the schema for creations, which the same callers get, and would double the list of the tools.
 */
export function writableSchema(names: readonly ResourceName[], operation: Operation): JsonSchema {
  const each = names.map((name): JsonSchema => {
    const schema = objectSchema(fieldsOf(name, operation));
    return operation === 'create'
      ? { ...schema, description: `The fields of one of the ${name}` }
      : (withShapes(schema) as JsonSchema);
  });
  const [first] = each;
  return first !== undefined && each.length === 1 ? first : { anyOf: each };
}

/**
 * Checks values by the contract, which has the names, types, lengths and choices of the fields, but no rule between fields or records.
 * Returns the error that the service would return; undefined if there is none.
 */
export function checkValues(resource: ResourceName, operation: Operation, values: Row): Problem | undefined {
  const violations = checkFields(fieldsOf(resource, operation), values);
  return violations.length === 0 ? undefined : invalidInput('values', violations);
}

/** A schema with those keywords alone. */
function withShapes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withShapes);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => shapes.has(name));
  // The names of properties are no keywords.
  return Object.fromEntries(
    kept.map(([name, one]) => [
      name,
      name === 'properties'
        ? Object.fromEntries(Object.entries(one as object).map(([field, of]) => [field, withShapes(of)]))
        : withShapes(one),
    ]),
  );
}
