import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { RosterError } from '@roster/api';
import type { FastifyInstance } from 'fastify';
import {
  contentError,
  handleExpectations,
  isWaitingToContinue,
  messageError,
} from '../http/connections/message-rules.ts';

export const URL_MAX_CHARACTERS = 10_000;

/** The id of a request: its X-Request-Id if that is safe to repeat in headers and logs, otherwise a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const { 'x-request-id': sent } = headers;
  return typeof sent === 'string' && /^[\w.:/+=-]{1,128}$/.test(sent) ? sent : randomUUID();
}

/**
 * The rules of every request: its id in the response, the checks of HTTP messages that Node leaves out, a bound on the
 * length of its URL, and the end of its connection while the server drains, from when `stopping` fires.
 */
export function registerLifecycle(app: FastifyInstance, stopping: AbortSignal): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  // Checked in onSend: a request that was already running when the server began to stop must close its connection too.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isClosing || stopping.aborted || isWaitingToContinue(request.raw))
      reply.header('Connection', 'close');
    done(null, payload);
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (request.url.length > URL_MAX_CHARACTERS) return done(new RosterError('uri_too_long'));
    const detail = messageError(request.raw, request.originalUrl) ?? contentError(request.raw);
    done(detail === undefined ? undefined : new RosterError('bad_request', detail));
  });
  handleExpectations(app.server);
}
