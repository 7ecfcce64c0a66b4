import type { IncomingHttpHeaders } from 'node:http';
import { RosterError } from '@roster/api';
import { findFieldTexts, queryEntries, queryFields, queryRecords, waitForPositions } from '@roster/api/query';
import { type EventNotifier, ofVersion, toRosterError } from '@roster/api/server';
import {
  chooseVersion,
  createReso,
  type ResoPlace,
  type ResoResponse,
  type Row,
  type Service,
} from '@roster/reso';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CachedDocument } from '../http/cached-document.ts';
import { parseQuery } from '../http/query-string.ts';
import { parsePrecondition } from '../http/request-headers.ts';
import { pathOf } from '../observability/request-path.ts';
import { callProcedure, type ServerContext } from '../procedures.ts';

const reso = createReso({ fieldTypes: queryFields });

const metadata = new CachedDocument(reso.readMetadata({ query: {} }), 'application/xml; charset=utf-8');

/** Changes only with a release. */
const METADATA_CACHE = 'private, max-age=300, must-revalidate';

const JSON_TYPE = 'application/json;odata.metadata=minimal;IEEE754Compatible=false;charset=utf-8';

export function findPlace({ url }: FastifyRequest, root: string): ResoPlace | undefined {
  return reso.find(pathOf(url).slice(root.length));
}

interface SendOptions {
  root: string;
  url: string;
  context: ServerContext;
  notifier: EventNotifier;
}

export async function send(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { root, url, context, notifier }: SendOptions,
): Promise<FastifyReply> {
  const { method, headers, body, raw } = request;
  const place = findPlace(request, root);
  if (place === undefined)
    throw new RosterError('no_such_route', 'There is no such path of the RESO Web API.');
  reply.header('OData-Version', chooseVersion(headers));
  const query = parseQuery(request.url);
  if (!place.methods.includes(method)) reply.header('Allow', place.allow);
  else if (place.isMetadata) {
    reso.readMetadata({ query });
    return metadata.send(request, reply, METADATA_CACHE);
  }
  const isAbandoned = () => raw.destroyed;
  const service = await createService(context, headers, notifier);
  const response = await place.respond({ method, root: url, query, headers, body, isAbandoned }, service);
  return sendResponse(reply, response, method === 'GET' || method === 'HEAD');
}

function sendResponse(reply: FastifyReply, response: ResoResponse, isRead: boolean): FastifyReply {
  const { status = 200, body, type = JSON_TYPE, headers = {} } = response;
  // A browser may keep it for its own user, and checks each time whether it still holds.
  reply
    .code(status)
    .header('Cache-Control', isRead ? 'private, no-cache' : 'no-store')
    .headers(headers);
  if (body === undefined) return reply.send();
  return reply.type(type).send(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Entity tags of the Web API are weak. Rejects with `unauthenticated`. */
async function createService(
  context: ServerContext,
  headers: IncomingHttpHeaders,
  notifier: EventNotifier,
): Promise<Service> {
  const caller = await context.request.authenticate();
  const precondition = () => parsePrecondition(headers, { isWeak: true });
  const request = { ...context.request, precondition };
  const call = { ...context, caller, request };
  const { responseMeta } = request;
  return {
    findRecords: (query) => queryRecords(call, query),
    findFieldTexts: (query) => findFieldTexts(call, query),
    findEvents: (query) => queryEntries(call, query),
    waitForEvents: (timeoutMs) => waitForPositions(call.db, { notifier, timeoutMs }),
    query: (path, input) => run(call, { path, type: 'query', input }),
    mutate: async (path, input, { version } = {}) => {
      const named = version === undefined ? request : { ...request, precondition: () => ofVersion(version) };
      const record = await run({ ...call, request: named }, { path, type: 'mutation', input });
      return { record, isReplayed: responseMeta.isReplayed === true };
    },
    charge: request.charge,
    hasScope: (scope) => caller.grants.some(({ scopes }) => scopes.includes(scope)),
    isVersionRequired: request.isVersionRequired,
  };
}

async function run(
  context: ServerContext,
  call: { path: string; type: 'query' | 'mutation'; input: object },
) {
  try {
    return (await callProcedure(call, { context })) as Row;
  } catch (thrown) {
    throw toRosterError(thrown);
  }
}
