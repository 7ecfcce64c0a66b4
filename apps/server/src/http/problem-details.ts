import { type ErrorCode, RosterError } from '@roster/api';
import { toRosterError } from '@roster/api/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { recordError } from '../observability/request-context.ts';
import { pathOf } from '../observability/request-path.ts';
import { isProcedure } from '../procedures.ts';

/** The error codes of what Fastify and Node.js reject, by status; their other errors are `internal`. */
const codesByStatus: Record<number, ErrorCode> = {
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

/** The media type of problems. */
export const problemType = 'application/problem+json; charset=utf-8';
/** The media type of JSON, as Fastify writes it. */
export const jsonType = 'application/json; charset=utf-8';

/** The error that a client gets for what was thrown while its request was handled, also by Fastify. */
export function toResponseError(error: unknown): RosterError {
  if (!isFastifyError(error)) return toRosterError(error);
  const code = codesByStatus[error.statusCode ?? 500] ?? 'internal';
  return new RosterError(code, code === 'internal' ? undefined : `${error.message}.`, { cause: error });
}

/**
 * The body of an error response and its media type; under /trpc in the envelope of tRPC. A batch that is rejected as a
 * whole gets one envelope, as from tRPC itself: its clients apply it to every call.
 */
function problemContent(
  error: RosterError,
  request: { instance: string; requestId: string },
): { type: string; body: string } {
  const problem = error.problem(request);
  if (!request.instance.startsWith('/trpc/')) {
    return { type: problemType, body: JSON.stringify(problem) };
  }
  const path = request.instance.slice('/trpc/'.length);
  const data = {
    code: error.code,
    httpStatus: error.status,
    ...(isProcedure(path) && { path }),
    problem,
  };
  const envelope = { message: error.message, code: TRPC_ERROR_CODES_BY_KEY[error.code], data };
  return { type: jsonType, body: JSON.stringify({ error: envelope }) };
}

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
