import { openApiDocument } from '@roster/api/openapi';
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';

/** A response of the server, before it is compressed. */
interface Result {
  method: string;
  /** The path of the document, `/offices/{id}`; undefined if no route matches. */
  path: string | undefined;
  status: number;
  headers: Record<string, unknown>;
  body: string;
  /** Whether more is read than the record. */
  isExpanded: boolean;
}

interface ResponseObject {
  headers?: Record<string, unknown>;
  content?: Record<string, unknown>;
}
type Responses = Record<string, ResponseObject | { $ref: string }>;
interface Document {
  paths: Record<string, Record<string, { responses: Responses }>>;
  components: { responses: Record<string, ResponseObject> };
}

/** The schema with every object closed that names its fields: the document leaves responses open to fields of later versions. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  const schema = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]));
  const isObject = schema.type === 'object' && 'properties' in schema;
  return isObject && !('additionalProperties' in schema)
    ? { ...schema, additionalProperties: false }
    : schema;
}

const document = closed(openApiDocument({ baseUrl: '/' })) as Document;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
// The two international formats, which the library leaves out.
ajv.addFormat('idn-email', /^[^\s@]+@[^\s@]+$/u);
ajv.addFormat('iri', { type: 'string', validate: (text: string) => URL.canParse(text) });
// Two annotations of our own.
ajv.addFormat('phone', true);
ajv.addFormat('country', true);
ajv.addSchema(document as AnySchema, 'openapi.json');
const validators = new Map<string, ValidateFunction>();

/** Headers of the contract: none of them may be sent if the document does not name it for the response. */
const meaningful = [
  'etag',
  'location',
  'link',
  'retry-after',
  'www-authenticate',
  'idempotency-replayed',
  'consistency-token',
];

function escaped(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

function faultsOfBody(pointer: string, body: string): string[] {
  let validate = validators.get(pointer);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `openapi.json#${pointer}` });
    validators.set(pointer, validate);
  }
  if (validate(JSON.parse(body))) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath || 'the body'} ${message}`,
  );
}

function mediaTypeOf({ headers }: Result): string {
  return String(headers['content-type'] ?? '').split(';', 1)[0] ?? '';
}

/** An error outside the documented operations is a problem too. */
function faultsOfProblem(result: Result): string[] {
  if (result.status < 400) return [];
  // Someone whose browser has gone there reads a page.
  const isPage = result.path?.startsWith('/sign-in') && mediaTypeOf(result) === 'text/html';
  if (isPage) return [];
  // OData has a form of errors of its own, which the tests of that interface hold.
  if (result.path?.startsWith('/reso')) return [];
  if (mediaTypeOf(result) !== 'application/problem+json') return [`is ${mediaTypeOf(result)}, not a problem`];
  return result.body === '' ? [] : faultsOfBody('/components/schemas/Problem', result.body);
}

/** A response of the document, wherever it stands, and the pointer to it. */
function resolved(
  given: ResponseObject | { $ref: string } | undefined,
  pointer: string,
): [ResponseObject | undefined, string] {
  if (given === undefined || !('$ref' in given)) return [given, pointer];
  return [document.components.responses[given.$ref.split('/').at(-1) ?? ''], given.$ref.slice(1)];
}

function faultsOfOperation(result: Result, responses: Responses, operation: string): string[] {
  const [response, pointer] = resolved(
    responses[String(result.status)],
    `${operation}/responses/${result.status}`,
  );
  if (response === undefined) return [`has the undocumented status ${result.status}`];
  const named = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
  const faults = meaningful
    .filter((name) => name in result.headers && !named.includes(name))
    .map((name) => `has the undocumented header ${name}`);
  // The counts of an office change without a new version.
  const isTagged = named.includes('etag') && !result.isExpanded;
  const isTagMissing = result.status < 400 && isTagged && !('etag' in result.headers);
  if (isTagMissing) faults.push('lacks its ETag');
  const types = Object.keys(response.content ?? {});
  if (types.length === 0) return result.body === '' ? faults : [...faults, 'has an undocumented body'];
  const type = mediaTypeOf(result);
  if (!types.includes(type)) return [...faults, `has the undocumented type ${type}`];
  if (result.body === '') return faults;
  const schema = `${pointer}/content/${escaped(type)}/schema`;
  return [...faults, ...faultsOfBody(schema, result.body)];
}

function faultsOf(result: Result): string[] {
  const method = result.method === 'HEAD' ? 'get' : result.method.toLowerCase();
  const operation = result.path === undefined ? undefined : document.paths[result.path]?.[method];
  if (operation === undefined) return faultsOfProblem(result);
  const pointer = `/paths/${escaped(result.path ?? '')}/${method}`;
  return faultsOfOperation(result, operation.responses, pointer);
}

/**
 * Checks every REST response of a server against the OpenAPI document. Returns the list that collects what does not
 * conform; the test server fails its test for anything in it.
 */
export function watchContract(app: FastifyInstance): string[] {
  const violations: string[] = [];
  app.addHook('onSend', async (request, reply, payload) => {
    const path = request.is404 ? undefined : request.routeOptions.url?.replaceAll(/:(\w+)/g, '{$1}');
    // Responses of /mcp are in its own protocol.
    if (path === '/mcp') return;
    if (path?.startsWith('/trpc') || request.url.startsWith('/trpc')) return;
    const body = typeof payload === 'string' ? payload : '';
    const result = {
      method: request.method,
      path,
      status: reply.statusCode,
      headers: reply.getHeaders(),
      body,
      isExpanded: request.url.includes('expand='),
    };
    violations.push(
      ...faultsOf(result).map((fault) => `${request.method} ${request.url}: ${reply.statusCode} ${fault}`),
    );
  });
  return violations;
}
