/** What the schemas of the OpenAPI document say beyond those of the router. */

type Json = Record<string, unknown>;

const INT32_MAX = 2 ** 31 - 1;

function isType(schema: Json, type: string): boolean {
  return schema.type === type || (Array.isArray(schema.type) && schema.type.includes(type));
}

/** The schema with every part of it changed, the innermost first. */
function mapped(value: unknown, change: (schema: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => {
    // An example is a value, whatever it looks like.
    return [name, name === 'example' || name === 'examples' ? part : mapped(part, change)];
  });
  return change(Object.fromEntries(entries));
}

/** Integers say how wide they are: int32 where their bounds fit into it, int64 where nothing narrower is promised. */
export function withIntegerFormats<Part>(part: Part): Part {
  return mapped(part, (schema) => {
    if (!isType(schema, 'integer')) return schema;
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
    const isNarrow = Number(minimum) >= -INT32_MAX - 1 && Number(maximum) <= INT32_MAX;
    return { format: isNarrow ? 'int32' : 'int64', ...schema };
  }) as Part;
}

/** A later version may answer more fields: a client that validates answers must not break on one it does not know. */
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

/** The names of all schemas that some part of the document refers to, directly or by others. */
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

/**
 * The schemas of answers, which take fields they do not name; those of requests do not, so that a misspelt field is
 * refused. Throws for a schema with fields that is one of both.
 */
export function withOpenAnswers(schemas: Json, requests: unknown): Json {
  const ofRequests = reachedFrom(requests, schemas);
  const ofAnswers = reachedFrom(
    Object.entries(schemas).filter(([name]) => !ofRequests.has(name)),
    schemas,
  );
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (!ofRequests.has(name)) return [name, opened(schema)];
      const isClosed = JSON.stringify(opened(schema)) !== JSON.stringify(schema);
      if (isClosed && ofAnswers.has(name)) throw new Error(`${name} is in requests and in answers`);
      return [name, schema];
    }),
  );
}
