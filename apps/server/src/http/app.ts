import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerOptions } from 'node:http';
import { RosterError } from '@roster/api';
import type {
  Authenticator,
  Context,
  EventNotifier,
  ReadRouter,
  ResponseMeta,
  Sender,
  Services,
} from '@roster/api/server';
import { type Database, withDisconnectCheck } from '@roster/db';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Kysely } from 'kysely';
import { createLogger } from '../observability/logger.ts';
import { RejectionSampler } from '../observability/rejection-sampler.ts';
import { charge, identified, identifiedAnew, registerAccess } from '../plugins/authentication.ts';
import { Gate } from '../plugins/concurrency-limit.ts';
import { limitConnections } from '../plugins/connection-limit.ts';
import { registerConsistency } from '../plugins/consistency-token.ts';
import { registerDocs } from '../plugins/docs.ts';
import { registerEntryPage } from '../plugins/entry-page.ts';
import { registerHealth } from '../plugins/health.ts';
import { registerBodies } from '../plugins/json-body.ts';
import { registerUnrouted } from '../plugins/not-found.ts';
import { OutboundCalls } from '../plugins/outbound-call-limit.ts';
import { registerRejectionBackoff } from '../plugins/rejection-backoff.ts';
import { type BodyLimits, RequestBodies } from '../plugins/request-bodies.ts';
import {
  createOverloadLog,
  logUnrouted,
  type Observers,
  registerRequestLog,
} from '../plugins/request-log.ts';
import { registerManners } from '../plugins/response-headers.ts';
import { type UnreadLimits, UnreadResponses } from '../plugins/unread-responses.ts';
import type { RateLimiter } from '../rate-limit/limiter.ts';
import { registerRest } from '../rest/routes.ts';
import { registerRpc } from '../rpc/routes.ts';
import { registerEventStream } from '../streaming/sse.ts';
import { registerStreams, type StreamLimits } from '../streaming/stream-registry.ts';
import { registerDiscardedBodies } from './discarded-bodies.ts';
import type {} from './fastify-types.ts';
import { answerExpectations, faultOfMessage, isWaitingToContinue } from './message-rules.ts';
import { refusalOfThrown, sendProblem } from './problem-details.ts';
import { pathOf } from './query-string.ts';
import { parseFreshness, parseIdempotencyKey, parsePrecondition } from './request-headers.ts';
import { dropSilentConnections, refuseConnection, refuseTunnels } from './sockets.ts';

export interface AppOptions extends Observers {
  db: Kysely<Database>;
  /** The clock; tests pass their own. */
  now?: () => Date;
  /** The keys that may call. */
  keys: Authenticator;
  notifier: EventNotifier;
  /** Calls the receivers of webhooks. */
  sender: Sender;
  /** Decides which reads go to a replica; undefined if there is none. */
  readRouter?: ReadRouter | undefined;
  retentionDays: number;
  /** Webhooks there may be at most; 100 unless given. */
  webhooksMax?: number;
  /** How much each key, and each address without one, may ask; no limit unless given. */
  limiter?: RateLimiter | undefined;
  /** Requests served at once, above which more are refused; 200 unless given. */
  requestsMax?: number;
  /** Connections that are open at once; 2,500 unless given. */
  connectionsMax?: number;
  /** Whether a change must say which version it changes; not unless given. */
  isVersionRequired?: boolean;
  /** Whether the page of the operations is served at /docs; it is unless said otherwise. */
  isDocsPageServed?: boolean;
  /** Origins whose pages may call (CORS); none unless given. */
  corsOrigins?: string[];
  /** Proxies whose X-Forwarded-For is believed; none unless given. */
  trustedProxies?: string[];
  logLevel: string;
  /** Where it logs; to standard output, at `logLevel`, unless given. */
  log?: FastifyBaseLogger;
  /** Told of the application before anything is registered, so that its hooks see answers as they were made. */
  observe?: (app: FastifyInstance) => void;
  /** How long a request may take to arrive; tests pass less. */
  timeouts?: Timeouts;
  /** Fires when the server is about to stop: it is not ready any more, and its connections end with their answers. */
  stopping?: AbortSignal;
  /** Bounds on answers without an end; tests pass less. */
  streamLimits?: Partial<StreamLimits>;
  /** Bounds on request bodies; tests pass less. */
  bodyLimits?: Partial<BodyLimits>;
  /** Bounds on what clients leave unread; tests pass less. */
  unreadLimits?: Partial<UnreadLimits>;
}

interface Timeouts {
  headersMs: number;
  requestMs: number;
}

/** Enough to keep a database busy that is some milliseconds away, few enough to be answered soon. */
const REQUESTS_MAX = 200;
const WEBHOOKS_MAX = 100;
/** More than HAProxy opens to one server (`deploy/haproxy.cfg`). */
const CONNECTIONS_MAX = 2_500;
/** Longer than balancers keep a connection, so that it is they who end it, and never send a request into its end. */
const KEEP_ALIVE_MS = 72_000;
export const BODY_MAX_BYTES = 256 * 1024;
export const URL_MAX_CHARACTERS = 10_000;
export const TIMEOUTS: Timeouts = { headersMs: 10_000, requestMs: 30_000 };

/** The id a caller sent, where it is safe to repeat in headers and logs; else a new one. */
function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && /^[\w.:/+=-]{1,128}$/.test(sent) ? sent : randomUUID();
}

function nodeOptions({ headersMs, requestMs }: Timeouts): ServerOptions {
  return {
    requestTimeout: requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: headersMs,
    // Node looks for slow connections every 30 s unless told otherwise, which would make 40 s of these 10.
    connectionsCheckingInterval: headersMs / 10,
    // It would refuse a request without Host by itself, and not with a problem (registerLifecycle does).
    requireHostHeader: false,
  };
}

/** The whole HTTP side of the service over one database, not yet listening. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { db, keys, now = () => new Date(), retentionDays, logLevel, timeouts = TIMEOUTS } = options;
  const {
    limiter,
    isDocsPageServed = true,
    isVersionRequired = false,
    corsOrigins = [],
    trustedProxies = [],
  } = options;
  const { requestsMax = REQUESTS_MAX, stopping = new AbortController().signal, metrics, tracing } = options;
  const idOf = ({ headers }: Pick<IncomingMessage, 'headers'>) => requestId(headers['x-request-id']);
  const unread = new UnreadResponses(options.unreadLimits);
  const log = options.log ?? createLogger(logLevel);
  const sampler = new RejectionSampler(log);
  const onRejected = createOverloadLog({ log, sampler, metrics, trustedProxies });
  const gate = new Gate({ unread, requestsMax, idOf, corsOrigins, onRejected });
  const app = fastify({
    loggerInstance: log,
    // A logger for each request costs more than naming the request in the lines there are.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX_BYTES,
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    serverFactory: (serve) => gate.serverOf(nodeOptions(timeouts), serve),
    // A target with a scheme and a host (RFC 9112, section 3.2.2) is served as what follows them.
    rewriteUrl: ({ url = '/' }) => originForm(url),
    genReqId: idOf,
    // While it closes, what runs is finished; a request on an open connection is answered, and the connection ends.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: URL_MAX_CHARACTERS, querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply) => {
      reply.header('X-Request-Id', request.id);
      const refusal = refusalOfThrown(error);
      logUnrouted(request as FastifyRequest, refusal, metrics);
      sendProblem(request as FastifyRequest, reply as never, refusal);
    },
    clientErrorHandler: refuseConnection,
  });
  options.observe?.(app);
  gate.register(app);
  registerRequestLog(app, { metrics, tracing }, sampler);
  registerLifecycle(app, stopping);
  const isBehindProxies = trustedProxies.length > 0;
  limitConnections(app, { connectionsMax: options.connectionsMax ?? CONNECTIONS_MAX, isBehindProxies });
  const stopWatching = unread.watch(dropSilentConnections(app));
  app.addHook('onClose', async () => stopWatching());
  registerDiscardedBodies(app);
  registerRejectionBackoff(app, { isBehindProxies });
  refuseTunnels(app);
  await registerManners(app, { corsOrigins });
  const bodies = new RequestBodies(gate, options.bodyLimits);
  registerBodies(app, bodies);
  registerUnrouted(app);
  await app.register(async (scope) => {
    registerAccess(scope, { keys, limiter });
    const { notifier, sender, readRouter } = options;
    if (readRouter !== undefined) registerConsistency(scope);
    const instrument = tracing?.instrument;
    const { webhooksMax = WEBHOOKS_MAX } = options;
    const contexts = contextsOf({
      db,
      services: {
        ...{ now, notifier, sender, readRouter, instrument },
        ...{ retentionDays, webhooksMax, isVersionRequired },
      },
      outbound: new OutboundCalls(gate),
    });
    const held = registerStreams(scope, options.streamLimits);
    metrics?.watchStreams(held.count);
    registerRest(scope, contexts);
    registerRpc(scope, { contexts, held, bodies, unread, metrics });
    registerEventStream(scope, { contexts, held });
  });
  registerHealth(app, { db, stopping });
  registerEntryPage(app, { isPageServed: isDocsPageServed });
  registerDocs(app, { limiter, isPageServed: isDocsPageServed });
  return app;
}

/** The path and the query of a target; one that cannot be read stays as it is, for the router to refuse. */
function originForm(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  return target.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
}

interface ContextParts {
  db: Kysely<Database>;
  services: Services;
  outbound: OutboundCalls;
}

function responseMetaOf(request: FastifyRequest): ResponseMeta {
  const meta = { isReplayed: false };
  if (request.responseMeta === null) request.responseMeta = meta;
  return meta;
}

/** Creates the context of the procedures of one request, the same for REST and RPC. Headers are parsed when needed. */
function contextsOf({ db, services, outbound }: ContextParts) {
  return (request: FastifyRequest, { acceptsRawJson = false } = {}): Context => ({
    db: withDisconnectCheck(db, () => hasLeft(request), callerOf(request)),
    services,
    request: {
      id: request.id,
      path: pathOf(request.url),
      authenticate: async () => identified(request),
      reauthenticate: () => identifiedAnew(request),
      precondition: () => parsePrecondition(request.headers),
      idempotencyKey: () => parseIdempotencyKey(request.headers['idempotency-key']),
      freshness: () => parseFreshness(request.headers),
      acceptsRawJson,
      responseMeta: responseMetaOf(request),
      charge: (cost) => charge(request, cost),
      callOut: (call) => outbound.run(request.raw, call),
    },
  });
}

/** Whether the client has closed its connection, so that an answer would reach nobody. */
function hasLeft({ raw }: FastifyRequest): boolean {
  return raw.socket.destroyed;
}

/** Who is to have a share of the database's connections; undefined where nobody will read. */
function callerOf({ identity }: FastifyRequest): string | undefined {
  return identity !== null && 'caller' in identity ? identity.caller.keyId : undefined;
}

/** What holds for every request: its id on the answer, a bound on its URL, its refusals. */
function registerLifecycle(app: FastifyInstance, stopping: AbortSignal): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  // Not when the request comes: one that is being served when the order comes would leave its connection open.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isClosing || stopping.aborted || isWaitingToContinue(request.raw))
      reply.header('Connection', 'close');
    done(null, payload);
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    if (request.url.length > URL_MAX_CHARACTERS) return done(new RosterError('uri_too_long'));
    const fault = faultOfMessage(request.raw);
    done(fault === undefined ? undefined : new RosterError('bad_request', fault));
  });
  answerExpectations(app.server);
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, refusalOfThrown(error)));
  app.setNotFoundHandler(() => {
    throw new RosterError('no_such_route');
  });
}
