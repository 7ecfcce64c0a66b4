import type { EventNotifier } from '@roster/api/server';
import { errorBody, statusOf } from '@roster/reso/error-body';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { CreateContext } from '../context.ts';
import { requireMediaType } from '../http/media-types.ts';
import { jsonType, toResponseError } from '../http/problem-details.ts';
import { requireCaller, requireRight } from '../plugins/authentication.ts';
import { sendError } from '../plugins/errors.ts';

export interface ResoOptions {
  createContext: CreateContext;
  /** Tells of new events. */
  notifier: EventNotifier;
  /** The URL at which clients reach the service; by default that of their request. */
  publicUrl: string | undefined;
}

/** The path of the service root. */
const ROOT = '/reso';

/** The version of OData in which errors are written, which is the same in all. */
const ERROR_VERSION = '4.01';

/** Loads what answers the requests: at the first one, so that it costs nothing to a service without any. */
const load = () => import('./send.ts');

/** Before the body is read: a caller without the right is not told what else is wrong with the request. */
const requireRightOfPath: onRequestHookHandler = function (request, reply, done) {
  const check = async () => {
    const { findPlace } = await load();
    return requireRight({ scope: findPlace(request, ROOT)?.scopeFor(request.method) });
  };
  check().then((require) => require.call(this, request, reply, done), done);
};

/** The RESO Web API (OData 4.01, JSON) at /reso. */
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
    // It comes compressed: once for all requests.
    reso.get(`${ROOT}/$metadata`, { onRequest: requireCaller, compress: false, handler });
    reso.get(`${ROOT}/*`, { onRequest: [requireCaller, requireRightOfPath], handler });
    const onRequest = [requireCaller, requireRightOfPath, requireMediaType];
    reso.route({ method: ['POST', 'PATCH', 'DELETE'], url: `${ROOT}/*`, onRequest, handler });
  });
}
