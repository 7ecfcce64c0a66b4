import { RosterError } from '@roster/api';
import { queryFields } from '@roster/api/query';
import type { EventNotifier } from '@roster/api/server';
import { chooseVersion, createReso, type ResoPlace, type ResoResponse } from '@roster/reso';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CachedDocument } from '../http/cached-document.ts';
import { parseQuery } from '../http/query-string.ts';
import { pathOf } from '../observability/request-path.ts';
import type { ServerContext } from '../procedures.ts';
import { createService } from './service.ts';

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
