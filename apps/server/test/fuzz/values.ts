import { openApiDocument } from '@roster/api/openapi';
import fc, { type Arbitrary } from 'fast-check';

/** The parts of a JSON Schema of the OpenAPI document from which values are made. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  example?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
}

interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters: { name?: string; in?: string; schema?: Schema }[];
        requestBody?: { content: Record<string, { schema: Schema }> };
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
}

export const document = openApiDocument({ baseUrl: '/' }) as object as Document;

/** A schema without its reference. */
export function resolved(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : resolved(document.components.schemas[name] ?? {});
}

/** Stands for the id of an existing record, which replaces it when the request is sent. */
export const knownId: Arbitrary<string> = fc
  .tuple(fc.constantFrom('offices', 'agents', 'teams', 'keys', 'webhooks'), fc.nat({ max: 9 }))
  .map(([collection, index]) => `@${collection}:${index}@`);

const listed = (text: string) => fc.constantFrom(...text.split(' '));

/** Names with a meaning in JavaScript, JSON or the adapters, and names without one. */
export const hostileName: Arbitrary<string> = fc.oneof(
  listed('__proto__ constructor prototype toString hasOwnProperty valueOf then toJSON length'),
  listed('id version ifVersion status createdAt batch input 0 -1 a/b a~b a.b a[] a[b]'),
  fc.constantFrom('', '\0', '\ud800', 'x'.repeat(2_000)),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom('', ' ', '\0', 'a\0b', '\ud800', '\udc00\ud800', '\ufeff', '\u202e', '💥', 'İ', '\n', '\\'),
  listed("% _ ';drop $1 {} [] null true NaN Infinity -0 1e999 0x10 1.5 00 ١ 99999999999999999999 2147483648"),
  listed('0000-01-01T00:00:00Z 0001-01-01T00:00:00+23:59 9999-12-31T23:59:59.999999-23:59 2026-02-30 now'),
  listed(
    '+275760-09-13T00:00:00Z 2026-01-31T24:00:00Z 2026-01-31T08:00:60Z 2026-01-31T08:00:00-99:99 P9999Y',
  ),
  fc.constantFrom('x'.repeat(256), 'x'.repeat(5_000), '💥'.repeat(127), `${'a'.repeat(250)}@b.example`),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

/** Values that no field is meant for, or just at its edges. */
export const hostile: Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, false, 0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, 5e-324),
  fc.constantFrom<unknown>([], {}, [[]], [null], [{}], { toString: 1 }, { constructor: { prototype: {} } }),
  knownId,
  fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
  fc.array(hostileText, { maxLength: 60 }),
  fc.dictionary(hostileName, hostileText, { maxKeys: 60 }),
);

/** Values that a schema allows, or nearly: texts with a form by their examples. */
export function allowed(given: Schema): Arbitrary<unknown> {
  const schema = resolved(given);
  const { type, anyOf = schema.oneOf } = schema;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(allowed));
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => allowed({ ...schema, type: one })));
  if (type === 'string') return allowedText(schema);
  if (type === 'integer') return fc.integer(rangeOf(schema));
  if (type === 'number') return fc.double({ ...rangeOf(schema), noNaN: true });
  if (type === 'boolean') return fc.boolean();
  if (type === 'array')
    return fc.array(allowed(schema.items ?? {}), { maxLength: Math.min(schema.maxItems ?? 3, 3) });
  return type === 'object' ? allowedObject(schema) : fc.constant(null);
}

/** The numbers that a schema allows, without those beyond which no rule of the service changes. */
function rangeOf({ minimum = -9, maximum = 300 }: Schema): { min: number; max: number } {
  return { min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 300) };
}

function allowedText({ format, example, minLength = 0, maxLength = 30 }: Schema): Arbitrary<unknown> {
  const free = fc.string({ minLength, maxLength: Math.min(maxLength, 300), size: 'small' });
  if (format === 'uuid') return fc.oneof(knownId, fc.uuid());
  return example === undefined
    ? free
    : fc.oneof({ weight: 9, arbitrary: fc.constant(example) }, { weight: 1, arbitrary: free });
}

function allowedObject({ properties, required = [], additionalProperties }: Schema): Arbitrary<unknown> {
  if (properties === undefined) {
    const values = typeof additionalProperties === 'object' ? allowed(additionalProperties) : fc.string();
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), values, { maxKeys: 3 });
  }
  const names = Object.keys(properties);
  const parts = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, allowed(part)]));
  return fc
    .tuple(fc.record(parts), fc.subarray(names, { maxLength: Math.min(names.length, 4) }))
    .map(([all, some]) =>
      Object.fromEntries([...new Set([...required, ...some])].map((name) => [name, all[name]])),
    );
}
