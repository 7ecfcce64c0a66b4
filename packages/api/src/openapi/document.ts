import { generateOpenApiDocument } from 'trpc-to-openapi';
import { definitions, namesText } from '../directory/registry.ts';
import { forms, notBlank } from '../engine/fields/field.ts';
import { Problem } from '../errors/roster-error.ts';
import { describedRouter } from '../router.ts';
import { headerComponents, parameterComponents } from './headers.ts';
import { type OperationObject, operationObject, readsStream, streamObject } from './operation-objects.ts';
import { API_VERSION, operations, streams } from './operations.ts';
import { responseComponents } from './responses.ts';

export { decodedSchema } from '../engine/json/raw-json.ts';
export { type Definition, procedures } from './operations.ts';

type Json = Record<string, unknown>;
interface Document extends Json {
  info: Json;
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Json };
}

const introduction = `Roster is a directory service for real estate: one source of truth for an organisation's ${namesText}.

Send an API key with every request: \`Authorization: Bearer rst_…\`. Error responses are problem documents (RFC 9457); see
[/docs/errors](/docs/errors) for all error codes. Every operation is also a tRPC procedure at \`/trpc\`; its name is the
\`operationId\` with a dot instead of the hyphen.`;

const tags = [
  ...definitions.map(({ texts: { title, description } }) => ({ name: title, description })),
  { name: 'Imports', description: 'Import files, or many records in one request' },
  { name: 'Jobs', description: 'Bulk changes that run in the background' },
  { name: 'Events', description: 'Log of all changes' },
  { name: 'Deleted records', description: 'Deleted records that can be restored' },
  {
    name: 'Scheduled changes',
    description: 'Deactivations, reactivations and transfers scheduled for later',
  },
  { name: 'Stats', description: 'Counts for the whole directory' },
  { name: 'Webhooks', description: 'URLs that receive events, and their deliveries' },
  { name: 'Keys', description: 'API keys and their scopes' },
  { name: 'People', description: 'People with access, and their roles' },
  { name: 'Invitations', description: 'Links with which people set up their first passkey' },
  { name: 'Passkeys', description: 'Passkeys with which people sign in if there is no identity provider' },
  { name: 'Settings', description: 'Settings of the whole directory' },
  { name: 'Views', description: 'Saved views of lists, private and shared' },
  { name: 'Sessions', description: 'Sign-ins of people and keys, and your own access' },
];

const securitySchemes = {
  key: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'rst_ and 51 more characters',
    description: 'API key with the scopes the operation requires',
  },
};

function requestParts(paths: Record<string, Record<string, Json>>): unknown {
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ parameters, requestBody }) => [parameters ?? [], requestBody ?? {}]),
  );
}

export interface DocumentOptions {
  baseUrl: string;
  isPlainHttpAllowed?: boolean;
}

/** Completes trpc-to-openapi's document by statuses, headers, scopes, named schemas and problems. */
export function openApiDocument({ baseUrl, isPlainHttpAllowed = false }: DocumentOptions): Json {
  const generated = generateOpenApiDocument(describedRouter, {
    title: 'Roster',
    description: introduction,
    version: API_VERSION,
    baseUrl,
    defs: { Problem },
  });
  const document: Document = JSON.parse(JSON.stringify(generated), (name, value) =>
    isPlainHttpAllowed && name === 'pattern' && value === forms.httpsUrl ? notBlank : value,
  );
  // trpc-to-openapi's error schemas are never sent: errors are Problems.
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).filter(([name]) => !name.startsWith('error.')),
  );
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const method = operation.method.toLowerCase();
    const object = document.paths[operation.path]?.[method];
    if (object === undefined) throw new Error(`${operation.procedure} is not in the document`);
    const completed = operationObject(operation, object, schemas);
    paths[operation.path] = { ...paths[operation.path], [method]: completed };
  }
  for (const stream of streams) {
    const [resource] = stream.procedure.split('.');
    const list = paths[`/${resource}`]?.get?.parameters;
    paths[stream.path] = { get: streamObject(stream, Array.isArray(list) ? list : []) };
  }
  return withIntegerFormats({
    ...document,
    info: {
      ...document.info,
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    security: [{ key: [] }],
    tags,
    paths,
    components: {
      schemas: withOpenResponses(schemas, requestParts(paths)),
      securitySchemes,
      responses: responseComponents([
        ...operations,
        ...streams.map(({ errors }) => ({ ...readsStream, errors })),
      ]),
      headers: headerComponents,
      parameters: parameterComponents,
    },
  });
}

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
function withIntegerFormats<Part>(part: Part): Part {
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
