import type { EventNotifier } from '@roster/api/server';
import { errorBody, statusOf } from '@roster/reso/error-body';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { CreateContext } from '../http/context.ts';
import { requireCaller, requireRight } from '../http/hooks/authentication.ts';
import { requireMediaType } from '../http/media-types.ts';
import { jsonType, sendError, toResponseError } from '../http/problem-details.ts';

export interface ResoOptions {
  createContext: CreateContext;
  notifier: EventNotifier;
  publicUrl: string | undefined;
}

const ROOT = '/reso';

/** Errors are the same in all versions of OData. */
const ERROR_VERSION = '4.01';

/** Loaded at the first request. */
const load = () => import('./send.ts');

/** Before the body is read: without the right you are not told what else is wrong with the request. */
const requireRightOfPath: onRequestHookHandler = function (request, reply, done) {
  const check = async () => {
    const { findPlace } = await load();
    return requireRight({ scope: findPlace(request, ROOT)?.scopeFor(request.method) });
  };
  check().then((require) => require.call(this, request, reply, done), done);
};

export function registerReso(
  scope: FastifyInstance,
  { createContext, notifier, publicUrl }: ResoOptions,
): void {
  void scope.register(async (reso) => {
    reso.setErrorHandler((thrown, request, reply) => {
      const error = toResponseError(thrown);
      if (!reply.hasHeader('OData-Version')) reply.header('OData-Version', ERROR_VERSION);
      reply.header('Content-Language', 'en');
      const body = JSON.stringify(errorBody(error, request.id));
      return sendError(request, reply, error, { status: statusOf(error), type: jsonType, body });
    });
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const { send } = await load();
      const url = publicUrl?.replace(/\/$/, '') ?? `${request.protocol}://${request.host}`;
      const options = { root: ROOT, url: url + ROOT, context: createContext(request), notifier };
      return send({ request, reply }, options);
    };
    reso.get(ROOT, { onRequest: requireCaller, handler });
    // Compressed once for all requests.
    reso.get(`${ROOT}/$metadata`, { onRequest: requireCaller, compress: false, handler });
    reso.get(`${ROOT}/*`, { onRequest: [requireCaller, requireRightOfPath], handler });
    const onRequest = [requireCaller, requireRightOfPath, requireMediaType];
    reso.route({ method: ['POST', 'PATCH', 'DELETE'], url: `${ROOT}/*`, onRequest, handler });
  });
}
