import { generateOpenApiDocument } from 'trpc-to-openapi';
import { Problem, type Reason, reasons } from './errors.ts';
import { type Operation, operations } from './operations.ts';
import { appRouter } from './router.ts';

/** The version of the contract; the document carries it, and a break of it raises the major number. */
export const API_VERSION = '0.1.0';

type Json = Record<string, unknown>;
/** The parts of an operation object this file rewrites. */
interface OperationObject extends Json {
  operationId: string;
  parameters?: { name: string; in: string; schema: Json; style?: string; explode?: boolean }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, Json>;
}

const introduction = `Roster is the directory of an organisation's offices, and of the agents who work in them.

Every operation is a typed procedure too (tRPC, at \`/trpc\`), under the name its \`operationId\` has here with a dot for
the hyphen. Every answer that is not a success is a problem document (RFC 9457); the reasons are listed at
[/docs/errors](/docs/errors).`;

const header = (description: string, example: string) => ({
  description,
  schema: { type: 'string' },
  example,
});

const responseHeaders = {
  'X-Request-Id': header('Names the request in our log: the one that was sent, or a new one', 'req-7f3a'),
};
const recordHeaders = {
  ...responseHeaders,
  ETag: header('The version of the record, for If-None-Match', '"3"'),
};

/** Reasons any operation may give. */
const shared: Reason[] = [
  'bad_request',
  'invalid_parameter',
  'uri_too_long',
  'headers_too_large',
  'internal',
  'timeout',
  'unavailable',
];
const ofBodies: Reason[] = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
];

/** Every status an operation may refuse with, and the reasons behind it. */
function refusalResponses({ hasBody, refusals }: Operation): Record<string, Json> {
  const all = [...shared, ...(hasBody ? ofBodies : []), ...refusals];
  const byStatus = Map.groupBy(all, (reason) => reasons[reason].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      {
        description: group.map((reason) => `\`${reason}\`: ${reasons[reason].title}.`).join(' '),
        headers: {
          ...responseHeaders,
          ...(status === 503 && { 'Retry-After': header('Seconds to wait before trying again', '1') }),
        },
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

/** The answers of an operation that are no refusal. */
function successResponses({ procedure, method, status }: Operation, given: Json): Record<string, Json> {
  if (status === 204)
    return { 204: { description: 'Done; there is nothing to say', headers: responseHeaders } };
  if (procedure.endsWith('.list')) {
    const link = header('The next page, where there is one (RFC 8288)', '</offices?cursor=…>; rel="next"');
    return { 200: { ...given, description: 'One page', headers: { ...responseHeaders, Link: link } } };
  }
  if (status === 201) {
    const location = header('Where the new record is', '/offices/01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11');
    return { 201: { ...given, description: 'Created', headers: { ...recordHeaders, Location: location } } };
  }
  const success = { 200: { ...given, description: 'The record', headers: recordHeaders } };
  if (method !== 'GET') return success;
  return {
    ...success,
    304: { description: 'Unchanged since the version in If-None-Match', headers: recordHeaders },
  };
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of a version you have: 304 where that is still the version',
  schema: { type: 'string' },
  example: '"3"',
};

function completed(operation: Operation, object: OperationObject): OperationObject {
  const { security: _, ...rest } = object;
  const parameters = [...(object.parameters ?? [])];
  if (operation.method === 'GET' && operation.pathParameters.length > 0) parameters.push(ifNoneMatch);
  return {
    ...rest,
    ...(parameters.length > 0 && { parameters }),
    ...(object.requestBody && {
      // A transition may be asked for without a body.
      requestBody: { ...object.requestBody, required: operation.method !== 'PUT' },
    }),
    responses: {
      ...successResponses(operation, object.responses['200'] ?? {}),
      ...refusalResponses(operation),
    },
  };
}

/**
 * The OpenAPI 3.1 document of the service at `baseUrl`: what trpc-to-openapi makes of the router, with the real
 * statuses, headers and problems, which it does not know.
 */
export function openApiDocument({ baseUrl }: { baseUrl: string }): Json {
  const document = generateOpenApiDocument(appRouter, {
    title: 'Roster',
    description: introduction,
    version: API_VERSION,
    baseUrl,
    defs: { Problem },
  }) as unknown as { paths: Record<string, Record<string, OperationObject>>; components: { schemas: Json } };
  const paths: Json = {};
  for (const operation of operations) {
    const method = operation.method.toLowerCase();
    const object = document.paths[operation.path]?.[method];
    if (object === undefined) throw new Error(`${operation.procedure} is not in the document`);
    paths[operation.path] = { ...(paths[operation.path] as Json), [method]: completed(operation, object) };
  }
  // The error schemas of trpc-to-openapi describe bodies that are never sent: every refusal is a Problem.
  const schemas = Object.entries(document.components.schemas).filter(([name]) => !name.startsWith('error.'));
  return {
    ...document,
    tags: [{ name: 'Offices' }, { name: 'Agents' }],
    paths,
    components: { schemas: Object.fromEntries(schemas) },
  };
}
