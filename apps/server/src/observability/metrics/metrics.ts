import process from 'node:process';
import { API_VERSION } from '@roster/api';
import type { Sender } from '@roster/api/server';
import type { Database, OnStatement } from '@roster/db';
import type { Kysely } from 'kysely';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { measureConnections, measureStatements, type Use } from './database.ts';
import { measureBacklog } from './queue-depth.ts';
import { measureRequests, type RequestMetrics } from './requests.ts';
import { type MetricsServer, type ServeMetrics, serveMetrics } from './server.ts';

interface ServeOptions {
  databases: Record<Use, Kysely<Database>>;
  serve?: ServeMetrics | undefined;
}

export interface Metrics {
  requests: RequestMetrics;
  statements: (use: Use) => OnStatement;
  attempts: (sender: Sender) => Sender;
  serve(at: { host: string; port: number }, options: ServeOptions): Promise<MetricsServer>;
}

/** Counters are updated at once; gauges are read by each scrape. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of registry.getMetricsAsArray()) {
    // Of several processes the most delayed one counts; prom-client would take an average.
    if ('aggregator' in metric && metric.aggregator === 'average') metric.aggregator = 'max';
  }
  new Gauge({
    name: 'roster_build_info',
    help: 'Always 1; its labels say what is running.',
    labelNames: ['version', 'node'],
    aggregator: 'first',
    registers: [registry],
  }).set({ version: API_VERSION, node: process.version }, 1);
  return {
    requests: measureRequests(registry),
    statements: measureStatements(registry),
    attempts: measureAttempts(registry),
    serve(at, { databases, serve = serveMetrics }) {
      measureConnections(registry, databases);
      measureBacklog(registry, databases.background);
      return serve(registry, at);
    },
  };
}

export function measureAttempts(registry: Registry): (sender: Sender) => Sender {
  const attempts = new Counter({
    name: 'roster_webhook_attempts_total',
    help: 'Attempts to call a receiver, tests among them: delivered (2xx), rejected (any other status), no_response.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return (sender) => ({
    ...sender,
    async send(message, options) {
      const response = await sender.send(message, options);
      attempts.labels(outcomeOf(response)).inc();
      return response;
    },
  });
}

function outcomeOf({
  attempt: { status },
}: Awaited<ReturnType<Sender['send']>>): 'delivered' | 'rejected' | 'no_response' {
  if (status === null) return 'no_response';
  return status >= 200 && status < 300 ? 'delivered' : 'rejected';
}
