type Json = Record<string, unknown>;

const INT32_MAX = 2 ** 31 - 1;

function isType(schema: Json, type: string): boolean {
  return schema.type === type || (Array.isArray(schema.type) && schema.type.includes(type));
}

function mapped(value: unknown, change: (schema: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => {
    // An example is a value, not a schema.
    return [name, name === 'example' || name === 'examples' ? part : mapped(part, change)];
  });
  return change(Object.fromEntries(entries));
}

/** int32 if the bounds fit, else int64. */
export function withIntegerFormats<Part>(part: Part): Part {
  return mapped(part, (schema) => {
    if (!isType(schema, 'integer')) return schema;
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
    const isNarrow = Number(minimum) >= -INT32_MAX - 1 && Number(maximum) <= INT32_MAX;
    return { format: isNarrow ? 'int32' : 'int64', ...schema };
  }) as Part;
}

/** Clients that validate responses must accept fields of later versions. */
function opened(part: unknown): unknown {
  return mapped(part, (schema) => {
    const { additionalProperties, ...open } = schema;
    return additionalProperties === false ? open : schema;
  });
}

function namesIn(part: unknown): string[] {
  const references = JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  return Array.from(references, ([, name = '']) => name);
}

function reachedFrom(part: unknown, schemas: Json): Set<string> {
  const reached = new Set<string>();
  const queue = namesIn(part);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    queue.push(...namesIn(schemas[name]));
  }
  return reached;
}

/** Requests reject unknown fields, as misspelt. Throws if a schema with fields is used in both. */
export function withOpenResponses(schemas: Json, requests: unknown): Json {
  const ofRequests = reachedFrom(requests, schemas);
  const ofResponses = reachedFrom(
    Object.entries(schemas).filter(([name]) => !ofRequests.has(name)),
    schemas,
  );
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (!ofRequests.has(name)) return [name, opened(schema)];
      const isClosed = JSON.stringify(opened(schema)) !== JSON.stringify(schema);
      if (isClosed && ofResponses.has(name)) throw new Error(`${name} is used in requests and in responses`);
      return [name, schema];
    }),
  );
}
