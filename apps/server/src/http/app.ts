import type { ServerOptions } from 'node:http';
import type {
  Authenticator,
  DenialLog,
  EventNotifier,
  ReadRouter,
  ReadStatus,
  Sender,
} from '@roster/api/server';
import type { Database } from '@roster/db';
import type { McpServerFactory } from '@roster/mcp';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Kysely } from 'kysely';
import type { Config } from '../config/config.ts';
import { contextFactory } from '../context.ts';
import { registerMcp } from '../mcp/routes.ts';
import { createLogger, type ServerLogger } from '../observability/logger.ts';
import { RejectionSampler } from '../observability/rejection-sampler.ts';
import { claimedSession, registerAuthentication } from '../plugins/authentication.ts';
import { registerCompression } from '../plugins/compression.ts';
import { ConcurrencyLimit } from '../plugins/concurrency-limit.ts';
import { limitConnections } from '../plugins/connection-limit.ts';
import { registerConsistencyToken } from '../plugins/consistency-token.ts';
import { builtConsole, isConsoleBuilt, registerConsole } from '../plugins/console.ts';
import { registerCors } from '../plugins/cors.ts';
import { registerDocs } from '../plugins/docs.ts';
import { registerEntryPage } from '../plugins/entry-page.ts';
import { registerErrorHandler, sendError } from '../plugins/errors.ts';
import { registerHealth } from '../plugins/health.ts';
import { registerJsonBodies } from '../plugins/json-body.ts';
import { registerLifecycle, requestIdOf, URL_MAX_CHARACTERS } from '../plugins/lifecycle.ts';
import { registerNotFound } from '../plugins/not-found.ts';
import { registerNotModified } from '../plugins/not-modified.ts';
import { OutboundCalls } from '../plugins/outbound-call-limit.ts';
import { registerRateLimit } from '../plugins/rate-limit.ts';
import { registerRejectionBackoff } from '../plugins/rejection-backoff.ts';
import { type BodyLimits, RequestBodies } from '../plugins/request-bodies.ts';
import {
  createOverloadLog,
  logUnrouted,
  type Observers,
  registerDenialLog,
  registerRequestLog,
} from '../plugins/request-log.ts';
import { registerSecurityHeaders } from '../plugins/security-headers.ts';
import { type UnreadLimits, UnreadResponses } from '../plugins/unread-responses.ts';
import { registerVary } from '../plugins/vary.ts';
import type { RateLimiter } from '../rate-limit/limiter.ts';
import { registerReso } from '../reso/routes.ts';
import { registerRest } from '../rest/routes.ts';
import { registerRpc } from '../rpc/routes.ts';
import { registerSignIn } from '../sign-in/routes.ts';
import { registerEventStreams } from '../streaming/sse.ts';
import { type StreamLimits, StreamRegistry } from '../streaming/stream-registry.ts';
import { networkOf } from './client-address.ts';
import { registerDiscardedBodyLimit } from './discarded-bodies.ts';
import type {} from './fastify-types.ts';
import { toResponseError } from './problem-details.ts';
import { closeIdleSockets, openSockets, rejectConnect, rejectMalformedRequest } from './sockets.ts';

/** The settings of the HTTP side. */
type AppConfig = Pick<
  Config,
  | (
      | 'retentionDays'
      | 'webhooksMax'
      | 'defaultCountry'
      | 'requestsMax'
      | 'connectionsMax'
      | 'isVersionRequired'
    )
  | ('isDocsPageServed' | 'isConsoleServed' | 'corsOrigins' | 'trustedProxies' | 'logLevel')
  | ('sessions' | 'publicUrl' | 'identityProvider')
>;

export interface AppOptions extends AppConfig, Observers {
  db: Kysely<Database>;
  /** The clock; tests pass their own. */
  now?: () => Date;
  /** Authenticates API keys. */
  keys: Authenticator;
  notifier: EventNotifier;
  /** Calls the receivers of webhooks. */
  sender: Sender;
  /** Decides which reads go to a replica; undefined if there is none. */
  readRouter?: ReadRouter | undefined;
  /** Reads the status of the service. */
  readStatus: ReadStatus;
  /** Limits the rate of each key, and of each address without one; no limit by default. */
  limiter?: RateLimiter | undefined;
  /** Writes denied rights to the event log; they are only counted without it. The application closes it. */
  denials?: DenialLog | undefined;
  /** The log; standard output at `logLevel` by default. */
  log?: ServerLogger;
  /** Called before anything is registered, so that its onSend hooks get the response before any other does. */
  observe?: (app: FastifyInstance) => void;
  /** The directory of the built console; tests pass their own. */
  consoleDirectory?: string;
  /** Creates the server of a message of MCP; tests of the protocol pass their own. */
  createMcpServer?: McpServerFactory;
  /** How long a request may take to arrive; tests pass less. */
  timeouts?: Timeouts;
  /** Fires when the server is about to stop: /readyz fails from then on, and connections end after their response. */
  stopping?: AbortSignal;
  /** Limits of responses without an end; tests pass less. */
  streamLimits?: Partial<StreamLimits>;
  /** Limits of request bodies; tests pass less. */
  bodyLimits?: Partial<BodyLimits>;
  /** Limits of responses that clients do not read; tests pass less. */
  unreadLimits?: Partial<UnreadLimits>;
}

interface Timeouts {
  headersMs: number;
  requestMs: number;
}

/** Longer than load balancers keep a connection: if the server ended it first, a request could be lost on it. */
const KEEP_ALIVE_MS = 72_000;
export const BODY_MAX_BYTES = 256 * 1024;
export const TIMEOUTS: Timeouts = { headersMs: 10_000, requestMs: 30_000 };

function nodeOptions({ headersMs, requestMs }: Timeouts): ServerOptions {
  return {
    requestTimeout: requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: headersMs,
    // By default Node looks for slow connections every 30 s, so that a timeout of 10 s would take up to 40.
    connectionsCheckingInterval: headersMs / 10,
    // Node would reject a request without Host without a problem document; `messageError` checks it instead.
    requireHostHeader: false,
  };
}

/** The path and the query of an absolute URL; a malformed one is left to the router to reject. */
function originForm(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  return target.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
}

/** An unreserved character that is percent-encoded (RFC 3986, section 2.3). */
const encodedUnreserved = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/** The target with the unreserved characters of its path decoded, which makes equivalent paths equal (RFC 3986, section 6.2.2.2). */
function normalizePath(target: string): string {
  if (!target.includes('%')) return target;
  const end = target.search(/[?#]/);
  const path = end === -1 ? target : target.slice(0, end);
  const decoded = path.replaceAll(encodedUnreserved, (encoded) => decodeURIComponent(encoded));
  return decoded + target.slice(path.length);
}

/** What plugins and interfaces of one application share. */
interface Limits {
  concurrency: ConcurrencyLimit;
  bodies: RequestBodies;
  unread: UnreadResponses;
}

/** Builds the HTTP application over one database; it does not listen yet. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { trustedProxies, corsOrigins, requestsMax, metrics } = options;
  const log = options.log ?? createLogger(options.logLevel);
  const sampler = new RejectionSampler(log);
  const onRejected = createOverloadLog({ log, sampler, metrics, trustedProxies });
  const unread = new UnreadResponses(options.unreadLimits);
  const concurrency = new ConcurrencyLimit({
    unread,
    requestsMax,
    idOf: requestIdOf,
    corsOrigins,
    onRejected,
    callerOf: ({ headers, socket }) => {
      const credential = headers.authorization ?? claimedSession(headers, options.publicUrl);
      return options.keys.cachedCaller(credential, socket)?.id ?? networkOf(socket.remoteAddress ?? '');
    },
  });
  const bodies = new RequestBodies(concurrency, options.bodyLimits);
  const app = createFastify(options, { log, concurrency });
  options.observe?.(app);
  concurrency.register(app);
  registerRequestLog(app, { ...options, log, sampler });
  if (options.denials !== undefined) registerDenialLog(app, options.denials);
  await registerPlugins(app, options, { concurrency, bodies, unread });
  await registerInterfaces(app, options, { concurrency, bodies, unread });
  registerPages(app, options);
  return app;
}

function createFastify(
  { trustedProxies, timeouts = TIMEOUTS, metrics }: AppOptions,
  { log, concurrency }: { log: FastifyBaseLogger; concurrency: ConcurrencyLimit },
): FastifyInstance {
  return fastify({
    loggerInstance: log,
    // A child logger for each request costs more than passing its id to the lines there are.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX_BYTES,
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    serverFactory: (handle) => concurrency.createServer(nodeOptions(timeouts), handle),
    // A request for an absolute URL (RFC 9112, section 3.2.2) is handled by its path and query.
    rewriteUrl: ({ url = '/' }) => normalizePath(originForm(url)),
    genReqId: requestIdOf,
    // While the server closes, running requests finish, and one that arrives on an open connection is answered.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: URL_MAX_CHARACTERS, querystringParser: () => ({}) },
    frameworkErrors: (thrown, request, reply) => {
      reply.header('X-Request-Id', request.id);
      const error = toResponseError(thrown);
      logUnrouted(request as FastifyRequest, error, metrics);
      sendError(request as FastifyRequest, reply as FastifyReply, error);
    },
    clientErrorHandler: rejectMalformedRequest,
  });
}

async function registerPlugins(
  app: FastifyInstance,
  { stopping = never, trustedProxies, connectionsMax, corsOrigins }: AppOptions,
  { bodies, unread }: Limits,
): Promise<void> {
  const isBehindProxies = trustedProxies.length > 0;
  registerLifecycle(app, stopping);
  registerErrorHandler(app);
  limitConnections(app, { connectionsMax, isBehindProxies });
  const sockets = openSockets(app);
  closeIdleSockets(app, sockets);
  unread.watch(app, sockets);
  registerDiscardedBodyLimit(app);
  registerRejectionBackoff(app, { isBehindProxies });
  rejectConnect(app);
  registerNotModified(app);
  await registerCompression(app);
  await registerCors(app, corsOrigins);
  registerSecurityHeaders(app);
  registerVary(app);
  registerJsonBodies(app, bodies);
  registerNotFound(app);
}

/** Registers the operations of the API, at their paths and at /trpc, and their streams. */
async function registerInterfaces(
  app: FastifyInstance,
  options: AppOptions,
  { concurrency, bodies, unread }: Limits,
): Promise<void> {
  const { db, keys, limiter, metrics, tracing, notifier, sender, readRouter, retentionDays } = options;
  const { now = () => new Date(), webhooksMax, isVersionRequired, readStatus, defaultCountry } = options;
  const outbound = new OutboundCalls(concurrency);
  const createContext = contextFactory({
    db,
    services: {
      ...{ now, notifier, sender, readRouter, instrument: tracing?.instrument },
      invalidateKeys: keys.invalidate,
      invalidateLimits: keys.invalidateLimits,
      ...{ retentionDays, webhooksMax, isVersionRequired, readStatus, defaultCountry },
    },
    outbound,
  });
  await app.register(async (scope) => {
    registerAuthentication(scope, { keys, limiter, publicUrl: options.publicUrl });
    registerRateLimit(scope, limiter);
    if (readRouter !== undefined) registerConsistencyToken(scope);
    const streams = new StreamRegistry(scope, options.streamLimits);
    metrics?.watchStreams(() => streams.count);
    registerRest(scope, createContext);
    registerRpc(scope, { createContext, streams, bodies, unread, metrics });
    registerEventStreams(scope, { createContext, streams });
    const { publicUrl, identityProvider, corsOrigins, createMcpServer: createServer } = options;
    registerMcp(scope, { createContext, bodies, metrics, publicUrl, corsOrigins, createServer });
    registerReso(scope, { createContext, publicUrl });
    const { lifetimeMs } = options.sessions;
    registerSignIn(scope, { db, now, keys, lifetimeMs, publicUrl, identityProvider, outbound, bodies });
  });
}

function registerPages(app: FastifyInstance, options: AppOptions): void {
  const { db, limiter, stopping = never, isDocsPageServed: isPageServed = true } = options;
  const { isConsoleServed, consoleDirectory = builtConsole } = options;
  registerHealth(app, { db, stopping });
  registerEntryPage(app, {
    isPageServed,
    isConsoleServed: () => isConsoleServed && isConsoleBuilt(consoleDirectory),
  });
  registerDocs(app, { limiter, isPageServed });
  if (isConsoleServed) registerConsole(app, consoleDirectory);
}

const never = new AbortController().signal;
