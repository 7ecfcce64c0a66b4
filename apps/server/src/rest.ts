import { type FieldError, type Operation, operations, RosterError, rpcOnly } from '@roster/api';
import { appRouter, type Context } from '@roster/api/hosting';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createOpenApiNodeHttpHandler } from 'trpc-to-openapi';
import { demandScope } from './access.ts';
import { isUnchanged, recordTag } from './etag.ts';
import { LightReply, LightRequest, type RestContext } from './light-request.ts';
import { refusalOfThrown } from './problems.ts';
import { parseQuery } from './query.ts';

const operationOf = new Map(operations.map((operation) => [operation.procedure, operation]));

/** trpc-to-openapi maps the request to its procedure; routing, parsing and refusing are done before and after. */
const handle = createOpenApiNodeHttpHandler({
  router: appRouter,
  createContext: ({ req }) => (req as unknown as LightRequest).context,
  responseMeta: ({ ctx, data: [data], paths: [procedure] = [], errors }) =>
    errors.length > 0 ? {} : successOf(procedure ?? '', data, ctx as RestContext),
  onError: ({ error, req }) => {
    (req as unknown as LightRequest).failure = refusalOfThrown(error);
  },
});

/** Status and headers of a success, from what the procedure answered. */
function successOf(procedure: string, data: unknown, { request, answer }: RestContext) {
  const operation = operationOf.get(procedure);
  // A cache may keep it for its own caller, and asks each time whether it still holds.
  const cacheControl = operation?.method === 'GET' ? 'private, no-cache' : 'no-store';
  const headers: Record<string, string> = { 'Cache-Control': cacheControl };
  if (answer.isReplayed) headers['Idempotency-Replayed'] = 'true';
  if (typeof data === 'object' && data !== null) {
    if ('version' in data) headers.ETag = recordTag(Number(data.version));
    if (operation?.status === 201 && 'id' in data) headers.Location = `${operation.path}/${data.id}`;
    if ('nextCursor' in data && data.nextCursor !== undefined) {
      headers.Link = `<${nextPage(request, String(data.nextCursor))}>; rel="next"`;
    }
  }
  const isPartial = operation?.isPartial === true && (data as { refused: number }).refused > 0;
  return { status: isPartial ? 207 : (operation?.status ?? 200), headers };
}

/** The list again, from where the page ends. */
function nextPage({ url, query }: LightRequest, cursor: string): string {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    if (name !== 'cursor') for (const value of values) parameters.append(name, value);
  }
  parameters.append('cursor', cursor);
  return `${url}?${parameters}`;
}

/** Refuses what the adapter would drop without a word: parameters beside a body, and names it cannot carry. */
export function checkParameters(
  { hasBody }: Pick<Operation, 'hasBody'>,
  query: Record<string, string[]>,
): void {
  const strangers = Object.keys(query).filter(
    (name) => hasBody || name === '__proto__' || rpcOnly.includes(name),
  );
  if (strangers.length === 0) return;
  const errors: FieldError[] = strangers.map((parameter) => ({
    parameter,
    code: 'unknown_parameter',
    detail: 'is not a parameter of this operation',
  }));
  const detail = `${strangers.join(', ')}: not a parameter of this operation.`;
  throw new RosterError('invalid_parameter', detail, { errors });
}

/** A body is one object, and never says again what the path says. */
function checkedBody({ hasBody, pathParameters }: Operation, body: unknown): object {
  if (!hasBody || body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const errors = [{ pointer: '#', code: 'invalid_type', detail: 'must be an object' }];
    throw new RosterError('validation_failed', 'The body must be a JSON object.', { errors });
  }
  refuseFields(body, pathParameters, { code: 'read_only', detail: 'is given by the path and never changes' });
  refuseFields(body, rpcOnly, {
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
function pathOf({ path, pathParameters }: Operation, parameters: Record<string, string>): string {
  if (pathParameters.some((name) => /^\.{0,2}$/.test(parameters[name] ?? '')))
    throw new RosterError('no_such_route');
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
}

type Contexts = (request: FastifyRequest) => Context;

async function serve(operation: Operation, contexts: Contexts, request: FastifyRequest, reply: FastifyReply) {
  const query = parseQuery(request.url);
  checkParameters(operation, query);
  const light = new LightRequest({
    method: operation.method,
    url: pathOf(operation, request.params as Record<string, string>),
    query,
    body: checkedBody(operation, request.body),
    context: contexts(request),
  });
  const answer = new LightReply();
  await handle(light.forHandler(), answer.forHandler());
  if (light.failure !== undefined) throw light.failure;
  if (answer.statusCode === 204) return reply.code(204).send();
  const isRead = operation.method === 'GET';
  if (isRead && isUnchanged(request.headers['if-none-match'], answer.headers.ETag)) {
    return reply.code(304).headers(answer.headers).removeHeader('Content-Type').send();
  }
  return reply.code(answer.statusCode).headers(answer.headers).send(answer.body);
}

/** The documented paths: one route of Fastify for each operation. */
export function registerRest(app: FastifyInstance, contexts: Contexts): void {
  for (const operation of operations) {
    app.route({
      method: operation.method,
      ...(operation.bodyMaxBytes && { bodyLimit: operation.bodyMaxBytes }),
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { procedure: operation.procedure },
      // Before the body is read: who may not do this is not told what else would be wrong with it.
      onRequest: demandScope(operation.scope),
      handler: (request, reply) => serve(operation, contexts, request, reply),
    });
  }
}
