import http, { type IncomingMessage } from 'node:http';
import { type Attributes, type Context, context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { getRPCMetadata, setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
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
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { API_VERSION, streams } from '@roster/api';
import pg from 'pg';
import type { Config } from '../config/config.ts';
import type { RequestTarget } from './request-context.ts';
import { pathOf, redactPath } from './request-path.ts';

type TracingConfig = NonNullable<Config['traces']>;

/** OpenTelemetry's instrumentation of HTTP and `pg` creates the spans. */
export interface Tracing extends AsyncDisposable {
  /** Names the span after the route. Returns the ID of the trace; undefined if it is not traced. */
  routed(request: IncomingMessage, target: RequestTarget): string | undefined;
  run(request: IncomingMessage, code: () => void): void;
}

const FLUSH_MAX_MS = 2_000;

/** Event streams may last for days. */
const untraced: ReadonlySet<string> = new Set([
  '/metrics',
  ...streams.flatMap(({ path, procedure }) => [path, `/trpc/${procedure}`]),
]);

/** Messages of errors may contain values. */
const withoutMessages: SpanProcessor = {
  onStart: () => undefined,
  onEnding(span) {
    if (span.status.message !== undefined) span.setStatus({ code: span.status.code });
  },
  onEnd: () => undefined,
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
};

/**
 * OpenTelemetry reads its own variables (OTEL_EXPORTER_OTLP_…, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES). No span contains a value.
 */
export function startTracing(config: TracingConfig, onFailure: (error: unknown) => void): Tracing {
  const named = resourceFromAttributes({ 'service.name': 'roster', 'service.version': API_VERSION });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(config),
    // An event is an exception, with its message.
    spanLimits: { eventCountLimit: 0 },
    spanProcessors: [withoutMessages, new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  setGlobalErrorHandler(onFailure);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());

  const contexts = new WeakMap<IncomingMessage, Context>();
  const ofHttp = new HttpInstrumentation({
    enabled: false,
    // Receivers of webhooks are not told of traces.
    disableOutgoingRequestInstrumentation: true,
    ignoreIncomingRequestHook: ({ url = '/' }) => untraced.has(pathOf(url)),
    startIncomingSpanHook: redactedAttributes,
    requestHook: (_, request) => {
      if (request instanceof http.IncomingMessage) contexts.set(request, context.active());
    },
  });
  const ofPg = new PgInstrumentation({ enabled: false, requireParentSpan: true, ignoreConnectSpans: true });
  // By hand, not by hooks of `require`: a bundle requires nothing.
  const patched = [
    { instrumentation: ofHttp, name: 'http', exports: http },
    { instrumentation: ofPg, name: 'pg', exports: pg },
  ].map(({ instrumentation, name, exports }) => {
    instrumentation.setTracerProvider(provider);
    const definition = instrumentation.getModuleDefinitions().find((found) => found.name === name);
    if (definition?.patch === undefined) throw new Error(`OpenTelemetry does not instrument ${name}.`);
    definition.patch(exports);
    return () => definition.unpatch?.(exports);
  });

  return {
    routed(request, { route, path }) {
      const own = contexts.get(request);
      const metadata = own && getRPCMetadata(own);
      if (metadata === undefined) return undefined;
      if (route !== undefined) metadata.route = route;
      metadata.span.setAttribute('url.path', path);
      return metadata.span.spanContext().traceId;
    },
    run: (request, code) => context.with(contexts.get(request) ?? context.active(), code),
    async [Symbol.asyncDispose]() {
      for (const unpatch of patched) unpatch();
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(reject, FLUSH_MAX_MS, new Error('The collector did not respond in time.'));
      await Promise.race([provider.shutdown(), late]).catch(onFailure);
      clearTimeout(timer);
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}

/** The attributes of a request may identify a person. */
function redactedAttributes({ url = '/' }: IncomingMessage): Attributes {
  return {
    'url.path': redactPath({ url, params: {} }, undefined),
    'url.query': undefined,
    'client.address': undefined,
    'network.peer.address': undefined,
    'user_agent.original': undefined,
  };
}

/** As the specification defines OTEL_TRACES_SAMPLER. */
function samplerOf({ sampler, ratio }: TracingConfig): Sampler {
  const root = sampler.endsWith('traceidratio')
    ? new TraceIdRatioBasedSampler(ratio)
    : sampler.endsWith('always_on')
      ? new AlwaysOnSampler()
      : new AlwaysOffSampler();
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}
