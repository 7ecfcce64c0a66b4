import { generateOpenApiDocument } from 'trpc-to-openapi';
import type { z } from 'zod';
import { type ErrorCode, errorCodes } from '../errors/error-codes.ts';
import { Problem } from '../errors/roster-error.ts';
import { rpcOnly } from '../resources/schemas.ts';
import { appRouter } from '../root.ts';
import {
  headerComponents,
  headerParameters,
  headers,
  lastEventId,
  parameterComponents,
  requestId,
  responseHeaders,
} from './headers.ts';
import { type Operation, operations, type Stream, streams } from './operations.ts';
import { withIntegerFormats, withOpenAnswers } from './schemas.ts';

/** The version of the contract; the document carries it, and a break of it raises the major number. */
export const API_VERSION = '0.1.0';

type Json = Record<string, unknown>;
interface SchemaObject extends Json {
  properties?: Record<string, Json>;
  required?: string[];
}
interface Parameter extends Json {
  name: string;
  in: string;
  schema: Json;
}
/** The parts of an operation object this file rewrites. */
interface OperationObject extends Json {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: SchemaObject }> };
  responses: Record<string, Json>;
}
interface Document extends Json {
  info: Json;
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Json };
}

const introduction = `Roster is the directory of an organisation's offices, and of the agents who work in them.

Every operation is a typed procedure too (tRPC, at \`/trpc\`), under the name its \`operationId\` has here with a dot for
the hyphen. Every answer that is not a success is a problem document (RFC 9457); the reasons are listed at
[/docs/errors](/docs/errors). Send a key with every request: \`Authorization: Bearer rst_…\`.`;

const tags = [
  { name: 'Offices', description: 'The offices of the organisation (RESO Office)' },
  { name: 'Agents', description: 'The agents who work in them (RESO Member)' },
  { name: 'Imports', description: 'Many records at once' },
  { name: 'Events', description: 'The log of every change' },
  { name: 'Webhooks', description: 'Who is told of events, and what came of it' },
  { name: 'Keys', description: 'Who may call, and what for' },
];

const securitySchemes = {
  key: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'rst_ and 51 more characters',
    description: 'A key with the scope that the operation names',
  },
};

/** Reasons any operation may give. */
const shared: ErrorCode[] = [
  ...([
    'bad_request',
    'invalid_parameter',
    'unauthenticated',
    'insufficient_scope',
    'request_timeout',
  ] as const),
  ...([
    'uri_too_long',
    'rate_limited',
    'headers_too_large',
    'internal',
    'timeout',
    'overloaded',
    'unavailable',
  ] as const),
];
/** A DELETE reads no body, but one that comes with it is not taken unread. */
const ofUnreadable: ErrorCode[] = ['invalid_json', 'payload_too_large', 'unsupported_media_type'];

const headersOfStatus: Record<number, Json> = {
  401: { 'WWW-Authenticate': headers.WWWAuthenticate },
  403: { 'WWW-Authenticate': headers.WWWAuthenticate },
  412: { ETag: headers.ETag },
  429: { 'Retry-After': headers.RetryAfter },
  503: { 'Retry-After': headers.RetryAfter },
};

/** A conflict with something that is running and soon ends. */
const isInProgress = (code: ErrorCode) => code.endsWith('_in_progress');

/** Every status an operation may refuse with, and the reasons behind it. */
function refusalResponses({
  method,
  hasBody,
  errors,
}: Pick<Operation, 'method' | 'hasBody' | 'errors'>): Record<string, Json> {
  const ofBodies: ErrorCode[] = hasBody ? ['validation_failed'] : [];
  const all = [...shared, ...(method === 'GET' ? [] : ofUnreadable), ...ofBodies, ...errors];
  const byStatus = Map.groupBy(all, (code) => errorCodes[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      {
        description: group.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join(' '),
        headers: {
          ...responseHeaders,
          ...headersOfStatus[status],
          ...(group.some(isInProgress) && { 'Retry-After': headers.RetryAfter }),
        },
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

/** From a record that was created to everything that can be done with it. */
function linksOf({ procedure }: Operation): Json {
  const [noun] = procedure.split('.');
  const onOne = operations.filter(
    (other) =>
      other.procedure.startsWith(`${noun}.`) && other.pathParameters.includes('id') && other.method === 'GET',
  );
  return Object.fromEntries(
    onOne.map((other) => {
      const operationId = other.procedure.replace('.', '-');
      return [operationId, { operationId, parameters: { id: '$response.body#/id' } }];
    }),
  );
}

/** The answers of an operation that are no refusal. */
function successResponses(operation: Operation, { content }: Json): Record<string, Json> {
  const { method, status, isVersioned, isPage } = operation;
  const own = { ...responseHeaders, ...(isVersioned && { ETag: headers.ETag }) };
  if (status === 204)
    return { 204: { description: 'Done; there is nothing to say', headers: responseHeaders } };
  if (isPage) {
    return { 200: { description: 'One page', headers: { ...responseHeaders, Link: headers.Link }, content } };
  }
  const replayed = operation.isRepeatable && { 'Idempotency-Replayed': headers.IdempotencyReplayed };
  if (status === 201) {
    const created = { ...own, ...replayed, Location: headers.Location };
    return { 201: { description: 'Created', headers: created, content, links: linksOf(operation) } };
  }
  if (operation.isPartial) {
    const headers = { ...own, ...replayed };
    return {
      200: { description: 'What became of the records; none was refused', headers, content },
      207: { description: 'What became of the records; some were refused', headers, content },
    };
  }
  const success = { 200: { description: 'The record', headers: { ...own, ...replayed }, content } };
  if (method !== 'GET' || !isVersioned) return success;
  return { ...success, 304: { description: 'Unchanged since the version in If-None-Match', headers: own } };
}

/** A body as a schema with a name, without what REST says in headers. */
function namedBody(operation: Operation, { requestBody }: OperationObject, schemas: Json): Json {
  if (requestBody === undefined) return {};
  const { input } = operation;
  const [given] = Object.values(requestBody.content);
  if (given === undefined) return {};
  const properties = Object.fromEntries(
    Object.entries(given.schema.properties ?? {}).filter(([name]) => !rpcOnly.includes(name)),
  );
  if (Object.keys(properties).length === 0) return {};
  const { id: name = operation.procedure, description, example } = (input as z.ZodType).meta() ?? {};
  const { example: _, ...schema } = given.schema;
  schemas[name] = { ...schema, ...(description && { description }), properties };
  const content = Object.fromEntries(
    Object.keys(requestBody.content).map((type) => [
      type,
      { schema: { $ref: `#/components/schemas/${name}` }, ...(example !== undefined && { example }) },
    ]),
  );
  // A transition may be asked for without a body, unless it must be told something.
  const isNeeded = given.schema.required?.some((field) => field in properties) === true;
  return { requestBody: { required: isNeeded || operation.method !== 'PUT', content } };
}

/** The description of a parameter stands beside its schema, where tools look for it. */
function described(parameter: Parameter): Json {
  const { description, example, ...schema } = parameter.schema;
  return {
    ...parameter,
    ...(description !== undefined && { description }),
    // The example of an id is in records; sent, it would be that of no record.
    ...(example !== undefined && parameter.in !== 'path' && { example }),
    schema,
  };
}

function completed(operation: Operation, object: OperationObject, schemas: Json): Json {
  const { security: _, requestBody: __, ...rest } = object;
  const given = (object.parameters ?? []).filter(({ name }) => !rpcOnly.includes(name)).map(described);
  return {
    ...rest,
    description: `${object.description} Needs the scope \`${operation.scope}\`.`,
    // A bearer key has no scopes in OpenAPI's own words, so they stand beside it.
    security: [{ key: [] }],
    'x-required-scopes': [operation.scope],
    parameters: [...given, ...headerParameters(operation)],
    ...namedBody(operation, object, schemas),
    responses: {
      ...successResponses(operation, object.responses['200'] ?? {}),
      ...refusalResponses(operation),
    },
  };
}

/** A stream of server-sent events, which takes what its list takes but the size of a page. */
function streamed({ procedure, tags, summary, description, scope, errors, input }: Stream, list: Json): Json {
  const names = Object.keys((input as z.ZodObject).shape);
  const parameters = (list.parameters as Parameter[])
    .filter(({ name }) => names.includes(name))
    .map((parameter) =>
      parameter.name === 'after'
        ? { ...parameter, schema: { ...parameter.schema, default: 'latest' } }
        : parameter,
    );
  return {
    operationId: procedure.replace('.', '-'),
    summary,
    description: `${description} Needs the scope \`${scope}\`.`,
    tags,
    security: [{ key: [] }],
    'x-required-scopes': [scope],
    parameters: [...parameters, lastEventId, requestId],
    responses: {
      200: {
        description:
          'Events as they happen, until either side ends it; a comment every 15 s where there are none',
        headers: responseHeaders,
        content: {
          'text/event-stream': {
            schema: { type: 'string', description: 'Each `data` is an Event, each `id` where to go on' },
          },
        },
      },
      ...refusalResponses({ method: 'GET', hasBody: false, errors }),
    },
  };
}

/** Everything in the operations that describes what is sent to the service. */
function requestsOf(paths: Record<string, Json>): unknown {
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods as Record<string, Partial<OperationObject>>).map((operation) => [
      operation.parameters ?? [],
      operation.requestBody ?? {},
    ]),
  );
}

/**
 * The OpenAPI 3.1 document of the service at `baseUrl`: what trpc-to-openapi makes of the router, with the real
 * statuses, headers, scopes, names and problems, which it does not know.
 */
export function openApiDocument({ baseUrl }: { baseUrl: string }): Json {
  const document = generateOpenApiDocument(appRouter, {
    title: 'Roster',
    description: introduction,
    version: API_VERSION,
    baseUrl,
    defs: { Problem },
  }) as unknown as Document;
  // The error schemas of trpc-to-openapi describe bodies that are never sent: every refusal is a Problem.
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).filter(([name]) => !name.startsWith('error.')),
  );
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const method = operation.method.toLowerCase();
    const object = document.paths[operation.path]?.[method];
    if (object === undefined) throw new Error(`${operation.procedure} is not in the document`);
    paths[operation.path] = { ...paths[operation.path], [method]: completed(operation, object, schemas) };
  }
  for (const stream of streams) {
    const [noun] = stream.procedure.split('.');
    const list = paths[`/${noun}`]?.get as Json;
    paths[stream.path] = { get: streamed(stream, list) };
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
      schemas: withOpenAnswers(schemas, requestsOf(paths)),
      securitySchemes,
      headers: headerComponents,
      parameters: parameterComponents,
    },
  });
}
