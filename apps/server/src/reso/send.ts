import type { Caller, Context } from '@roster/api/server';
import { parseQueryOptions } from '@roster/odata';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseQuery } from '../http/query-string.ts';
import { parsePrecondition } from '../http/request-headers.ts';
import { JSON_TYPE, type ResoAnswer, type ResoCall } from './call.ts';
import { optionError, parsing } from './errors.ts';
import { answerCall, metadata } from './handler.ts';
import { skipTokenOf } from './next-link.ts';
import type { ResourcePath } from './paths.ts';
import { preferencesOf, versionOf } from './preferences.ts';

/** A request with what its route knows of it. */
export interface RoutedRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  context: Context;
  path: ResourcePath;
  root: string;
}

/** For how long a client may keep the metadata without asking again: it changes with the next release alone. */
const METADATA_CACHE = 'private, max-age=300, must-revalidate';

/** Answers a request of the RESO Web API. */
export async function send({ request, reply, context, path, root }: RoutedRequest): Promise<FastifyReply> {
  reply.header('OData-Version', versionOf(request.headers));
  const parameters = parseQuery(request.url);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (path.kind === 'metadata' && isRead) {
    checkMetadataOptions(parameters);
    return metadata.send(request, reply, METADATA_CACHE);
  }
  // A link to a next page has the time of the first: `now()` is the same for all pages.
  const token = parameters.$skiptoken?.[0] ?? parameters.skiptoken?.[0];
  const now = skipTokenOf(token)?.now ?? new Date();
  const caller = await context.request.authenticate();
  const options = parsing(() => parseQueryOptions(parameters, { now }));
  const preferences = preferencesOf(request.headers, request.method);
  const call = {
    request,
    reply,
    context: contextOf(context, caller, request),
    options,
    preferences,
    root,
    now,
  };
  return sendAnswer(reply, await answerCall(call, path), isRead);
}

/** The context of a call: its entity tags are weak, so If-Match compares them weakly. */
function contextOf(context: Context, caller: Caller, { headers }: FastifyRequest): ResoCall['context'] {
  const precondition = () => parsePrecondition(headers, { isWeak: true });
  return { ...context, caller, request: { ...context.request, precondition } };
}

function sendAnswer(reply: FastifyReply, answer: ResoAnswer, isRead: boolean): FastifyReply {
  const { status = 200, body, type = JSON_TYPE, headers = {} } = answer;
  // A cache may keep it for its own caller, and asks each time whether it still holds.
  reply
    .code(status)
    .header('Cache-Control', isRead ? 'private, no-cache' : 'no-store')
    .headers(headers);
  if (body === undefined) return reply.send();
  return reply.type(type).send(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Throws `invalid_parameter` for any option of the metadata but a `$format` that is XML. */
function checkMetadataOptions(parameters: Record<string, string[]>): void {
  for (const [name, [value = '']] of Object.entries(parameters)) {
    if (!/^\$?format$/i.test(name))
      throw optionError(name.slice(0, 100), 'not_supported', 'is not an option of the metadata');
    if (!/^(?:xml|application\/xml)$/i.test(value))
      throw optionError('$format', 'not_supported', 'must be xml');
  }
}
