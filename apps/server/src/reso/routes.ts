import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { CreateContext } from '../context.ts';
import { requireMediaType } from '../http/media-types.ts';
import { toResponseError } from '../http/problem-details.ts';
import { pathOf } from '../http/query-string.ts';
import { requireCaller, requireRight } from '../plugins/authentication.ts';
import { sendODataError } from './error-response.ts';
import { ROOT, resourcePathOf, rightFor } from './paths.ts';

export interface ResoOptions {
  createContext: CreateContext;
  /** The URL at which clients reach the service; by default that of their request. */
  publicUrl: string | undefined;
}

/** Before the body is read: a caller without the right is not told what else is wrong with the request. */
const requireRightOfPath: onRequestHookHandler = function (request, reply, done) {
  const right = rightFor(request.method, resourcePathOf(pathOf(request.url)));
  const check = right.scope === undefined ? requireCaller : requireRight(right);
  check.call(this, request, reply, done);
};

/**
 * The RESO Web API (OData 4.01, JSON) at /reso. All that it needs besides these routes is loaded at the first request, so that it
 * costs nothing to a service without one.
 */
export function registerReso(scope: FastifyInstance, options: ResoOptions): void {
  void scope.register(async (reso) => {
    reso.setErrorHandler((error, request, reply) => sendODataError(request, reply, toResponseError(error)));
    const handler = (request: FastifyRequest, reply: FastifyReply) => respond(request, reply, options);
    reso.get(ROOT, { onRequest: requireCaller, handler });
    // It comes compressed: once for all requests.
    reso.get(`${ROOT}/$metadata`, { onRequest: requireCaller, compress: false, handler });
    reso.get(`${ROOT}/*`, { onRequest: requireRightOfPath, handler });
    const onRequest = [requireRightOfPath, requireMediaType];
    reso.route({ method: ['POST', 'PATCH', 'DELETE'], url: `${ROOT}/*`, onRequest, handler });
  });
}

async function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  { createContext, publicUrl }: ResoOptions,
): Promise<FastifyReply> {
  const path = resourcePathOf(pathOf(request.url));
  if (path === undefined)
    throw new RosterError('no_such_route', 'There is no such path of the RESO Web API.');
  const { send } = await import('./send.ts');
  const root = (publicUrl?.replace(/\/$/, '') ?? `${request.protocol}://${request.host}`) + ROOT;
  return send({ request, reply, path, root, context: createContext(request) });
}
