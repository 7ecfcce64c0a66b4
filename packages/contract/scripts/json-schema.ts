import { z } from 'zod';

/** A JSON Schema, as far as the contract reads it. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: (string | number)[];
  const?: string | number | boolean | null;
  format?: string;
  pattern?: string;
  description?: string;
  example?: unknown;
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  /** Whether a single item is accepted instead of a list. */
  isRepeated?: boolean;
}

/** Whether a schema has a preprocess step that makes a list of a single value. */
function acceptsSingleItem({ _zod }: z.core.$ZodTypes): boolean {
  if (_zod.def.type !== 'pipe') return false;
  const { in: before, out: after } = _zod.def as z.core.$ZodPipeDef;
  return before._zod.def.type === 'transform' && after._zod.def.type === 'array';
}

/** The schemas that get a name in JSON although they have none in Zod. */
export type Names = ReadonlyMap<z.core.$ZodType, string>;

/** The JSON Schema of an input or an output. Named schemas in it are in its `$defs`. */
export function jsonSchemaOf(type: z.ZodType, io: 'input' | 'output', names: Names = new Map()): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (acceptsSingleItem(zodSchema)) (jsonSchema as Schema).isRepeated = true;
      const name = names.get(zodSchema);
      if (name !== undefined) (jsonSchema as Schema).$ref = `#/$defs/${name}`;
    },
  }) as Schema & { $schema?: string };
  return schema;
}

export const nameOf = ($ref: string): string => $ref.replace('#/$defs/', '');

/** Zod limits every integer to the safe ones. */
export const isLimit = (limit: number | undefined) =>
  limit !== undefined && Math.abs(limit) !== Number.MAX_SAFE_INTEGER;

/** A schema without its references and without null, of which `isNullable` tells instead. */
export type Resolved = Schema & { isNullable?: true };

/** Resolves the references in a schema by the definitions, and removes its null. */
export function resolve(schema: Schema, definitions: Record<string, Schema>): Resolved {
  const { $ref, anyOf, type, ...own } = schema;
  if ($ref !== undefined) {
    const target = definitions[nameOf($ref)];
    if (target === undefined) throw new Error(`${$ref} is not defined`);
    return { ...resolve(target, definitions), ...own };
  }
  if (Array.isArray(type) && type.includes('null')) {
    const [only, ...others] = type.filter((name) => name !== 'null');
    if (only === undefined) return schema;
    return { ...own, type: others.length === 0 ? only : [only, ...others], isNullable: true };
  }
  const present = (anyOf ?? []).filter((choice) => choice.type !== 'null');
  const [only] = present;
  if (anyOf?.length !== 2 || present.length !== 1 || only === undefined) return schema;
  return { ...resolve(only, definitions), ...own, isNullable: true };
}
