import { z } from 'zod';

/** What is read of a JSON Schema. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  maxLength?: number;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

const converted = new Map<z.ZodType, JsonSchema>();

/**
 * The JSON Schema of the value at a path of a record, such as `address.city` or `licenses[0].number`; undefined if the record has
 * none there.
 */
export function schemaAt(record: z.ZodType, io: 'input' | 'output', path: string): JsonSchema | undefined {
  const root =
    converted.get(record) ?? (z.toJSONSchema(record, { io, unrepresentable: 'any' }) as JsonSchema);
  converted.set(record, root);
  const definitions = root.$defs ?? {};
  let schema: JsonSchema | undefined = root;
  for (const step of path.split('.')) {
    const [, name = '', index] = /^(\w+)(\[0\])?$/.exec(step) ?? [];
    schema = withParts(schema, definitions)?.properties?.[name];
    if (index !== undefined) schema = withParts(schema, definitions)?.items;
  }
  return schema;
}

/** A schema itself instead of a reference to it, or of one that allows null beside it. */
function withParts(
  schema: JsonSchema | undefined,
  definitions: Record<string, JsonSchema>,
): JsonSchema | undefined {
  const name = schema?.$ref?.split('/').pop();
  if (name !== undefined) return withParts(definitions[name], definitions);
  const others = schema?.anyOf?.filter(({ type }) => type !== 'null');
  return others?.length === 1 ? withParts(others[0], definitions) : schema;
}
