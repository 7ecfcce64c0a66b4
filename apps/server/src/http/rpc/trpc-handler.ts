import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { RosterError } from '@roster/api';
import { toRosterError } from '@roster/api/server';
import { incomingMessageToRequest } from '@trpc/server/adapters/node-http';
import { resolveResponse } from '@trpc/server/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordError } from '../../observability/request-context.ts';
import type { CreateContext } from '../context.ts';
import { appendVary } from '../hooks/caching.ts';
import type { StreamRegistry } from '../limits/open-streams.ts';
import { JSON_LINES } from '../limits/running-requests.ts';
import { logInternalError } from '../problem-details.ts';

export interface TrpcHandlerOptions {
  createContext: CreateContext;
  streams: StreamRegistry;
  batchMax: number;
}

/** For what the fast path leaves: subscriptions, streamed batches, errors. */
export async function handleByTrpc(
  { createContext, streams, batchMax }: TrpcHandlerOptions,
  { request, reply, path }: { request: FastifyRequest; reply: FastifyReply; path: string },
): Promise<FastifyReply> {
  const incoming = Object.assign(request.raw, { body: request.body });
  const context = createContext(request);
  const response = await resolveResponse({
    router: context.router,
    req: incomingMessageToRequest(incoming, reply.raw, { maxBodySize: null }),
    path,
    error: null,
    maxBatchSize: batchMax,
    createContext: async () => context,
    responseMeta: ({ ctx, errors, eagerGeneration }) => {
      const headers: Record<string, string> = { 'Cache-Control': 'no-store' };
      // tRPC sets no type if it rejects a request as a whole.
      if (!eagerGeneration) headers['Content-Type'] = 'application/json';
      for (const error of errors) if (error instanceof RosterError) Object.assign(headers, error.headers);
      if (ctx?.request.responseMeta.isReplayed) headers['Idempotency-Replayed'] = 'true';
      return { headers };
    },
    onError: ({ error, path }) => {
      const rosterError = toRosterError(error);
      recordError(request, rosterError, path);
      if (rosterError.status === 500) logInternalError(request, error);
    },
  });
  return sendResponse(reply, response, streams);
}

/** Fastify and Node decide these (RFC 9110, section 7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'trailer',
  'upgrade',
]);

/** Given the `Response`, Fastify would replace headers that hooks have set, and compress even the smallest response. */
async function sendResponse(
  reply: FastifyReply,
  { status, headers, body }: Response,
  streams: StreamRegistry,
): Promise<FastifyReply> {
  for (const [name, value] of headers) {
    if (name === 'vary') appendVary(reply, value);
    else if (!hopByHop.has(name)) reply.header(name, value);
  }
  reply.code(status);
  const type = headers.get('content-type');
  if (body === null || type === 'application/json') return reply.send(await new Response(body).text());
  if (type !== JSON_LINES) streams.add(reply);
  // A stream of Node.js, which the registry can end between two messages.
  return reply.send(Readable.fromWeb(body as ReadableStream));
}
