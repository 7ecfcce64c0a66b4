import { type ErrorCode, RosterError } from '@roster/api';
import { toRosterError } from '@roster/api/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { recordError } from '../observability/request-context.ts';
import { isProcedure } from '../procedures.ts';
import { pathOf } from './query-string.ts';

/** What Fastify and Node refuse on their own, by status; everything else of theirs is `internal`. */
const reasonsOfStatus: Record<number, ErrorCode> = {
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

/** The media type of every problem. */
export const problemType = 'application/problem+json; charset=utf-8';
/** The media type of JSON, as Fastify writes it where it adds it itself. */
export const jsonType = 'application/json; charset=utf-8';

/** Anything thrown while a request was served, as the refusal its client sees. */
export function refusalOfThrown(error: unknown): RosterError {
  if (isFastifyError(error)) {
    const reason = reasonsOfStatus[error.statusCode ?? 500] ?? 'internal';
    return new RosterError(reason, reason === 'internal' ? undefined : `${error.message}.`, { cause: error });
  }
  return toRosterError(error);
}

/**
 * Sends a refusal as problem+json (RFC 9457). The cause of an internal error goes to the log and nowhere else.
 */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: RosterError,
): FastifyReply {
  recordError(request, refusal.errorCode);
  if (refusal.status === 500) {
    request.log.error({ reqId: request.id, err: refusal.cause ?? refusal }, 'internal error');
  }
  const instance = pathOf(request.url);
  const { type, body } = problemContent(refusal, { instance, requestId: request.id });
  // Fastify closes the connection after any fault of a body; that is needed only where the rest of it is still to come.
  if (request.raw.complete && reply.hasHeader('Connection')) reply.removeHeader('Connection');
  reply.code(refusal.status).header('Cache-Control', 'no-store');
  return reply.headers(refusal.headers).type(type).send(body);
}

/**
 * The body of a refusal and its media type, for one request; under /trpc in the envelope that RPC clients read. A batch
 * that is refused as a whole gets one envelope, as tRPC itself does: its clients give it to every call.
 */
export function problemContent(
  refusal: RosterError,
  request: { instance: string; requestId: string },
): { type: string; body: string } {
  const problem = refusal.problem(request);
  if (!request.instance.startsWith('/trpc/')) {
    return { type: problemType, body: JSON.stringify(problem) };
  }
  const path = request.instance.slice('/trpc/'.length);
  const data = {
    code: refusal.code,
    httpStatus: refusal.status,
    ...(isProcedure(path) && { path }),
    problem,
  };
  const error = { message: refusal.message, code: TRPC_ERROR_CODES_BY_KEY[refusal.code], data };
  return { type: jsonType, body: JSON.stringify({ error }) };
}
