import type { Sender } from '@roster/api/server';
import type { Database, OnStatement, Replicas } from '@roster/db';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { Config } from '../config/config.ts';
import type { Use } from './metrics/database.ts';
import { type Metrics, openMetrics } from './metrics/metrics.ts';
import { accounts } from './request-context.ts';
import { watchSlowQueries } from './slow-query-log.ts';
import { openTracing, type Tracing } from './tracing/tracing.ts';

/** What a service is watched by: its log, and as its settings say metrics, traces and the log of slow statements. */
export interface Seeing extends AsyncDisposable {
  metrics: Metrics | undefined;
  tracing: Tracing | undefined;
  /** To be told of every statement on connections of this use. */
  onStatement(use: Use): OnStatement;
  /** Sees what comes of calling receivers, where metrics are asked for. */
  watchSender(sender: Sender): Sender;
  /** To be called once the databases are there. Answers where the metrics are, where they are asked for. */
  begin(databases: Record<Use, Kysely<Database>>, replicas?: Replicas): Promise<string | undefined>;
}

const FAILURES_TOLD_EVERY_MS = 60_000;

/** Opens what the settings ask for; what they do not is neither loaded nor counted. */
export async function openSeeing(config: Config, log: FastifyBaseLogger): Promise<Seeing> {
  await using begun = new AsyncDisposableStack();
  const metrics = config.metricsAt === undefined ? undefined : openMetrics();
  const tracing =
    config.traces === undefined ? undefined : begun.use(await openTracing(config.traces, lossOfSpans(log)));
  const slow =
    config.slowQueryMs === 0 ? undefined : watchSlowQueries({ log, thresholdMs: config.slowQueryMs });
  const open = begun.move();
  return {
    metrics,
    tracing,
    onStatement(use) {
      const measured = metrics?.statements(use);
      return (statement) => {
        const account = accounts.getStore();
        account?.tally.ended(statement);
        measured?.(statement);
        slow?.note(statement, account);
        if (tracing !== undefined && account !== undefined) tracing.statementEnded(statement, account);
      };
    },
    watchSender: (sender) => metrics?.attempts(sender) ?? sender,
    async begin(databases, replicas) {
      slow?.explainOn(databases.background);
      if (metrics === undefined || config.metricsAt === undefined) return undefined;
      return open.use(await metrics.serve(config.metricsAt, databases, replicas)).url;
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** A collector that is away loses spans, and nothing else; that is worth a line now and then. */
function lossOfSpans(log: FastifyBaseLogger): (error: unknown) => void {
  let toldAtMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - toldAtMs < FAILURES_TOLD_EVERY_MS) return;
    toldAtMs = performance.now();
    log.warn({ err: error }, 'spans could not be handed to the collector');
  };
}
