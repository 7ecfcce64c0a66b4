import {
  type AttributeValue,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { API_VERSION } from '@roster/api';
import { type Instrument, toRosterError } from '@roster/api/server';
import type { EndedStatement } from '@roster/db';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type RequestContext,
  type RequestStats,
  type RequestTarget,
  requestContext,
} from '../request-context.ts';
import { summaryOf } from './statement-summary.ts';
import type { Tracing, TracingConfig } from './tracing.ts';

/** The longest wait of the disposal for a collector that does not respond. */
const FLUSH_MAX_MS = 2_000;

/**
 * Creates tracing with OpenTelemetry. The SDK reads the collector's URL, headers and the name of the service from the environment
 * (OTEL_EXPORTER_OTLP_…, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES). Nothing is registered globally, and no module is patched.
 *
 * No attribute contains a value of a request or a record; no span has an exception, whose message might.
 *
 * @param onFailure called with the error when spans could not be exported
 */
export function createTracing(config: TracingConfig, onFailure: (error: unknown) => void): Tracing {
  const exporter = new OTLPTraceExporter();

  const named = resourceFromAttributes({ 'service.name': 'roster', 'service.version': API_VERSION });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(config),
    spanProcessors: [new BatchSpanProcessor({ exporter: withFailures(exporter, onFailure) })],
  });
  const tracer = provider.getTracer('roster', API_VERSION);
  return {
    requestBegan: (request, stats, target) => {
      stats.span = beginRequest(tracer, request, target);
    },
    requestEnded: endRequest,
    instrument: instrumentWith(tracer),
    statementEnded: (statement, context) => addStatement(tracer, statement, context),
    async [Symbol.asyncDispose]() {
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(reject, FLUSH_MAX_MS, new Error('The collector did not respond in time.'));
      await Promise.race([provider.shutdown(), late]).catch(onFailure);
      clearTimeout(timer);
    },
  };
}

/** The sampler that OpenTelemetry's specification defines for a value of OTEL_TRACES_SAMPLER and its argument. */
function samplerOf({ sampler, ratio }: TracingConfig): Sampler {
  const root = sampler.endsWith('traceidratio')
    ? new TraceIdRatioBasedSampler(ratio)
    : sampler.endsWith('always_on')
      ? new AlwaysOnSampler()
      : new AlwaysOffSampler();
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

/** Wraps an exporter, which drops spans silently if it fails, so that `onFailure` is called. */
function withFailures(exporter: SpanExporter, onFailure: (error: unknown) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code === ExportResultCode.FAILED) onFailure(result.error);
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

function asParent(span: Span): Context {
  return trace.setSpan(ROOT_CONTEXT, span);
}

const traceContext = new W3CTraceContextPropagator();

function beginRequest(
  tracer: Tracer,
  { headers, id, method, protocol, raw }: FastifyRequest,
  { route, path, apiInterface }: RequestTarget,
): Span {
  const parent = traceContext.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
  const attributes = {
    'http.request.method': method,
    ...(route !== undefined && { 'http.route': route }),
    'url.path': path,
    'url.scheme': protocol,
    'network.protocol.version': raw.httpVersion,
    'roster.interface': apiInterface,
    'roster.request_id': id,
  };
  const name = route === undefined ? method : `${method} ${route}`;
  return tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
}

function endRequest(
  { span, errorCodes }: RequestStats,
  { request: { identity }, reply }: { request: FastifyRequest; reply: FastifyReply },
): void {
  if (span?.isRecording() !== true) return;
  span.setAttribute('http.response.status_code', reply.statusCode);
  if (identity && 'caller' in identity) span.setAttribute('roster.key_id', identity.caller.id);
  if (errorCodes !== undefined) span.setAttribute('roster.error_codes', errorCodes);
  if (reply.statusCode >= 500) fail(span, errorCodes?.[0] ?? String(reply.statusCode));
  span.end();
}

function fail(span: Span, type: AttributeValue): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}

function instrumentWith(tracer: Tracer): Instrument {
  return async ({ procedure, type }, run) => {
    const context = requestContext.getStore();
    if (context?.span?.isRecording() !== true) return run();
    const attributes = { 'rpc.system.name': 'trpc', 'rpc.method': procedure };
    const span = tracer.startSpan(procedure, { attributes }, asParent(context.span));
    try {
      const result = await requestContext.run({ stats: context.stats, span }, run);
      // The span of a stream ends when the stream is open, because the stream itself may last for days.
      if (type === 'subscription') endStream(context.stats);
      return result;
    } catch (error) {
      const { errorCode, status } = toRosterError(error);
      span.setAttribute('roster.error_codes', [errorCode]);
      if (status >= 500) fail(span, errorCode);
      throw error;
    } finally {
      span.end();
    }
  };
}

function endStream({ span }: RequestStats): void {
  span?.setAttributes({ 'http.response.status_code': 200, 'roster.stream': true }).end();
}

function addStatement(
  tracer: Tracer,
  { sql, durationMs, error }: EndedStatement,
  { span: parent }: RequestContext,
): void {
  if (parent?.isRecording() !== true) return;
  const endTime = performance.timeOrigin + performance.now();
  const summary = summaryOf(sql);
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': sql, 'db.query.summary': summary };
  const startTime = endTime - durationMs;
  const span = tracer.startSpan(summary, { kind: SpanKind.CLIENT, attributes, startTime }, asParent(parent));
  if (error !== undefined) {
    const code = typeof error.code === 'string' ? error.code : undefined;
    if (code !== undefined) span.setAttribute('db.response.status_code', code);
    fail(span, code ?? error.name);
  }
  span.end(endTime);
}
