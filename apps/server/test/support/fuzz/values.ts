import fc, { type Arbitrary } from 'fast-check';

/** The parts of a JSON schema of the OpenAPI document from which values are made. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
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

/** Stands for the id of a record that is there, and is replaced by it when the request is sent. */
export const knownId: Arbitrary<string> = fc
  .tuple(fc.constantFrom('offices', 'agents', 'keys', 'webhooks'), fc.nat({ max: 9 }))
  .map(([collection, index]) => `@${collection}:${index}@`);

/** Names with a meaning in JavaScript, JSON or the adapters, and names without one. */
export const hostileName: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'then',
    'toJSON',
  ),
  fc.constantFrom(
    '',
    '\0',
    '0',
    '-1',
    'length',
    'id',
    'version',
    'ifVersion',
    'status',
    'createdAt',
    'batch',
    'input',
  ),
  fc.constantFrom('a/b', 'a~b', 'a.b', 'a[]', 'a[b]', '\ud800', 'x'.repeat(2_000)),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udc00\ud800',
    '\ufeff',
    '\u202e',
    '💥',
    'ﬃ',
    'İ',
    '\n',
    '%',
    '_',
    '\\',
  ),
  fc.constantFrom(
    "'; drop table office; --",
    '$1',
    '{}',
    '[]',
    'null',
    'true',
    'NaN',
    'Infinity',
    '-0',
    '1e999',
    '0x10',
  ),
  fc.constantFrom(
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59.999999-23:59',
    'infinity',
    'now',
  ),
  fc.constantFrom(
    '2026-02-30',
    '2026-13-01',
    '+275760-09-13T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T08:00:60Z',
  ),
  fc.constantFrom(
    'x'.repeat(256),
    'x'.repeat(5_000),
    '💥'.repeat(127),
    'x@y',
    `${'a'.repeat(250)}@b.example`,
    'http://',
  ),
  fc.constantFrom('99999999999999999999', '2147483648', '-2147483649', '9007199254740993', '1.5', '00', '١'),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

/** Values that no field of ours is meant for, or just at its edges. */
export const hostile: Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, false, 0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, -1e308, 5e-324),
  fc.constantFrom(
    [],
    {},
    [[]],
    [null],
    [{}],
    { toString: 1 },
    { constructor: { prototype: {} } },
    JSON.parse('{"then":1}'),
  ),
  knownId,
  fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
  fc.array(hostileText, { maxLength: 60 }),
  fc.dictionary(hostileName, hostileText, { maxKeys: 60 }),
);

/** Values that a schema allows, or nearly: formats and patterns by their examples. */
export function allowed(schema: Schema, resolve: (pointer: string) => Schema): Arbitrary<unknown> {
  const inner = (part: Schema) => allowed(part, resolve);
  if (schema.$ref !== undefined) return inner(resolve(schema.$ref));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(inner));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => inner({ ...schema, type })));
  switch (schema.type) {
    case 'string':
      return allowedText(schema);
    case 'integer':
      return fc.integer(rangeOf(schema));
    case 'number':
      return fc.double({ ...rangeOf(schema), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(inner(schema.items ?? {}), { maxLength: Math.min(schema.maxItems ?? 3, 3) });
    case 'object':
      return allowedObject(schema, inner);
    default:
      return fc.constant(null);
  }
}

/** The numbers that a schema allows, those beyond which no rule of the service changes left out. */
function rangeOf({ minimum = -9, maximum = 300 }: Schema): { min: number; max: number } {
  return { min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 300) };
}

function allowedText({ format, example, minLength = 0, maxLength = 30 }: Schema): Arbitrary<unknown> {
  const free = fc.string({ minLength, maxLength: Math.min(maxLength, 300), size: 'small' });
  if (format === 'uuid') return fc.oneof(knownId, fc.uuid());
  if (format === 'date-time')
    return fc.oneof(fc.constant(example ?? '2026-01-31T08:00:00Z'), someTime, timeWithOffset);
  if (example === undefined) return free;
  return fc.oneof({ weight: 9, arbitrary: fc.constant(example) }, { weight: 1, arbitrary: free });
}

const someTime = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((time) => time.toISOString());

/** Offsets that a clock shows somewhere, nowhere, and beyond what PostgreSQL reads or what there is of years. */
const timeWithOffset = fc
  .record({
    date: fc.constantFrom('2026-01-31', '2026-02-30', '0001-01-01', '0000-01-01', '9999-12-31'),
    time: fc.constantFrom('00:00:00', '08:00:00.123456789', '23:59:59.999', '23:59:60'),
    sign: fc.constantFrom('+', '-', '−', ''),
    hours: fc.integer({ min: 0, max: 99 }),
    minutes: fc.constantFrom(0, 1, 30, 59, 60, 99),
    colon: fc.constantFrom(':', ':', ':', ''),
  })
  .map(({ date, time, sign, hours, minutes, colon }) => {
    const [hour, minute] = [hours, minutes].map((number) => String(number).padStart(2, '0'));
    return `${date}T${time}${sign}${hour}${colon}${minute}`;
  });

function allowedObject(schema: Schema, inner: (part: Schema) => Arbitrary<unknown>): Arbitrary<unknown> {
  const { properties, required = [], additionalProperties } = schema;
  if (properties === undefined) {
    const values = typeof additionalProperties === 'object' ? inner(additionalProperties) : fc.string();
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), values, { maxKeys: 3 });
  }
  const names = Object.keys(properties);
  const parts = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part)]));
  return fc
    .tuple(fc.record(parts), fc.subarray(names, { maxLength: Math.min(names.length, 4) }))
    .map(([all, some]) =>
      Object.fromEntries([...new Set([...required, ...some])].map((name) => [name, all[name]])),
    );
}
