import type { Schema } from '@roster/fields/read';
import { z } from 'zod';

function acceptsSingleItem({ _zod }: z.core.$ZodTypes): boolean {
  if (_zod.def.type !== 'pipe') return false;
  const { in: before, out: after } = _zod.def as z.core.$ZodPipeDef;
  return before._zod.def.type === 'transform' && after._zod.def.type === 'array';
}

export type Names = ReadonlyMap<z.core.$ZodType, string>;

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
