import { type FieldError, inHeaders, type Operation, operations, RosterError, rpcOnly } from '@roster/api';
import { appRouter, type Context, RawJson } from '@roster/api/hosting';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createOpenApiNodeHttpHandler } from 'trpc-to-openapi';
import { z } from 'zod';
import { demandScope } from './access.ts';
import { matchingTag, recordTag } from './etag.ts';
import { LightReply, LightRequest, type RestContext } from './light-request.ts';
import { demandMediaType } from './media-types.ts';
import { payloadOf } from './payload.ts';
import { parseIfMatch } from './preconditions.ts';
import { jsonType, refusalOfThrown } from './problems.ts';
import { callProcedure, procedures } from './procedure-calls.ts';
import { parseQuery } from './query.ts';

/**
 * The router as trpc-to-openapi sees it for one operation: a single procedure, so that none has to be sought for, whose
 * input is its path parameters alone. The adapter walks over an input, and writes into its schema, at every request; the
 * procedure checks its input all the same, and text that is to be sent goes around the adapter's own writing of JSON.
 */
function viewOf({ procedure: path, pathParameters, type }: Operation) {
  const procedure = procedures.get(path);
  if (procedure === undefined) throw new Error(`there is no procedure ${path}`);
  const parameters = z.object(Object.fromEntries(pathParameters.map((name) => [name, z.string()])));
  const seen = { ...procedure, _def: { ...procedure._def, inputs: [parameters] } };
  const answered = async (input: unknown, context: RestContext) => {
    const { signal, answer } = context.request;
    const data = await callProcedure({ path, procedure, type, input }, { context, signal });
    if (!(data instanceof RawJson)) return data;
    answer.text = data;
    return undefined;
  };
  return {
    _def: { ...appRouter._def, procedures: { call: seen } },
    createCaller: (context: RestContext) => ({ call: (input: unknown) => answered(input, context) }),
  } as unknown as typeof appRouter;
}

/** trpc-to-openapi maps the request to its procedure; routing, parsing and refusing are done before and after. */
function handlerOf(operation: Operation) {
  return createOpenApiNodeHttpHandler({
    router: viewOf(operation),
    createContext: ({ req }) => (req as unknown as LightRequest).context,
    responseMeta: ({ ctx, data: [data], errors }) =>
      errors.length > 0 ? {} : successOf(operation, data, (ctx as RestContext).request),
    onError: ({ error, req }) => {
      (req as unknown as LightRequest).failure = refusalOfThrown(error);
    },
  });
}

/** Status and headers of a success, from what the procedure answered. */
function successOf(operation: Operation, data: unknown, request: LightRequest) {
  // A cache may keep it for its own caller, and asks each time whether it still holds.
  const cacheControl = operation.method === 'GET' ? 'private, no-cache' : 'no-store';
  const headers: Record<string, string> = { 'Cache-Control': cacheControl, 'Content-Type': jsonType };
  if (request.context.answer.isReplayed) headers['Idempotency-Replayed'] = 'true';
  const shown: unknown = request.answer.text ?? data;
  if (typeof shown === 'object' && shown !== null) {
    if ('version' in shown) headers.ETag = recordTag(Number(shown.version));
    if (operation.status === 201 && 'id' in shown) headers.Location = `${operation.path}/${shown.id}`;
    if ('nextCursor' in shown && shown.nextCursor !== undefined) {
      headers.Link = `<${nextPage(request, String(shown.nextCursor))}>; rel="next"`;
    }
  }
  const isPartial = operation.isPartial && (data as { refused: number }).refused > 0;
  return { status: isPartial ? 207 : operation.status, headers };
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
function checkedBody({ hasBody, method, pathParameters }: Operation, body: unknown): object {
  if (method === 'PATCH' && body === undefined)
    throw new RosterError('invalid_json', 'A PATCH needs a body: a JSON Merge Patch (RFC 7396).');
  if (!hasBody || body === undefined) return {};
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
function pathOf({ path, pathParameters }: Operation, parameters: Record<string, string>): string {
  if (pathParameters.some((name) => /^\.{0,2}$/.test(parameters[name] ?? '')))
    throw new RosterError('no_such_route');
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
}

type Contexts = (request: FastifyRequest) => Context;
type Handle = ReturnType<typeof handlerOf>;

interface Serving {
  operation: Operation;
  handle: Handle;
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

async function serve({ operation, handle, contexts }: Serving, request: FastifyRequest, reply: FastifyReply) {
  const query = parseQuery(request.url);
  checkParameters(operation, query);
  const answer = new LightReply();
  const light = new LightRequest({
    method: operation.method,
    url: pathOf(operation, request.params as Record<string, string>),
    query,
    body: checkedBody(operation, request.body),
    context: contexts(request),
    answer,
  });
  await handle(light.forHandler(), answer.forHandler());
  if (light.failure !== undefined) throw light.failure;
  if (answer.statusCode === 204) return reply.code(204).send();
  if (operation.method === 'GET') {
    checkIfMatch(request, answer.headers.ETag);
    const held = matchingTag(request.headers['if-none-match'], answer.headers.ETag);
    if (held !== undefined) {
      return reply.code(304).headers(answer.headers).header('ETag', held).removeHeader('Content-Type').send();
    }
  }
  return reply
    .code(answer.statusCode)
    .headers(answer.headers)
    .send(answer.text === undefined ? answer.body : payloadOf(answer.text.take()));
}

/** The documented paths: one route of Fastify for each operation. */
export function registerRest(app: FastifyInstance, contexts: Contexts): void {
  for (const operation of operations) {
    const serving = { operation, handle: handlerOf(operation), contexts };
    app.route({
      method: operation.method,
      ...(operation.bodyMaxBytes && { bodyLimit: operation.bodyMaxBytes }),
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { procedure: operation.procedure },
      // Before the body is read: who may not do this is not told what else would be wrong with it.
      onRequest: [demandScope(operation.scope), ...(operation.method === 'GET' ? [] : [demandMediaType])],
      handler: (request, reply) => serve(serving, request, reply),
    });
  }
}
