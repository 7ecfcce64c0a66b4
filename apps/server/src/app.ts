import { createServer } from 'node:http';
import { parametersOf } from '@roster/api';
import {
  type Authenticator,
  type Collaborators,
  createAppRouter,
  type DenialLog,
  type EventNotifier,
  type Sender,
  SignIn,
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
import type { Config } from './config/config.ts';
import { contextFactory } from './http/context.ts';
import { registerHealth } from './http/health.ts';
import { claimedSession, registerAuthentication } from './http/hooks/authentication.ts';
import {
  registerCors,
  registerSecurityHeaders,
  type SecurityHeaders,
  securityHeadersFor,
} from './http/hooks/browser-headers.ts';
import { registerNotModified, registerVary } from './http/hooks/caching.ts';
import { registerCompression } from './http/hooks/compression.ts';
import {
  closeIfBodyLacks,
  registerLifecycle,
  requestIdOf,
  URL_MAX_CHARACTERS,
} from './http/hooks/lifecycle.ts';
import { malformedRequestHandler } from './http/hooks/malformed-requests.ts';
import { registerNotFound } from './http/hooks/not-found.ts';
import { limitPipelined, stopParsingPipelined } from './http/hooks/pipelined-requests.ts';
import {
  logUnrouted,
  type Observers,
  registerDenialLog,
  registerRequestLog,
} from './http/hooks/request-log.ts';
import type { ServedConnections } from './http/hooks/served-connections.ts';
import { addressKey } from './http/identity.ts';
import { registerJsonBodies } from './http/json.ts';
import { limitConnections } from './http/limits/connections.ts';
import { FileUploads } from './http/limits/file-uploads.ts';
import type { RateLimiter } from './http/limits/gcra.ts';
import { type StreamLimits, StreamRegistry } from './http/limits/open-streams.ts';
import { OutboundCalls } from './http/limits/outbound-calls.ts';
import { registerRateLimit } from './http/limits/rate-limit.ts';
import { type BodyLimits, RequestBodies } from './http/limits/request-bodies.ts';
import { RunningRequests } from './http/limits/running-requests.ts';
import { registerErrorHandler, sendError, toResponseError } from './http/problem-details.ts';
import { registerRest } from './http/rest/routes.ts';
import { registerRpc } from './http/rpc/routes.ts';
import { registerEventStreams } from './http/sse.ts';
import { registerMcp } from './mcp/routes.ts';
import { createLogger, type ServerLogger } from './observability/logger.ts';
import { RejectionSampler } from './observability/rejection-sampler.ts';
import { builtConsole, hasConsolePage, registerConsole } from './pages/console.ts';
import { registerDocs } from './pages/docs.ts';
import { registerEntryPage } from './pages/entry-page.ts';
import { registerReso } from './reso/routes.ts';
import { createMailer } from './sign-in/mail.ts';
import { registerSignIn } from './sign-in/routes.ts';

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
  | ('sessions' | 'publicUrl' | 'identityProvider' | 'mail')
>;

export interface AppOptions extends AppConfig, Observers {
  db: Kysely<Database>;
  now?: () => Date;
  keys: Authenticator;
  notifier: EventNotifier;
  sender: Sender;
  /** No limit without it. */
  limiter?: RateLimiter | undefined;
  /** Denied rights are only counted without it. The application closes it. */
  denials?: DenialLog | undefined;
  log?: ServerLogger;
  /** Called before anything is registered, so that its onSend hooks get the response first. */
  observe?: (app: FastifyInstance) => void;
  /** Tests pass their own. */
  consoleDirectory?: string;
  createMcpServer?: McpServerFactory;
  /** Tests pass less. */
  timeouts?: Partial<Timeouts>;
  stopping?: AbortSignal;
  streamLimits?: Partial<StreamLimits>;
  bodyLimits?: Partial<BodyLimits>;
}

interface Timeouts {
  headersMs: number;
  requestMs: number;
  stalledMs: number;
}

/** Longer than load balancers keep a connection: if the server ended it first, a request could be lost on it. */
const KEEP_ALIVE_MS = 72_000;
export const BODY_MAX_BYTES = 256 * 1024;
export const TIMEOUTS: Timeouts = { headersMs: 10_000, requestMs: 30_000, stalledMs: 30_000 };

const encodedUnreserved = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

const origin = /^https?:\/\/[^/?#]*\/?/i;

/**
 * Takes the path of an absolute target (RFC 9112, section 3.2.2), and decodes its unreserved characters, so that equivalent paths are
 * equal (RFC 3986, section 6.2.2.2).
 */
function normalizePath(given: string): string {
  const isAbsolute = !given.startsWith('/') && URL.canParse(given);
  const target = isAbsolute ? given.replace(origin, '/') : given;
  if (!target.includes('%')) return target;
  const end = target.search(/[?#]/);
  const path = end === -1 ? target : target.slice(0, end);
  const decoded = path.replaceAll(encodedUnreserved, (encoded) => decodeURIComponent(encoded));
  return decoded + target.slice(path.length);
}

interface Shared {
  log: ServerLogger;
  sampler: RejectionSampler;
  running: RunningRequests;
  bodies: RequestBodies;
  securityHeaders: SecurityHeaders;
}

type Phase = 'onRequest' | 'preParsing' | 'preHandler' | 'onSend' | 'onResponse';

interface RequestHooks {
  name: string;
  phases: readonly Phase[];
  add: (app: FastifyInstance, options: AppOptions, shared: Shared) => unknown;
}

/** In their order. The hooks of the operations come next, then those of the interface and its route. */
export const requestHooks: readonly RequestHooks[] = [
  {
    name: 'fair start',
    phases: ['onRequest'],
    add: (app, { keys, publicUrl }, { running }) =>
      running.registerStart(app, (request) => {
        const { headers, raw } = request;
        const credential = headers.authorization ?? claimedSession(headers, publicUrl);
        return keys.cachedCaller(credential, raw.socket)?.id ?? addressKey(request);
      }),
  },
  {
    name: 'log, metrics and traces',
    phases: ['onRequest', 'preHandler', 'onResponse'],
    add: (app, { metrics, tracing }, { log, sampler }) =>
      registerRequestLog(app, { metrics, tracing, log, sampler }),
  },
  {
    name: 'log of denials',
    phases: ['onResponse'],
    add: (app, { denials }) => denials && registerDenialLog(app, denials),
  },
  {
    name: 'rules of HTTP messages',
    phases: ['onRequest', 'onSend', 'onResponse'],
    add: (app, { stopping = never, timeouts }) =>
      registerLifecycle(app, { stopping, ...TIMEOUTS, ...timeouts }),
  },
  { name: 'not modified', phases: ['onSend'], add: registerNotModified },
  // Compresses responses in the hooks of each route.
  { name: 'compression', phases: ['preParsing'], add: registerCompression },
  {
    name: 'origins (CORS)',
    phases: ['onRequest'],
    add: (app, { corsOrigins }) => registerCors(app, corsOrigins),
  },
  {
    name: 'security headers',
    phases: ['onSend'],
    add: (app, _, { securityHeaders }) => registerSecurityHeaders(app, securityHeaders),
  },
  { name: 'Vary', phases: ['onSend'], add: registerVary },
  {
    name: 'slot',
    phases: ['onRequest', 'onSend'],
    add: (app, _, { running }) => running.register(app),
  },
  { name: 'unknown paths and methods', phases: ['onRequest'], add: registerNotFound },
];

export const operationHooks: readonly RequestHooks[] = [
  {
    name: 'authentication',
    phases: ['onRequest'],
    add: (scope, { keys, limiter, publicUrl }) => registerAuthentication(scope, { keys, limiter, publicUrl }),
  },
  {
    name: 'rate limit',
    phases: ['onRequest'],
    add: (scope, { limiter }) => registerRateLimit(scope, limiter),
  },
];

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const shared = createShared(options);
  const app = createFastify(options, shared);
  options.observe?.(app);
  registerErrorHandler(app);
  for (const { add } of requestHooks) await add(app, options, shared);
  registerJsonBodies(app, shared.bodies);
  limitConnections(app, {
    connectionsMax: options.connectionsMax,
    isBehindProxies: options.trustedProxies.length > 0,
  });
  await registerInterfaces(app, options, shared);
  registerPages(app, options);
  return app;
}

function createShared({ log, logLevel, publicUrl, requestsMax, bodyLimits }: AppOptions): Shared {
  const logger = log ?? createLogger(logLevel);
  const running = new RunningRequests(requestsMax);
  return {
    log: logger,
    sampler: new RejectionSampler(logger),
    running,
    bodies: new RequestBodies(running, bodyLimits),
    securityHeaders: securityHeadersFor(publicUrl),
  };
}

function createFastify(
  { trustedProxies, timeouts, metrics }: AppOptions,
  { log, securityHeaders }: { log: FastifyBaseLogger } & Pick<Shared, 'securityHeaders'>,
): FastifyInstance {
  const { headersMs, requestMs } = { ...TIMEOUTS, ...timeouts };
  const connections: ServedConnections = new WeakMap();
  const responses = { connections, headers: securityHeaders };
  // Fastify takes a child for each request, which costs more than passing the ID of the request to the few lines that need it.
  log.child = () => log;
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX_BYTES,
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    serverFactory: (handle) =>
      createServer(
        {
          keepAliveTimeout: KEEP_ALIVE_MS,
          requestTimeout: requestMs,
          headersTimeout: headersMs,
          // By default Node looks for slow connections every 30 s, so that a timeout of 10 s would take up to 40.
          connectionsCheckingInterval: headersMs / 10,
        },
        limitPipelined(handle, responses),
      ),
    rewriteUrl: ({ url = '/' }) => normalizePath(url),
    genReqId: requestIdOf,
    // While the server closes, running requests finish, and one that arrives on an open connection is answered.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: URL_MAX_CHARACTERS, querystringParser: () => ({}) },
    frameworkErrors: (thrown, request, reply) => {
      reply.headers({ ...securityHeaders, 'X-Request-Id': request.id });
      const error = toResponseError(thrown);
      logUnrouted(request, error, metrics);
      closeIfBodyLacks(request, reply as FastifyReply);
      sendError(request as FastifyRequest, reply as FastifyReply, error);
    },
    clientErrorHandler: malformedRequestHandler(responses),
  });
  stopParsingPipelined(app.server, connections);
  return app;
}

async function registerInterfaces(app: FastifyInstance, options: AppOptions, shared: Shared): Promise<void> {
  const { db, keys, metrics, publicUrl, identityProvider, now = currentTime } = options;
  const { running, bodies } = shared;
  const outbound = new OutboundCalls(running);
  const mailer = options.mail && createMailer(options.mail);
  const heed = {
    events: options.notifier.onCommit,
    callers: keys.invalidate,
    offices: keys.invalidateLimits,
  };
  const collaborators: Collaborators = {
    records: {
      settings: { retentionDays: options.retentionDays, defaultCountry: options.defaultCountry },
    },
    events: { notifier: options.notifier },
    webhooks: { sender: options.sender, webhooksMax: options.webhooksMax },
    people: {
      signIn: {
        hasProvider: identityProvider !== undefined,
        isConsoleServed: options.isConsoleServed,
        sendInvitation: mailer?.sendInvitation,
      },
    },
  };
  const router = createAppRouter(() => collaborators);
  const createContext = contextFactory({
    db,
    now,
    router,
    requests: {
      isVersionRequired: options.isVersionRequired,
      parametersOf,
      committed: (what) => heed[what](),
    },
    outbound,
    publicUrl,
  });
  await app.register(async (scope) => {
    for (const { add } of operationHooks) await add(scope, options, shared);
    const streams = new StreamRegistry(scope, options.streamLimits);
    metrics?.watchStreams(() => streams.count);
    registerRest(scope, { createContext, router, uploads: new FileUploads(running) });
    registerRpc(scope, { createContext, streams, bodies, metrics });
    registerEventStreams(scope, { createContext, streams });
    const { corsOrigins, createMcpServer: createServer } = options;
    registerMcp(scope, { createContext, bodies, metrics, publicUrl, corsOrigins, createServer });
    registerReso(scope, { createContext, notifier: options.notifier, publicUrl });
    const shown = { publicUrl, identityProvider, mailer, isConsoleServed: options.isConsoleServed };
    const signIn = new SignIn({ db, now, keys, ...options.sessions });
    registerSignIn(scope, { now, signIn, ...shown, outbound, bodies });
  });
}

function registerPages(app: FastifyInstance, options: AppOptions): void {
  const { db, limiter, stopping = never, isDocsPageServed: isPageServed = true } = options;
  const { isConsoleServed, consoleDirectory = builtConsole, sender } = options;
  registerHealth(app, { db, stopping });
  registerEntryPage(app, {
    isPageServed,
    isConsoleServed: () => isConsoleServed && hasConsolePage(consoleDirectory),
  });
  registerDocs(app, { limiter, isPageServed, isPlainHttpAllowed: sender.isPrivateAllowed });
  if (isConsoleServed) registerConsole(app, consoleDirectory);
}

const never = new AbortController().signal;
const currentTime = () => new Date();
