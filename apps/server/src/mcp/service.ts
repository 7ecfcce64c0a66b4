import { toRosterError } from '@roster/api/server';
import type { Call, Service } from '@roster/mcp';
import type { FastifyRequest } from 'fastify';
import type { CreateContext } from '../http/context.ts';
import { noteError } from '../http/problem-details.ts';
import type { RequestMetrics } from '../observability/metrics/requests.ts';
import { callProcedure, type ServerContext } from '../procedures.ts';

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

export function serviceOf(request: FastifyRequest, { createContext, metrics }: ServiceOptions): Service {
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
