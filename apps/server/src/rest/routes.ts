import { type FieldError, inHeaders, type Operation, operations, RosterError, rpcOnly } from '@roster/api';
import type { Context } from '@roster/api/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { payloadOf } from '../http/encode-body.ts';
import { matchingTag } from '../http/etag.ts';
import { demandMediaType } from '../http/media-types.ts';
import { parseQuery } from '../http/query-string.ts';
import { parseIfMatch } from '../http/request-headers.ts';
import { demandScope } from '../plugins/authentication.ts';
import { type OpenApiHandler, OpenApiRequest, OpenApiResponse } from './openapi-request-shim.ts';
import { openApiHandler } from './router.ts';

/** Rejects what trpc-to-openapi would drop without an error: parameters beside a body, and names it cannot carry. */
export function checkParameters(
  { hasBody }: Pick<Operation, 'hasBody'>,
  query: Record<string, string[]>,
): void {
  const unknownParameters = Object.keys(query).filter(
    (name) => hasBody || name === '__proto__' || rpcOnly.includes(name),
  );
  if (unknownParameters.length === 0) return;
  const errors: FieldError[] = unknownParameters.map((parameter) => ({
    parameter,
    code: 'unknown_parameter',
    detail: 'is not a parameter of this operation',
  }));
  const detail = `${unknownParameters.join(', ')}: not a parameter of this operation.`;
  throw new RosterError('invalid_parameter', detail, { errors });
}

/** The body of an operation that has one: an object, which never says again what the path says. */
function checkedBody({ hasBody, method, pathParameters }: Operation, body: unknown): object | undefined {
  if (method === 'PATCH' && body === undefined)
    throw new RosterError('invalid_json', 'A PATCH needs a body: a JSON Merge Patch (RFC 7396).');
  if (!hasBody) return undefined;
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const errors = [{ pointer: '#', code: 'invalid_type', detail: 'must be an object' }];
    throw new RosterError('validation_failed', 'The body must be a JSON object.', { errors });
  }
  refuseFields(body, pathParameters, { code: 'read_only', detail: 'is given by the path and never changes' });
  refuseFields(body, inHeaders, {
    code: 'unknown_field',
    detail: 'belongs to RPC; in REST the version goes into If-Match',
  });
  return body;
}

/** Refuses a body that has any of these fields of its own. */
function refuseFields(body: object, names: readonly string[], fault: { code: string; detail: string }): void {
  const present = names.filter((name) => Object.hasOwn(body, name));
  if (present.length === 0) return;
  const errors = present.map((name) => ({ pointer: `#/${name}`, ...fault }));
  throw new RosterError('validation_failed', `${present.join(', ')} ${fault.detail}.`, { errors });
}

/** The path of the operation with its parameters. An empty one, `.` or `..` would make it the path of another: the list. */
function operationPath({ path, pathParameters }: Operation, parameters: Record<string, string>): string {
  if (pathParameters.some((name) => /^\.{0,2}$/.test(parameters[name] ?? '')))
    throw new RosterError('no_such_route');
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
}

type Contexts = (request: FastifyRequest, options?: { acceptsRawJson: boolean }) => Context;

interface RestRoute {
  operation: Operation;
  handler: OpenApiHandler;
  contexts: Contexts;
}

/** Throws `version_conflict` where a reader asks for other versions than the one there is (RFC 9110, section 13.1.1). */
function checkIfMatch({ headers }: FastifyRequest, tag: string | undefined): void {
  if (headers['if-match'] === undefined || tag === undefined) return;
  const wanted = parseIfMatch(headers['if-match']);
  const currentVersion = Number(tag.slice(1, -1));
  if (wanted === undefined || wanted === 'any' || wanted.includes(currentVersion)) return;
  throw new RosterError('version_conflict', `The record has version ${currentVersion}.`, { currentVersion });
}

async function handleRequest(
  { operation, handler, contexts }: RestRoute,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const query = parseQuery(request.url);
  checkParameters(operation, query);
  const call = new OpenApiRequest({
    method: operation.method,
    path: operationPath(operation, request.params as Record<string, string>),
    query,
    body: checkedBody(operation, request.body),
    context: contexts(request, { acceptsRawJson: true }),
  });
  const answer = new OpenApiResponse();
  await handler.handle(call, answer);
  if (call.failure !== undefined) throw call.failure;
  if (answer.statusCode === 204) return reply.code(204).send();
  if (operation.method === 'GET') {
    checkIfMatch(request, answer.headers.ETag);
    const held = matchingTag(request.headers['if-none-match'], answer.headers.ETag);
    if (held !== undefined) {
      return reply.code(304).headers(answer.headers).header('ETag', held).removeHeader('Content-Type').send();
    }
  }
  const { rawJson } = call.context;
  return reply
    .code(answer.statusCode)
    .headers(answer.headers)
    .send(rawJson === undefined ? answer.body : payloadOf(rawJson.take()));
}

/** The documented paths: one route of Fastify for each operation. */
export function registerRest(app: FastifyInstance, contexts: Contexts): void {
  for (const operation of operations) {
    const route = { operation, handler: openApiHandler(operation), contexts };
    app.route({
      method: operation.method,
      ...(operation.bodyMaxBytes && { bodyLimit: operation.bodyMaxBytes }),
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { procedure: operation.procedure },
      // Before the body is read: who may not do this is not told what else would be wrong with it.
      onRequest: [demandScope(operation.scope), ...(operation.method === 'GET' ? [] : [demandMediaType])],
      handler: (request, reply) => handleRequest(route, request, reply),
    });
  }
}
