import { type ErrorCode, RosterError } from '@roster/api';
import { toRosterError } from '@roster/api/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { FastifyError } from 'fastify';
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
export function problemContent(
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
