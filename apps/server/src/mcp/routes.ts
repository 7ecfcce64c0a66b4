import type { McpServerFactory } from '@roster/mcp';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CreateContext } from '../http/context.ts';
import { requireCaller } from '../http/hooks/authentication.ts';
import type { RequestBodies } from '../http/limits/request-bodies.ts';
import { requireMediaType } from '../http/media-types.ts';
import { jsonType, sendError, toResponseError } from '../http/problem-details.ts';
import type { RequestMetrics } from '../observability/metrics/requests.ts';
import { ProtocolFailure, parseMessage } from './json-rpc.ts';
import { foreignHost } from './own-host.ts';

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
