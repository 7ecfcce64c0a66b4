import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem, toResponseError } from '../http/problem-details.ts';
import { recordError } from '../observability/request-context.ts';

/** Answers a request with an error: in the log of the request, and to the client as a problem (RFC 9457). */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: RosterError): FastifyReply {
  recordError(request, error);
  if (error.status === 500) logInternalError(request, error);
  return sendProblem(request, reply, error);
}

/**
 * Logs the cause of an internal error. It is sent to no client, because it may hold values of a record or a request.
 */
export function logInternalError({ id, log }: Pick<FastifyRequest, 'id' | 'log'>, error: Error): void {
  log.error({ reqId: id, err: error.cause ?? error }, 'internal error');
}

/** Answers what is thrown while a request is handled, and requests without a route, as `sendError` does. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendError(request, reply, toResponseError(error)));
  app.setNotFoundHandler(() => {
    throw new RosterError('no_such_route');
  });
}
