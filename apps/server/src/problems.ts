import { type Reason, RosterError } from '@roster/api';
import { refusalOf } from '@roster/api/hosting';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './query.ts';

/** What Fastify and Node refuse on their own, by status; everything else of theirs is `internal`. */
const reasonsOfStatus: Record<number, Reason> = {
  400: 'bad_request',
  404: 'no_such_route',
  408: 'request_timeout',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  431: 'headers_too_large',
};

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('FST_');
}

/** Anything thrown while a request was served, as the refusal its client sees. */
export function refusalOfThrown(error: unknown): RosterError {
  if (isFastifyError(error)) {
    const reason = reasonsOfStatus[error.statusCode ?? 500] ?? 'internal';
    return new RosterError(reason, reason === 'internal' ? undefined : `${error.message}.`, { cause: error });
  }
  return refusalOf(error);
}

/**
 * Sends a refusal as problem+json (RFC 9457); under /trpc in the envelope that RPC clients read, with the same
 * problem inside. The cause of an internal error goes to the log and nowhere else.
 */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: RosterError,
): FastifyReply {
  if (refusal.status === 500) {
    request.log.error({ reqId: request.id, err: refusal.cause ?? refusal }, 'internal error');
  }
  const instance = pathOf(request.url);
  const problem = refusal.problem({ instance, requestId: request.id });
  reply.code(refusal.status).header('Cache-Control', 'no-store');
  reply.headers(refusal.headers);
  if (instance.startsWith('/trpc/')) {
    const data = { code: refusal.code, httpStatus: refusal.status, problem };
    return reply
      .type('application/json')
      .send(JSON.stringify({ error: { message: refusal.message, code: -32603, data } }));
  }
  return reply.type('application/problem+json').send(JSON.stringify(problem));
}
