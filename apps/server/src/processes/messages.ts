import type { LocalPostgres } from '@roster/db/local-postgres';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { ServiceSummary } from './welcome.ts';

/** An address to listen on. */
export type Address = NonNullable<Config['metricsAt']>;

/** The metrics of one process, as prom-client sums them up. */
export type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** A message of a process of the server to the primary process. */
export type ToPrimary =
  | {
      type: 'listening';
      pid: number;
      service: ServiceSummary;
      log: Pick<Config, 'logLevel' | 'logFormat'>;
    }
  /** Asks it to start the local PostgreSQL, unless it has. */
  | { type: 'openDatabase'; dataDir: string }
  /** Asks it to serve the metrics of all processes. */
  | { type: 'serveMetrics'; at: Address }
  | { type: 'metrics'; scrape: number; metrics: ProcessMetrics };

/** A message of the primary process to one of them. */
export type FromPrimary =
  | { type: 'databaseOpened'; database: Omit<LocalPostgres, 'close'> }
  /** With the message for people. */
  | { type: 'databaseFailed'; message: string }
  | { type: 'metricsServed'; url: string }
  /** With the fields of a system error. */
  | {
      type: 'metricsFailed';
      error: { message: string; code?: string | undefined; syscall?: string | undefined };
    }
  | { type: 'scrape'; scrape: number };
