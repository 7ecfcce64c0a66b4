import { connectionCounts, type Database, type OnStatement } from '@roster/db';
import type { Kysely } from 'kysely';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { LATENCY_BUCKETS } from './requests.ts';

const uses = ['requests', 'background'] as const;
export type Use = (typeof uses)[number];

export function measureStatements(registry: Registry): (use: Use) => OnStatement {
  const durations = new Histogram({
    name: 'roster_database_statement_duration_seconds',
    help: 'Time of statements; of reads outside transactions with the wait for a connection.',
    labelNames: ['use'],
    buckets: LATENCY_BUCKETS,
    registers: [registry],
  });
  const errors = new Counter({
    name: 'roster_database_errors_total',
    help: 'Statements that failed, by the class of their SQLSTATE (its first two characters).',
    labelNames: ['use', 'class'],
    registers: [registry],
  });
  return (use) => {
    const duration = durations.labels(use);
    return ({ durationMs, error }) => {
      duration.observe(durationMs / 1_000);
      if (error !== undefined) errors.labels(use, classOf(error)).inc();
    };
  };
}

function classOf({ code }: { code?: unknown }): string {
  return typeof code === 'string' && /^[\dA-Z]{5}$/.test(code) ? code.slice(0, 2) : 'none';
}

export function measureConnections(registry: Registry, databases: Record<Use, Kysely<Database>>): void {
  const registers = [registry];
  const counts = () => uses.map((use) => ({ use, ...connectionCounts(databases[use]) }));
  new Gauge({
    name: 'roster_database_connections',
    help: 'Open connections: dedicated ones (one caller each) idle or busy, pipelined ones (shared by short statements) open.',
    labelNames: ['use', 'kind', 'state'],
    registers,
    collect() {
      for (const { use, dedicatedIdle, dedicatedBusy, pipelineOpen } of counts()) {
        this.set({ use, kind: 'dedicated', state: 'idle' }, dedicatedIdle);
        this.set({ use, kind: 'dedicated', state: 'busy' }, dedicatedBusy);
        this.set({ use, kind: 'pipelined', state: 'open' }, pipelineOpen);
      }
    },
  });
  new Gauge({
    name: 'roster_database_waiting',
    help: 'Waits for a dedicated connection.',
    labelNames: ['use'],
    registers,
    collect() {
      for (const { use, dedicatedWaiting } of counts()) this.set({ use }, dedicatedWaiting);
    },
  });
  new Gauge({
    name: 'roster_database_pipelined_in_flight',
    help: 'Statements in the pipelines that were sent and have no response yet.',
    labelNames: ['use'],
    registers,
    collect() {
      for (const { use, pipelinePending } of counts()) this.set({ use }, pipelinePending);
    },
  });
  new Counter({
    name: 'roster_database_connection_losses_total',
    help: 'Connections to the database that broke after they were open.',
    labelNames: ['use', 'kind'],
    registers,
    collect() {
      this.reset();
      for (const { use, dedicatedLost, pipelineLost } of counts()) {
        this.inc({ use, kind: 'dedicated' }, dedicatedLost);
        this.inc({ use, kind: 'pipelined' }, pipelineLost);
      }
    },
  });
}
