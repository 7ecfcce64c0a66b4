import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { RosterError } from '@roster/api';
import type { Context } from '@roster/api/hosting';
import type { Database } from '@roster/db';
import fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import type { Kysely } from 'kysely';
import { registerDocs } from './docs.ts';
import { registerHealth } from './health.ts';
import { refusalOfThrown, sendProblem } from './problems.ts';
import { registerRest } from './rest.ts';
import { registerUnrouted } from './routes.ts';
import { registerRpc } from './rpc.ts';

export interface AppOptions {
  db: Kysely<Database>;
  /** The clock; tests pass their own. */
  now?: () => Date;
  retentionDays: number;
  logLevel: string;
  /** How long a request may take to arrive; tests pass less. */
  timeouts?: Timeouts;
}

interface Timeouts {
  headersMs: number;
  requestMs: number;
}

const BODY_MAX_BYTES = 256 * 1024;
const URL_MAX_CHARACTERS = 10_000;
const TIMEOUTS: Timeouts = { headersMs: 10_000, requestMs: 30_000 };

/** The id a caller sent, where it is safe to repeat in headers and logs; else a new one. */
function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && /^[\w.:/+=-]{1,128}$/.test(sent) ? sent : randomUUID();
}

/** The whole HTTP side of the service over one database, not yet listening. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { db, now = () => new Date(), retentionDays, logLevel, timeouts = TIMEOUTS } = options;
  const app = fastify({
    logger: { level: logLevel },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: timeouts.requestMs,
    // Node looks for slow connections every 30 s unless told otherwise, which would make 40 s of these 10.
    http: { headersTimeout: timeouts.headersMs, connectionsCheckingInterval: timeouts.headersMs / 10 },
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    // While it closes, what runs is finished; a request on an open connection is answered, and the connection ends.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: URL_MAX_CHARACTERS, querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply) => {
      reply.header('X-Request-Id', request.id);
      sendProblem(request as FastifyRequest, reply as never, refusalOfThrown(error));
    },
    clientErrorHandler: refuseConnection,
  });
  registerLifecycle(app);
  registerBodies(app);
  registerUnrouted(app);
  const contexts = (request: FastifyRequest): Context => ({
    db,
    now,
    retentionDays,
    requestId: request.id,
    instance: request.url.split('?', 1)[0] ?? '/',
  });
  registerRest(app, contexts);
  registerRpc(app, contexts);
  registerHealth(app, db);
  await registerDocs(app);
  return app;
}

/** What holds for every request: its id on the answer and in the log, a bound on its URL, its refusals. */
function registerLifecycle(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    if (isClosing) reply.header('Connection', 'close');
    if (request.url.length > URL_MAX_CHARACTERS) throw new RosterError('uri_too_long');
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, url } = request;
    const durationMs = Math.round(reply.elapsedTime * 10) / 10;
    // The path without the query: a search may hold a person's name.
    request.log.info({ method, path: url.split('?', 1)[0], status: reply.statusCode, durationMs }, 'request');
  });
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, refusalOfThrown(error)));
  app.setNotFoundHandler(() => {
    throw new RosterError('no_such_route');
  });
}

/** JSON bodies, as UTF-8 and nothing else; an empty one is none at all. */
function registerBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    (request, bytes: Buffer, done) => {
      if (bytes.length === 0) return done(null, undefined);
      try {
        void parseJson(request, utf8.decode(bytes), (error, body) => {
          if (error === null) return done(null, body);
          done(new RosterError('invalid_json', `${error.message}.`, { cause: error }));
        });
      } catch (cause) {
        done(new RosterError('invalid_json', 'The body is not UTF-8.', { cause }));
      }
    },
  );
}

/** Answers what never became a request, and closes the connection. */
function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const reason =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headers_too_large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request_timeout'
        : 'bad_request';
  const refusal = new RosterError(reason);
  const id = randomUUID();
  const body = JSON.stringify(refusal.problem({ instance: '/', requestId: id }));
  const head = [
    `HTTP/1.1 ${refusal.status} ${refusal.problem({ instance: '/', requestId: id }).title}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
