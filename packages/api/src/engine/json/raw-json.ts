import { z } from 'zod';

interface ResultHeaders {
  id?: string | undefined;
  /** Of records that were rejected, if others were not. */
  errors?: number | undefined;
  version?: number | undefined;
  nextCursor?: string | undefined;
  prevCursor?: string | undefined;
}

/**
 * JSON as PostgreSQL encoded it; `Value` is its decoded type. A procedure returns it to an interface that sends
 * JSON (`acceptsRawJson`), because decoding, validating and encoding a page again costs several times the
 * rest of the request. Constraints and functions of the database ensure that it matches the schema;
 * `record-json.test.ts` compares them.
 */
export class RawJson<Value = unknown> implements ResultHeaders {
  #parts: readonly string[] | undefined;
  readonly #isBytes: boolean;
  declare readonly id?: string;
  declare readonly errors?: number;
  declare readonly version?: number;
  declare readonly nextCursor?: string;
  declare readonly prevCursor?: string;

  /** With `isBytes` each character of `parts` is a byte of UTF-8. */
  constructor(
    parts: readonly string[],
    {
      isBytes = false,
      id,
      errors,
      version,
      nextCursor,
      prevCursor,
    }: ResultHeaders & { isBytes?: boolean } = {},
  ) {
    this.#parts = parts;
    this.#isBytes = isBytes;
    if (id !== undefined) this.id = id;
    if (errors !== undefined) this.errors = errors;
    if (version !== undefined) this.version = version;
    if (nextCursor !== undefined) this.nextCursor = nextCursor;
    if (prevCursor !== undefined) this.prevCursor = prevCursor;
  }

  /**
   * Returns the parts, once, as text or as the bytes of all; throws the second time. The promises that carried this object may keep it until
   * the next full garbage collection, and a page of records should not live that long.
   */
  take(): readonly (string | Buffer)[] {
    const parts = this.#held();
    this.#parts = undefined;
    return parts;
  }

  /** Returns the text, which can still be taken. */
  text(): string {
    return this.#held().join('');
  }

  #held(): readonly (string | Buffer)[] {
    if (this.#parts === undefined) throw new Error('this JSON was taken before');
    return this.#isBytes ? [Buffer.from(this.#parts.join(''), 'latin1')] : this.#parts;
  }

  decode(): Value {
    return JSON.parse(this.take().join(''));
  }

  /** Raw JSON must not be encoded again. `never` tells tRPC's clients that they don't get any. */
  toJSON(): never {
    throw new Error('raw JSON is sent as it is, and not encoded again');
  }
}

export function rawIfAccepted<Value>(
  { request }: { request: { acceptsRawJson?: boolean | undefined } },
  json: RawJson<Value>,
): RawJson<Value> | Value {
  return request.acceptsRawJson ? json : json.decode();
}

const decodedSchemas = new WeakMap<z.core.$ZodType, z.ZodType>();

/** The output may be unvalidated JSON of `schema` (`rawIfAccepted`), whose JSON Schema it has. */
export function orRawJson<Schema extends z.ZodType>(schema: Schema) {
  const rawJson = z
    .custom<RawJson<z.output<Schema>>>((value) => value instanceof RawJson)
    .meta({ description: 'JSON of the other' });
  const either = z.union([rawJson, schema]).meta({
    override: ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
      const [, decoded] = jsonSchema.anyOf ?? [];
      delete jsonSchema.anyOf;
      Object.assign(jsonSchema, decoded);
    },
  });
  decodedSchemas.set(either, schema);
  return either;
}

export function decodedSchema(schema: z.ZodType): z.ZodType {
  return decodedSchemas.get(schema) ?? schema;
}
