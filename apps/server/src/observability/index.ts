import type { Sender } from '@roster/api/server';
import type { Database, OnStatement } from '@roster/db';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { Config } from '../config/config.ts';
import { isPretty } from './logger.ts';
import type { Use } from './metrics/database.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { ServeMetrics } from './metrics/server.ts';
import { requestContext } from './request-context.ts';
import { createSlowQueryLog } from './slow-query-log.ts';
import type { Tracing } from './tracing.ts';

export interface Telemetry extends AsyncDisposable {
  metrics: Metrics | undefined;
  tracing: Tracing | undefined;
  onStatement(use: Use): OnStatement;
  instrumentSender(sender: Sender): Sender;
  serveMetrics(databases: Record<Use, Kysely<Database>>): Promise<string | undefined>;
}

const EXPORT_ERRORS_LOGGED_EVERY_MS = 60_000;

export async function startTelemetry(
  config: Config,
  log: FastifyBaseLogger,
  serve?: ServeMetrics,
): Promise<Telemetry> {
  await using started = new AsyncDisposableStack();
  // A server without metrics and traces loads neither prom-client nor OpenTelemetry.
  const metrics = config.metricsAt && (await import('./metrics/metrics.ts')).createMetrics();
  const tracing = config.traces && started.use(await loadTracing(config.traces, log));
  const { slowQueryMs: thresholdMs, logFormat } = config;
  const slow =
    thresholdMs === 0
      ? undefined
      : started.use(createSlowQueryLog({ log, thresholdMs, isSummary: isPretty(logFormat) }));
  const open = started.move();
  return {
    metrics,
    tracing,
    onStatement(use) {
      const measured = metrics?.statements(use);
      return (statement) => {
        const stats = requestContext.getStore();
        stats?.addStatement(statement);
        measured?.(statement);
        slow?.record(statement, stats);
      };
    },
    instrumentSender: (sender) => metrics?.attempts(sender) ?? sender,
    async serveMetrics(databases) {
      if (metrics === undefined || config.metricsAt === undefined) return undefined;
      return open.use(await metrics.serve(config.metricsAt, { databases, serve })).url;
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

async function loadTracing(config: NonNullable<Config['traces']>, log: FastifyBaseLogger): Promise<Tracing> {
  const { startTracing } = await import('./tracing.ts');
  return startTracing(config, exportErrorLogger(log));
}

/** At most once a minute; the spans are lost. */
function exportErrorLogger(log: FastifyBaseLogger): (error: unknown) => void {
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - loggedAtMs < EXPORT_ERRORS_LOGGED_EVERY_MS) return;
    loggedAtMs = performance.now();
    log.warn({ err: error }, 'spans could not be exported to the collector');
  };
}
