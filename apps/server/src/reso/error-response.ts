import type { RosterError } from '@roster/api';
import { errorBody, statusOf } from '@roster/reso/error-body';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordError } from '../observability/request-context.ts';
import { logInternalError } from '../plugins/errors.ts';

/** The version of OData in which errors are written, which is the same in all. */
const VERSION = '4.01';

/** Answers a request with an error, as OData writes it. */
export function sendODataError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: RosterError,
): FastifyReply {
  recordError(request, error);
  if (error.status === 500) logInternalError(request, error);
  // Fastify closes the connection after every error in a body; that is needed only if the rest of it is still to come.
  if (request.raw.complete && reply.hasHeader('Connection')) reply.removeHeader('Connection');
  reply.code(statusOf(error)).headers(error.headers).header('Cache-Control', 'no-store');
  if (!reply.hasHeader('OData-Version')) reply.header('OData-Version', VERSION);
  return reply
    .type('application/json; charset=utf-8')
    .header('Content-Language', 'en')
    .send(JSON.stringify(errorBody(error, request.id)));
}
