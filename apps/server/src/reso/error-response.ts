import type { ErrorCode, FieldError, RosterError } from '@roster/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordError } from '../observability/request-context.ts';
import { logInternalError } from '../plugins/errors.ts';

/** The version of OData in which errors are written, which is the same in all. */
const VERSION = '4.01';

/** The errors of a payload: the standard answers them with 400, where the other interfaces answer 422 (RESO RCP-10). */
const payloadErrors: readonly ErrorCode[] = ['validation_failed', 'reference_not_found'];

const statusOf = ({ errorCode, status }: RosterError) => (payloadErrors.includes(errorCode) ? 400 : status);

/** Answers a request with an error, as OData writes it (JSON format, section 21; RESO RCP-10). */
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
    .send(bodyOf(request, error));
}

function bodyOf({ id }: FastifyRequest, error: RosterError): string {
  const { errorCode, message, errors = [], currentVersion, dependents } = error;
  return JSON.stringify({
    error: {
      code: errorCode,
      message,
      details: errors.map(detailOf),
      innererror: {
        requestId: id,
        ...(currentVersion !== undefined && { currentVersion }),
        ...(dependents && { dependents }),
      },
    },
  });
}

function detailOf({ code, detail, parameter, pointer }: FieldError) {
  return { code, target: parameter ?? pointer ?? '', message: detail };
}
