import type { Readable } from 'node:stream';
import { inHeaders, type Operation, operations, RosterError } from '@roster/api';
import { checkVersion, RawJson, type ServiceRouter } from '@roster/api/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '../../observability/request-path.ts';
import { callProcedure } from '../../procedures.ts';
import type { CreateContext } from '../context.ts';
import { requireRight } from '../hooks/authentication.ts';
import { jsonBody } from '../json-body.ts';
import { bytesOf, type FileUploads } from '../limits/file-uploads.ts';
import { fileTypeOf, requireFileType, requireMediaType } from '../media-types.ts';
import { parseQuery, rejectUnknownParameters, singleValues } from '../query-string.ts';
import { parseIfMatch } from '../request-headers.ts';
import { type FindProcedure, procedureFinders } from './find-procedure.ts';
import { successOf } from './success.ts';

type PathParameters = Record<string, string>;

/** A record that was read may be sent back with its id. */
function withoutOwnId(body: object, parameters: PathParameters): object {
  const isOwn = ([name, value]: [string, unknown]) =>
    Object.hasOwn(parameters, name) &&
    typeof value === 'string' &&
    value.toLowerCase() === parameters[name]?.toLowerCase();
  return Object.fromEntries(Object.entries(body).filter((entry) => !isOwn(entry)));
}

/** An ID of a different record is named with the other read-only fields, once the record is read. */
function takeForeignId(
  { takesReadFields }: Operation,
  { body, params }: FastifyRequest,
  context: ReturnType<CreateContext>,
): unknown {
  if (!takesReadFields || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const others = withoutOwnId(body, params as PathParameters);
  if (!Object.hasOwn(others, 'id')) return others;
  context.request.hasForeignId = true;
  return Object.fromEntries(Object.entries(others).filter(([name]) => name !== 'id'));
}

function checkBody(
  { hasBody, method, pathParameters }: Operation,
  given: unknown,
  parameters: PathParameters,
): object | undefined {
  const isPatch = method === 'PATCH' && typeof given === 'object' && given !== null && !Array.isArray(given);
  const body = isPatch ? withoutOwnId(given, parameters) : given;
  if (method === 'PATCH' && body === undefined)
    throw new RosterError('invalid_json', 'A PATCH needs a body: a JSON Merge Patch (RFC 7396).');
  if (!hasBody) {
    if (body === undefined || isEmptyObject(body)) return undefined;
    throw new RosterError('bad_request', `A ${method} here has no body.`);
  }
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const errors = [{ pointer: '#', code: 'invalid_type', detail: 'must be an object' }];
    throw new RosterError('validation_failed', 'The body must be a JSON object.', { errors });
  }
  rejectFields(body, pathParameters, { code: 'read_only', detail: 'is given by the path and never changes' });
  rejectFields(body, inHeaders, {
    code: 'unknown_field',
    detail: 'belongs to RPC; in REST the version goes into If-Match',
  });
  return body;
}

/** Some clients send `{}` in place of no body. */
function isEmptyObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
}

function rejectFields(
  body: object,
  names: readonly string[],
  problem: { code: string; detail: string },
): void {
  const present = names.filter((name) => Object.hasOwn(body, name));
  if (present.length === 0) return;
  const errors = present.map((name) => ({ pointer: `#/${name}`, ...problem }));
  throw new RosterError('validation_failed', `${present.join(', ')} ${problem.detail}.`, { errors });
}

/** An empty parameter, `.` or `..` would make it the path of another operation. */
function checkPath({ path, pathParameters }: Operation, parameters: PathParameters): void {
  const isLost = (name: string) => ['', '.', '..'].includes(parameters[name] ?? '');
  const lost = pathParameters.find(isLost);
  if (lost === undefined) return;
  const above = path.slice(0, path.indexOf(`/{${lost}}`));
  throw new RosterError(
    'no_such_route',
    `There is nothing at ${above}/ without an ID. Did you mean ${above}?`,
  );
}

interface RestRoute {
  operation: Operation;
  findProcedure: FindProcedure;
  createContext: CreateContext;
}

/** Throws `version_conflict` (RFC 9110, section 13.1.1). */
function checkIfMatch({ headers }: FastifyRequest, tag: string | undefined): void {
  if (headers['if-match'] === undefined || tag === undefined) return;
  checkVersion({ version: Number(tag.slice(1, -1)) }, parseIfMatch(headers['if-match']));
}

/** Redirects a GET of a merged record. No client may keep the redirect: a merge can be undone. */
function sendFailure(
  { method, path: template }: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  failure: unknown,
) {
  const mergedInto = failure instanceof RosterError ? failure.mergedInto : undefined;
  if (mergedInto === undefined || method !== 'GET') throw failure;
  const [path = '', query] = request.url.split('?', 2);
  const place = path.split('/').with(template.split('/').indexOf('{id}'), mergedInto).join('/');
  const location = query === undefined ? place : `${place}?${query}`;
  return reply.code(301).headers({ Location: location, 'Cache-Control': 'no-store' }).send();
}

async function handleRequest(
  { operation, findProcedure, createContext }: RestRoute,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const path = pathOf(request.url);
  const query = parseQuery(request.url);
  rejectUnknownParameters(query, operation);
  const context = createContext(request, { acceptsRawJson: true });
  if (operation.fileTypes !== undefined)
    context.request.upload = {
      bytes: bytesOf(request.body as Readable | undefined),
      ...fileTypeOf(request.headers),
    };
  const parameters = request.params as PathParameters;
  checkPath(operation, parameters);
  const body =
    operation.fileTypes === undefined
      ? checkBody(operation, takeForeignId(operation, request, context), parameters)
      : undefined;
  const found = findProcedure(operation.method, path);
  if (found?.procedure === undefined) throw new RosterError('no_such_route');
  const input = { ...(body ?? singleValues(query)), ...found.pathInput };
  let data: unknown;
  try {
    data = await callProcedure({ ...found.procedure, input }, { context });
  } catch (error) {
    return sendFailure(operation, request, reply, error);
  }
  if (operation.status === 204) return reply.code(204).send();
  const { status, headers } = successOf(operation, data, { context, path, query });
  if (operation.method === 'GET') checkIfMatch(request, headers.etag);
  return reply
    .code(status)
    .headers(headers)
    .send(data instanceof RawJson ? jsonBody(data.take()) : JSON.stringify(data));
}

export function registerRest(
  app: FastifyInstance,
  {
    createContext,
    router,
    uploads,
  }: { createContext: CreateContext; router: ServiceRouter; uploads: FileUploads },
): void {
  const finders = procedureFinders(router);
  for (const operation of operations) {
    const { method, path, procedure, bodyMaxBytes, fileTypes } = operation;
    const findProcedure = finders.get(procedure);
    if (findProcedure === undefined) throw new Error(`no procedure ${procedure}`);
    const route = { operation, findProcedure, createContext };
    const shared = {
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { procedure },
      handler: (request: FastifyRequest, reply: FastifyReply) => handleRequest(route, request, reply),
    };
    // Before the body is read: without the scope you are not told what else is wrong with the request.
    const mayCall = requireRight(operation);
    if (fileTypes === undefined) {
      const onRequest = method === 'GET' ? [mayCall] : [mayCall, requireMediaType];
      app.route({ ...shared, ...(bodyMaxBytes && { bodyLimit: bodyMaxBytes }), onRequest });
      continue;
    }
    void app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser([...fileTypes], (_, payload, done) => done(null, payload));
      scope.route({
        ...shared,
        onRequest: [mayCall, requireFileType(fileTypes)],
        handler: (request, reply) => uploads.run(request, () => shared.handler(request, reply)),
      });
    });
  }
}
