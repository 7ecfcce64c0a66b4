import { type ErrorCode, RosterError } from '@roster/api';
import { toRosterError } from '@roster/api/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { recordError } from '../observability/request-context.ts';
import { pathOf } from '../observability/request-path.ts';
import { isProcedure } from '../procedures.ts';

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

export const problemType = 'application/problem+json; charset=utf-8';
export const jsonType = 'application/json; charset=utf-8';

export function toResponseError(error: unknown): RosterError {
  if (!isFastifyError(error)) return toRosterError(error);
  const code = codesByStatus[error.statusCode ?? 500] ?? 'internal';
  return new RosterError(code, code === 'internal' ? undefined : `${error.message}.`, { cause: error });
}

/** A rejected RPC batch gets one envelope, as from tRPC itself: its clients apply it to every call. */
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

interface ErrorContent {
  status?: number;
  type: string;
  body: string;
}

/** Sends a problem (RFC 9457), or the form in which an interface writes errors, and notes it in the log line. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: RosterError,
  content?: ErrorContent,
): FastifyReply {
  noteError(request, error);
  const origin = { instance: pathOf(request.url), requestId: request.id };
  const { status = error.status, type, body }: ErrorContent = content ?? problemContent(error, origin);
  // Fastify would close the connection at once. `lifecycle.ts` lets the client read the response first.
  if (reply.raw.shouldKeepAlive && reply.hasHeader('Connection')) reply.removeHeader('Connection');
  return reply.code(status).header('Cache-Control', 'no-store').headers(error.headers).type(type).send(body);
}

export function noteError(request: FastifyRequest, error: RosterError, procedure?: string): void {
  recordError(request, error, procedure);
  if (error.status === 500) logInternalError(request, error);
}

/** For the log alone: a cause may hold values of a record or a request. */
export function logInternalError({ id, log }: Pick<FastifyRequest, 'id' | 'log'>, error: Error): void {
  log.error({ reqId: id, err: error.cause ?? error }, 'internal error');
}

export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendError(request, reply, toResponseError(error)));
  app.setNotFoundHandler(() => {
    throw new RosterError('no_such_route');
  });
}
