import { resolve } from 'node:path';
import { parseConnectionString } from '@roster/db';
import { z } from 'zod';
import { logFormats } from '../observability/logger.ts';
import { samplerNames, type TracingConfig } from '../observability/tracing/tracing.ts';
import { withSecretsFromFiles } from './secret-files.ts';
import { compileProxy, list, milliseconds, refuseUnread, toggle, urlList, whole } from './setting-types.ts';
import { unknownSettings } from './unknown-settings.ts';

/** Settings that may hold a secret: each can come from the file that `X_FILE` names. */
export const secretSettings = ['DATABASE_URL', 'DATABASE_REPLICA_URLS', 'ROSTER_ADMIN_KEY'] as const;

/**
 * Every setting of the server, from the environment. What each says of itself and its default are the page
 * docs/reference/settings.md (`npm run generate` writes it).
 */
export const Environment = z.object({
  HOST: z.string().min(1).default('127.0.0.1').describe('the address to listen on'),
  PORT: whole.pipe(z.int().max(65_535)).default(3000).describe('the port to listen on; 0 takes a free one'),
  DATABASE_URL: z
    .string()
    .superRefine(refuseUnread(parseConnectionString))
    .optional()
    .describe(
      'a `postgres://` URL of a PostgreSQL 15 or later; the user may create the extension `pg_trgm`, or it is there; several hosts, separated by commas, of which the one that takes writes is used ([Replicas and failover](docs/operations/replicas-and-failover.md)); without it the local PostgreSQL',
    ),
  DATABASE_REPLICA_URLS: urlList
    .default([])
    .describe(
      'standbys of that PostgreSQL to read from, separated by commas ([Replicas and failover](docs/operations/replicas-and-failover.md))',
    ),
  ROSTER_REPLICA_LAG_MAX_MS: whole
    .pipe(z.int().min(500).max(3_600_000))
    .default(10_000)
    .describe('a standby that is further behind is not read from'),
  ROSTER_DATA_DIR: z.string().min(1).default('.roster').describe('where the local PostgreSQL lives'),
  ROSTER_DATABASE_CONNECTIONS_MAX: whole
    .pipe(z.int().min(1).max(1_000))
    .default(10)
    .describe(
      'connections at most for writes and transactions, one caller each; reads share a few others (`roster-server --check` says how many there are together)',
    ),
  ROSTER_DATABASE_CONNECT_TIMEOUT_MS: milliseconds
    .pipe(z.int().min(1))
    .default(3_000)
    .describe('how long to wait for a connection, new or free; then 503'),
  ROSTER_DATABASE_IDLE_TIMEOUT_MS: milliseconds
    .default(10_000)
    .describe('a connection for writes that nobody has used for so long is closed; 0 keeps it open'),
  ROSTER_DATABASE_NAMED_STATEMENTS: toggle
    .default('true')
    .describe(
      '`false`: PostgreSQL keeps no statements under names, for a pooler that does not know them ([Poolers](docs/operations/deploy.md#poolers))',
    ),
  ROSTER_STATEMENT_TIMEOUT_MS: milliseconds
    .default(5_000)
    .describe('a statement of a request that runs longer is cancelled, and answered 503; 0 for no limit'),
  ROSTER_RETENTION_DAYS: whole
    .pipe(z.int().min(1).max(3_650))
    .default(30)
    .describe('how long a deleted record can be restored, and every event is kept'),
  ROSTER_ADMIN_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{32,200}$/, 'must be 32 to 200 visible ASCII characters without spaces')
    .optional()
    .describe(
      'a secret of 32 to 200 visible characters with all scopes, used as it is; then no first key is made',
    ),
  ROSTER_RATE_LIMIT: whole
    .pipe(z.int().max(1_000_000_000))
    .default(600)
    .describe('requests a minute for each key and each address without one; 0 for no limit'),
  ROSTER_REQUESTS_MAX: whole
    .pipe(z.int().min(1).max(100_000))
    .default(200)
    .describe('requests this server serves at once; more are refused at once, with 503 `overloaded`'),
  ROSTER_CONNECTIONS_MAX: whole
    .pipe(z.int().min(10).max(100_000))
    .default(2_500)
    .describe(
      'connections of clients that are open at once, of one address half of them unless proxies are trusted',
    ),
  ROSTER_STREAMS_PER_KEY_MAX: whole
    .pipe(z.int().min(1).max(1_000))
    .default(100)
    .describe('streams of events that one key has open on this server at once; more are refused, with 429'),
  ROSTER_REQUIRE_IF_MATCH: toggle
    .default('false')
    .describe('`true`: a change must say which version it changes'),
  ROSTER_DOCS: toggle
    .default('true')
    .describe('`false`: no page of the operations at `/docs` (404); `/openapi.json` and `/docs/errors` stay'),
  ROSTER_WEBHOOK_ALLOW_PRIVATE: toggle
    .default('false')
    .describe('`true`: webhooks may be in private networks and on this machine, and be called by plain http'),
  ROSTER_WEBHOOKS_MAX: whole
    .pipe(z.int().min(1).max(10_000))
    .default(100)
    .describe('webhooks there may be; one more is refused, with 409 `limit_reached`'),
  ROSTER_CORS_ORIGINS: list
    .pipe(z.array(z.url({ protocol: /^https?$/ })))
    .default([])
    .describe('origins whose pages may call, separated by commas'),
  ROSTER_TRUSTED_PROXIES: list
    .pipe(z.array(z.string().superRefine(refuseUnread(compileProxy))))
    .default([])
    .describe('addresses or networks of proxies whose `X-Forwarded-For` is believed, separated by commas'),
  ROSTER_DRAIN_DELAY_MS: milliseconds
    .default(0)
    .describe(
      'told to stop, the server goes on for so long while `/readyz` already answers 503, so that a balancer notices',
    ),
  ROSTER_DRAIN_MS: milliseconds
    .default(10_000)
    .describe('how long requests get to finish after that, before their connections are closed'),
  ROSTER_METRICS_PORT: whole
    .pipe(z.int().max(65_535))
    .optional()
    .describe('where Prometheus finds the metrics, on a port of their own; 0 takes a free one'),
  ROSTER_METRICS_HOST: z.string().min(1).optional().describe('the address of that port; `HOST` unless given'),
  ROSTER_SLOW_QUERY_MS: whole
    .pipe(z.int().max(3_600_000))
    .default(500)
    .describe('a statement that takes as long is logged with its plan; 0 for none'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("where traces are sent (OTLP over HTTP); the SDK's other `OTEL_` variables are read too"),
  OTEL_TRACES_SAMPLER: z
    .enum(samplerNames)
    .default('parentbased_always_on')
    .describe('which requests are traced, by the names of OpenTelemetry'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('the share of them, for the samplers by ratio'),
  ROSTER_LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`'),
  ROSTER_LOG_FORMAT: z
    .enum(logFormats)
    .default('auto')
    .describe('`json`, `pretty` for people, or `auto`: `pretty` on a terminal and `json` elsewhere'),
});

export interface Config {
  /** The address to listen on. */
  host: string;
  /** The port to listen on; 0 takes a free one. */
  port: number;
  /** The PostgreSQL to use; without it the local one. */
  databaseUrl: string | undefined;
  /** Its standbys that are read from. */
  replicaUrls: string[];
  /** How far behind a standby may be and still be read from, in milliseconds. */
  replicaLagMaxMs: number;
  /** Where the local PostgreSQL keeps its data: an absolute path. */
  dataDir: string;
  /** How the requests reach it; `connect` takes these. */
  database: {
    pool: { max: number; idleTimeoutMs: number };
    timeouts: { connectMs: number; statementMs: number };
    preparedStatementsMax?: number;
  };
  /** How long a deleted record can be restored, in days. */
  retentionDays: number;
  /** A secret with all scopes that no table holds; instead of the first key. */
  adminKey: string | undefined;
  /** Requests a minute for each key, and each address without one; 0 for no limit. */
  rateLimit: number;
  /** Requests served at once; more are refused. */
  requestsMax: number;
  /** Connections that are open at once. */
  connectionsMax: number;
  /** Streams of one key that are open at once. */
  streamLimits: { perKeyMax: number };
  /** Whether a change must say which version it changes (428). */
  isVersionRequired: boolean;
  /** Whether the page of the operations is served at /docs. */
  isDocsPageServed: boolean;
  /** Whether webhooks may be in private networks, and be called by plain http. */
  isPrivateWebhookAllowed: boolean;
  /** Webhooks there may be at most. */
  webhooksMax: number;
  /** Origins whose pages may call (CORS); none unless given. */
  corsOrigins: string[];
  /** Addresses or networks of proxies whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  /** How long to go on serving, as one that is not ready, before the drain. */
  drainDelayMs: number;
  /** How long what runs gets to finish. */
  drainMs: number;
  /** Where the metrics are served; nowhere unless given. Port 0 takes a free one. */
  metricsAt: { host: string; port: number } | undefined;
  /** A statement that takes as long, in milliseconds, is said in the log with its plan; 0 for none. */
  slowQueryMs: number;
  /** What is traced; nothing unless given. */
  traces: TracingConfig | undefined;
  logLevel: z.infer<typeof Environment>['ROSTER_LOG_LEVEL'];
  /** Whether the log is for people or for machines; by itself the first on a terminal. */
  logFormat: (typeof logFormats)[number];
}

/** A setting that is not as it must be; the message names it. */
export class ConfigError extends Error {}

/**
 * Reads the settings from environment variables; an empty one counts as not set. A secret X may come from the file that
 * X_FILE names. Throws ConfigError, which names every fault: unknown `ROSTER_*` variables among them.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const names = [...Object.keys(Environment.shape), ...secretSettings.map((name) => `${name}_FILE`)];
  const faults = unknownSettings(given, names);
  const { values, faults: faultsOfFiles } = withSecretsFromFiles(given, secretSettings);
  faults.push(...faultsOfFiles);
  const result = Environment.safeParse(values);
  for (const { path, message } of result.error?.issues ?? []) faults.push(`${path.join('.')}: ${message}`);
  if (values.DATABASE_REPLICA_URLS !== undefined && values.DATABASE_URL === undefined) {
    faults.push('DATABASE_REPLICA_URLS: needs DATABASE_URL, the primary of these standbys');
  }
  const { PORT, HOST, ROSTER_METRICS_PORT, ROSTER_METRICS_HOST = HOST } = result.data ?? {};
  if (PORT !== 0 && PORT !== undefined && PORT === ROSTER_METRICS_PORT && HOST === ROSTER_METRICS_HOST) {
    faults.push('ROSTER_METRICS_PORT: is the port of the service itself (PORT): choose another one');
  }
  if (!result.success || faults.length > 0) throw new ConfigError(faults.join('\n'));
  return configOf(result.data);
}

function configOf(settings: z.output<typeof Environment>): Config {
  return {
    host: settings.HOST,
    port: settings.PORT,
    databaseUrl: settings.DATABASE_URL,
    replicaUrls: settings.DATABASE_REPLICA_URLS,
    replicaLagMaxMs: settings.ROSTER_REPLICA_LAG_MAX_MS,
    dataDir: resolve(settings.ROSTER_DATA_DIR),
    database: {
      pool: {
        max: settings.ROSTER_DATABASE_CONNECTIONS_MAX,
        idleTimeoutMs: settings.ROSTER_DATABASE_IDLE_TIMEOUT_MS,
      },
      timeouts: {
        connectMs: settings.ROSTER_DATABASE_CONNECT_TIMEOUT_MS,
        statementMs: settings.ROSTER_STATEMENT_TIMEOUT_MS,
      },
      ...(settings.ROSTER_DATABASE_NAMED_STATEMENTS === 'false' && { preparedStatementsMax: 0 }),
    },
    retentionDays: settings.ROSTER_RETENTION_DAYS,
    adminKey: settings.ROSTER_ADMIN_KEY,
    rateLimit: settings.ROSTER_RATE_LIMIT,
    requestsMax: settings.ROSTER_REQUESTS_MAX,
    connectionsMax: settings.ROSTER_CONNECTIONS_MAX,
    streamLimits: { perKeyMax: settings.ROSTER_STREAMS_PER_KEY_MAX },
    isVersionRequired: settings.ROSTER_REQUIRE_IF_MATCH === 'true',
    isDocsPageServed: settings.ROSTER_DOCS === 'true',
    isPrivateWebhookAllowed: settings.ROSTER_WEBHOOK_ALLOW_PRIVATE === 'true',
    webhooksMax: settings.ROSTER_WEBHOOKS_MAX,
    corsOrigins: settings.ROSTER_CORS_ORIGINS,
    trustedProxies: settings.ROSTER_TRUSTED_PROXIES,
    drainDelayMs: settings.ROSTER_DRAIN_DELAY_MS,
    drainMs: settings.ROSTER_DRAIN_MS,
    metricsAt: metricsOf(settings),
    slowQueryMs: settings.ROSTER_SLOW_QUERY_MS,
    traces: tracingOf(settings),
    logLevel: settings.ROSTER_LOG_LEVEL,
    logFormat: settings.ROSTER_LOG_FORMAT,
  };
}

type Settings = z.output<typeof Environment>;

function metricsOf({ HOST, ROSTER_METRICS_HOST, ROSTER_METRICS_PORT }: Settings): Config['metricsAt'] {
  if (ROSTER_METRICS_PORT === undefined) return undefined;
  return { host: ROSTER_METRICS_HOST ?? HOST, port: ROSTER_METRICS_PORT };
}

function tracingOf(settings: Settings): TracingConfig | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG } = settings;
  if (OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  return { sampler: OTEL_TRACES_SAMPLER, ratio: OTEL_TRACES_SAMPLER_ARG };
}
