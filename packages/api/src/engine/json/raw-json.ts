import { z } from 'zod';

/** The parts of a result that become headers of an HTTP interface. */
interface ResultHeaders {
  /** The version of the record, for its ETag. */
  version?: number | undefined;
  /** The cursors of the next page and of the one before, for the Link header. */
  nextCursor?: string | undefined;
  prevCursor?: string | undefined;
}

/**
 * JSON as PostgreSQL encoded it. `Value` is what it decodes to. A query returns it instead of an object to an interface
 * that sends JSON (`acceptsRawJson` of the request): to decode a page, to check it against the schema and to encode it
 * again costs several times as much as the rest of the request. That the JSON matches the schema is ensured by how it is
 * written: by constraints of the columns and by functions of the database, whose output `record-json.test.ts` compares with the
 * schema.
 */
export class RawJson<Value = unknown> implements ResultHeaders {
  #parts: readonly string[] | undefined;
  declare readonly version?: number;
  declare readonly nextCursor?: string;
  declare readonly prevCursor?: string;

  /** `parts` are one JSON text, one after another. */
  constructor(parts: readonly string[], { version, nextCursor, prevCursor }: ResultHeaders = {}) {
    this.#parts = parts;
    if (version !== undefined) this.version = version;
    if (nextCursor !== undefined) this.nextCursor = nextCursor;
    if (prevCursor !== undefined) this.prevCursor = prevCursor;
  }

  /**
   * Gives the parts away, which can be done once. The promises that this object came through may keep it until the next
   * full garbage collection, and a page of records is not to live as long. Throws if they were taken before.
   */
  take(): readonly string[] {
    const parts = this.#parts;
    if (parts === undefined) throw new Error('this JSON was taken before');
    this.#parts = undefined;
    return parts;
  }

  /** The value, of new objects. Takes the parts. */
  decode(): Value {
    return JSON.parse(this.take().join(''));
  }

  /**
   * Throws: who accepts raw JSON sends its parts, and one that encodes it once more does not know what it has. The type
   * tells tRPC's clients, whose results are what `JSON.stringify` makes of the procedures', that they never get one.
   */
  toJSON(): never {
    throw new Error('raw JSON is sent as it is, and not encoded again');
  }
}

/** The JSON as it is if the interface that calls accepts it, decoded if not. */
export function rawIfAccepted<Value>(
  { request }: { request: { acceptsRawJson?: boolean | undefined } },
  json: RawJson<Value>,
): RawJson<Value> | Value {
  return request.acceptsRawJson ? json : json.decode();
}

const decodedSchemas = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * The output schema of a procedure that returns what matches `schema`, or JSON of it (`rawIfAccepted`), which is not
 * checked. In JSON Schema, and so in the OpenAPI document, it is `schema`.
 */
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

/** The schema that was given to `orRawJson`; any other schema is returned as it is. */
export function decodedSchema(schema: z.ZodType): z.ZodType {
  return decodedSchemas.get(schema) ?? schema;
}
