import type { JsonSchema } from '@roster/contract';

/**
 * Keywords that tell an assistant nothing that it needs: limits of length, which errors name, and how zod writes what any object may have.
 * Each list of tools is read with every conversation, so it has to be short.
 */
const left: ReadonlySet<string> = new Set([
  ...[
    '$schema',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
    'pattern',
  ],
  'propertyNames',
]);

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0;

/** Whether a keyword says nothing: any property is allowed, or a whole number that JavaScript counts exactly is. */
function saysNothing(name: string, value: unknown): boolean {
  if (left.has(name)) return true;
  if (name === 'additionalProperties' || name === 'properties') return isEmpty(value);
  return (name === 'minimum' || name === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}

/** A JSON Schema as an assistant is shown it; arguments are checked by the whole one. That it has no other properties, it says once. */
export function shownSchema(schema: JsonSchema, isPart = false): JsonSchema {
  const shown = Object.entries(schema).filter(
    ([name, value]) =>
      !saysNothing(name, value) && !(isPart && name === 'additionalProperties' && value === false),
  );
  return Object.fromEntries(shown.map(([name, value]) => [name, shownPart(name, value)]));
}

function shownPart(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((part) => (isObject(part) ? shownSchema(part, true) : part));
  if (!isObject(value)) return value;
  // The names of properties are no keywords.
  if (name === 'properties')
    return Object.fromEntries(
      Object.entries(value).map(([property, part]) => [
        property,
        isObject(part) ? shownSchema(part, true) : part,
      ]),
    );
  return shownSchema(value, true);
}
