import { Readable } from 'node:stream';
import { API_VERSION } from '@roster/api';
import { toRosterError } from '@roster/api/server';
import {
  type Call,
  createMcpHandler,
  createRosterServer,
  type McpServerFactory,
  type Service,
} from '@roster/mcp';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CreateContext } from '../http/context.ts';
import { disconnectSignal } from '../http/limits/open-streams.ts';
import { logInternalError, noteError } from '../http/problem-details.ts';
import type { RequestMetrics } from '../observability/metrics/requests.ts';
import { callProcedure, type ServerContext } from '../procedures.ts';

interface HandleOptions {
  createContext: CreateContext;
  metrics: RequestMetrics | undefined;
  createServer?: McpServerFactory | undefined;
}

const setElsewhere = new Set(['content-length', 'cache-control', 'connection']);

/** Loads the SDK with the first message. No server keeps anything between messages, so any may get the next one. */
export async function handleMessage(
  message: object,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { createContext, metrics, createServer }: HandleOptions,
): Promise<FastifyReply> {
  const signal = disconnectSignal(reply);
  const service = serviceOf(request, { createContext, metrics });
  let failure: unknown;
  const ownServer: McpServerFactory = async () => {
    try {
      return await createRosterServer({ service, version: API_VERSION, signal });
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  let reported: Error | undefined;
  const options = {
    onerror: (error: Error) => {
      reported = error;
    },
  };
  const handler = createMcpHandler(createServer ?? ownServer, options);
  const response = await handler.fetch(fetchRequest(request, signal), { parsedBody: message });
  // Failing to read the rights is an error of the request, as in the other interfaces.
  if (failure !== undefined) throw failure;
  if (response.status === 500) logInternalError(request, reported ?? new Error('MCP: internal error'));
  return sendResponse(reply, response);
}

function fetchRequest({ method, headers, url }: FastifyRequest, signal: AbortSignal): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return new Request(new URL(url, 'http://localhost'), { method, headers: given, signal });
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status).header('Cache-Control', 'no-store');
  for (const [name, value] of response.headers) if (!setElsewhere.has(name)) reply.header(name, value);
  const { body } = response;
  if (body === null) return reply.send();
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true)
    return reply.send(await response.text());
  // A proxy that buffers would delay progress.
  reply.header('X-Accel-Buffering', 'no');
  return reply.send(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]));
}

interface ServiceOptions {
  createContext: CreateContext;
  metrics: RequestMetrics | undefined;
}

/** Every request calls it first, as part of its cost. */
const RIGHTS = 'sessions.current';

/** Headers such as If-Match are about the request, not about each of the calls of a tool. */
function contextOf(request: FastifyRequest, createContext: CreateContext): ServerContext {
  const context = createContext(request);
  const scope = { ...context.request, precondition: () => undefined, idempotencyKey: () => undefined };
  return { ...context, request: scope };
}

function serviceOf(request: FastifyRequest, { createContext, metrics }: ServiceOptions): Service {
  const context = contextOf(request, createContext);
  const { id: requestId, path: instance } = context.request;
  let calls = 0;
  const call =
    (type: 'query' | 'mutation'): Call =>
    async <Output>(procedure: string, input: object, { signal }: { signal: AbortSignal }) => {
      const startedMs = performance.now();
      let status = 200;
      try {
        if (procedure !== RIGHTS) calls += 1;
        // Each call costs as much as a request; the first is the request itself.
        if (calls > 1) await context.request.charge(1);
        return await callProcedure<Output>({ path: procedure, type, input }, { context, signal });
      } catch (thrown) {
        const error = toRosterError(thrown);
        status = error.status;
        noteError(request, error, procedure);
        throw error;
      } finally {
        request.stats?.countCall(procedure);
        metrics?.called({
          apiInterface: 'mcp',
          procedure,
          status,
          durationMs: performance.now() - startedMs,
        });
      }
    };
  return {
    query: call('query'),
    mutate: call('mutation'),
    problemOf: (thrown) => {
      const error = toRosterError(thrown);
      const { type: _, title: __, instance: ___, ...problem } = error.problem({ instance, requestId });
      return { ...problem, ...(error.retryAfter !== undefined && { retryAfterSeconds: error.retryAfter }) };
    },
  };
}
