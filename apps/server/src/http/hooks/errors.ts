import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '../../observability/path-of.ts';
import { recordError } from '../../observability/request-context.ts';
import { problemContent, toResponseError } from '../problem-details.ts';

/** The content of the response to an error, which never has its cause. */
interface ErrorContent {
  status?: number;
  type: string;
  body: string;
}

/**
 * Responds to a request with an error: in the log of the request, and to the client as a problem (RFC 9457), unless its interface writes
 * errors in another form.
 */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: RosterError,
  content?: ErrorContent,
): FastifyReply {
  noteError(request, error);
  const origin = { instance: pathOf(request.url), requestId: request.id };
  const { status = error.status, type, body }: ErrorContent = content ?? problemContent(error, origin);
  // Fastify closes the connection after an error in a body, which may reset it before the client has read the response. Node reads
  // the rest of the body and discards it, for as long as a request may take.
  if (reply.hasHeader('Connection')) reply.removeHeader('Connection');
  return reply.code(status).header('Cache-Control', 'no-store').headers(error.headers).type(type).send(body);
}

/** Takes note of an error with which a request, or a call of it, is answered: in its line of the log, and an internal one with its cause. */
export function noteError(request: FastifyRequest, error: RosterError, procedure?: string): void {
  recordError(request, error, procedure);
  if (error.status === 500) logInternalError(request, error);
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
