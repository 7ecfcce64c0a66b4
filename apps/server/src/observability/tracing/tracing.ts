import type { Instrument } from '@roster/api/server';
import type { EndedStatement } from '@roster/db';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext, RequestStats, RequestTarget } from '../request-context.ts';

/** How much is traced. */
export interface TracingConfig {
  /** As OTEL_TRACES_SAMPLER names them. */
  sampler: (typeof samplerNames)[number];
  /** The part of traces a ratio takes, from 0 to 1. */
  ratio: number;
}

export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Makes spans of requests, of the procedures they call, and of the statements those run. */
export interface Tracing extends AsyncDisposable {
  /** Starts the span of a request, under the one its `traceparent` names. */
  requestBegan(request: FastifyRequest, stats: RequestStats, target: RequestTarget): void;
  requestEnded(stats: RequestStats, of: { request: FastifyRequest; reply: FastifyReply }): void;
  /** Runs a procedure under a span of its own; its statements belong to that one, in a batch as well. */
  instrument: Instrument;
  /** Makes a span of a statement that has just ended. */
  statementEnded(statement: EndedStatement, context: RequestContext): void;
}

/**
 * Opens the tracing. What it needs is loaded only now: without it the process holds nothing of it. `onFailure` is told
 * when spans could not be handed over.
 */
export async function startTracing(
  config: TracingConfig,
  onFailure: (error: unknown) => void,
): Promise<Tracing> {
  const { openTelemetry } = await import('./open-telemetry.ts');
  return openTelemetry(config, onFailure);
}
