import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { McpServerFactory } from '@roster/mcp';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from '../config/setting-types.ts';
import type { CreateContext } from '../http/context.ts';
import { requireCaller } from '../http/hooks/authentication.ts';
import type { RequestBodies } from '../http/limits/request-bodies.ts';
import { requireMediaType } from '../http/media-types.ts';
import { ownOriginOf } from '../http/own-origin.ts';
import { jsonType, sendError, toResponseError } from '../http/problem-details.ts';
import type { RequestMetrics } from '../observability/metrics/requests.ts';
import { forbidden, ProtocolFailure, parseMessage } from './json-rpc.ts';

interface McpOptions {
  createContext: CreateContext;
  bodies: RequestBodies;
  metrics: RequestMetrics | undefined;
  publicUrl: string | undefined;
  corsOrigins: readonly string[];
  createServer?: McpServerFactory | undefined;
}

/** Streamable HTTP without sessions. */
export function registerMcp(app: FastifyInstance, options: McpOptions): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      if (error instanceof ProtocolFailure) return reply.code(error.status).type(jsonType).send(error.body);
      return sendError(request, reply, toResponseError(error));
    });
    // As bytes: JSON-RPC has its own errors for what is wrong with them.
    options.bodies.parseIn(scope, ['application/json'], (bytes) => bytes);
    scope.addHook('onRequest', ({ headers }, _, done) => done(foreignHost(headers, options)));
    scope.addHook('onRequest', requireCaller);
    scope.addHook('onRequest', requireMediaType);
    scope.post('/mcp', (request, reply) => handle({ request, reply }, options));
  });
}

async function handle(
  exchange: { request: FastifyRequest; reply: FastifyReply },
  options: McpOptions,
): Promise<FastifyReply> {
  const { body } = exchange.request;
  const message = parseMessage(body instanceof Uint8Array ? body : new Uint8Array());
  const { handleMessage } = await import('./handle-message.ts');
  return handleMessage(message, exchange, options);
}

interface OwnHostOptions {
  publicUrl: string | undefined;
  corsOrigins: readonly string[];
}

const nameOf = (host: string) => host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');

/**
 * A page of another site may give the address of the service a name of its own (DNS rebinding), so `Host` and `Origin` must be those of
 * the service.
 */
export function foreignHost(
  headers: IncomingHttpHeaders,
  { publicUrl, corsOrigins }: OwnHostOptions,
): ProtocolFailure | undefined {
  const { host = '', origin } = headers;
  const isPublic = publicUrl !== undefined && new URL(publicUrl).host === host.toLowerCase();
  if (!isPublic && !isLoopback(host) && isIP(nameOf(host)) === 0)
    return forbidden('The Host of the request is not that of this service (ROSTER_PUBLIC_URL).');
  if (origin === undefined || corsOrigins.includes(origin)) return undefined;
  const isOwn =
    origin === ownOriginOf(headers, publicUrl) || (isLoopback(host) && origin === `http://${host}`);
  return isOwn
    ? undefined
    : forbidden('The Origin of the request is not allowed here (ROSTER_CORS_ORIGINS).');
}
