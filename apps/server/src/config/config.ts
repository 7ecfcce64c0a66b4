import { resolve } from 'node:path';
import { PhoneCountry } from '@roster/api';
import { parseConnectionString } from '@roster/db';
import { z } from 'zod';
import { mailConfigOf, mailErrors, mailSettings } from './mail-settings.ts';
import { withSecretsFromFiles } from './secret-files.ts';
import {
  compileProxy,
  dayCounts,
  list,
  milliseconds,
  parseable,
  processCount,
  toggle,
  urlOf,
  whole,
} from './setting-types.ts';
import { signInConfigOf, signInErrors, signInSettings } from './sign-in-settings.ts';
import { unknownSettings } from './unknown-settings.ts';

/** Each may come from a file that `X_FILE` names. */
export const secretSettings = [
  'DATABASE_URL',
  'ROSTER_ADMIN_KEY',
  'ROSTER_OIDC_CLIENT_SECRET',
  'ROSTER_SMTP_URL',
] as const;

/** The environment variables of the server. `roster-server settings` prints their descriptions and defaults. */
export const Environment = z.object({
  HOST: z.string().min(1).default('127.0.0.1').describe('the address to listen on'),
  PORT: whole.pipe(z.int().max(65_535)).default(3000).describe('the port to listen on; 0 takes a free one'),
  ROSTER_PROCESSES: processCount
    .default(1)
    .describe(
      'the number of processes that share the port and use one core each, or `auto` for one for each core',
    ),
  DATABASE_URL: z
    .string()
    .superRefine(parseable(parseConnectionString))
    .optional()
    .describe(
      'a `postgres://` URL of a PostgreSQL 15 or later; its user may create the extension `pg_trgm`, or the extension is installed; by default the local PostgreSQL',
    ),
  ROSTER_DATA_DIR: z.string().min(1).default('.roster').describe('the directory of the local PostgreSQL'),
  ROSTER_DATABASE_CONNECTIONS_MAX: whole
    .pipe(z.int().min(1).max(1_000))
    .default(10)
    .describe(
      'the maximum number of connections for transactions, counts and slow statements; short statements share others (`roster-server --check` prints the total)',
    ),
  ROSTER_DATABASE_CONNECT_TIMEOUT_MS: milliseconds
    .pipe(z.int().min(1))
    .default(3_000)
    .describe('how long a request waits for a connection; then the response is 503'),
  ROSTER_DATABASE_IDLE_TIMEOUT_MS: milliseconds
    .default(10_000)
    .describe('a connection for writes that is unused for this long is closed; 0 keeps it open'),
  ROSTER_STATEMENT_TIMEOUT_MS: milliseconds
    .default(5_000)
    .describe(
      'a statement of a request that runs longer is cancelled, and the response is 503; 0 for no limit',
    ),
  ROSTER_RETENTION_DAYS: whole
    .pipe(z.int().min(1).max(3_650))
    .default(30)
    .describe('for how many days a deleted record can be restored, and finished deliveries are kept'),
  ROSTER_DEFAULT_COUNTRY: PhoneCountry.optional().describe(
    'the country of phone numbers without a country code in records whose address and offices name none, as an ISO 3166-1 alpha-2 code; overrides the default country of the settings, which cannot be changed then',
  ),
  ROSTER_LICENSE_NOTICE_DAYS: dayCounts({ max: 365, countMax: 10 })
    .default([90, 60, 30, 0])
    .describe(
      'how many days before the last day of a licence there is an event `license_expiring`, separated by commas, each 0 to 365; `off` for no such events',
    ),
  ROSTER_HISTORY_DAYS: whole
    .pipe(z.int().min(1).max(36_500))
    .default(730)
    .describe(
      'for how many days the log keeps every event, which is also the history of the records; at least `ROSTER_RETENTION_DAYS`, a smaller value counts as that',
    ),
  ROSTER_ADMIN_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{32,200}$/, 'must be 32 to 200 visible ASCII characters without spaces')
    .optional()
    .describe('an API key with all scopes, of 32 to 200 visible characters; with it no first key is created'),
  ...signInSettings,
  ...mailSettings,
  ROSTER_RATE_LIMIT: whole
    .pipe(z.int().max(1_000_000_000))
    .default(600)
    .describe(
      'requests a minute for each key, and for each address without a key, divided by the servers that run; 0 for no limit',
    ),
  ROSTER_REQUESTS_MAX: whole
    .pipe(z.int().min(1).max(100_000))
    .default(200)
    .describe('requests that this server serves at the same time; more are rejected with 503 `overloaded`'),
  ROSTER_CONNECTIONS_MAX: whole
    .pipe(z.int().min(10).max(100_000))
    .default(2_500)
    .describe('open connections of clients; one address may have half of them, unless proxies are trusted'),
  ROSTER_STREAMS_PER_KEY_MAX: whole
    .pipe(z.int().min(1).max(1_000))
    .default(100)
    .describe('event streams that one key may have open on this server; more are rejected with 429'),
  ROSTER_REQUIRE_IF_MATCH: toggle
    .default('false')
    .describe('`true`: a change must name the version that it changes (`If-Match`)'),
  ROSTER_DOCS: toggle
    .default('true')
    .describe(
      '`false`: the page of the operations at `/docs` is 404; `/openapi.json` and `/docs/errors` stay',
    ),
  ROSTER_CONSOLE: toggle.default('true').describe('`false`: the console at `/console/` is 404'),
  ROSTER_WEBHOOK_ALLOW_PRIVATE: toggle
    .default('false')
    .describe('`true`: URLs of webhooks may be in private networks and on this machine, and use plain http'),
  ROSTER_WEBHOOKS_MAX: whole
    .pipe(z.int().min(1).max(10_000))
    .default(100)
    .describe(
      'the maximum number of webhooks, half of them of one key or person; one more is rejected with 409 `limit_reached`',
    ),
  ROSTER_CORS_ORIGINS: list
    .pipe(z.array(urlOf(/^https?$/, 'https://www.example')))
    .default([])
    .describe('origins whose pages may call the API (CORS), separated by commas'),
  ROSTER_TRUSTED_PROXIES: list
    .pipe(z.array(z.string().superRefine(parseable(compileProxy))))
    .default([])
    .describe('addresses or networks of proxies whose `X-Forwarded-For` is trusted, separated by commas'),
  ROSTER_DRAIN_DELAY_MS: milliseconds
    .default(0)
    .describe(
      'how long a server that is told to stop serves requests while `/readyz` is 503, so that a load balancer notices',
    ),
  ROSTER_DRAIN_MS: milliseconds
    .default(10_000)
    .describe('how long requests may take to finish after that, before their connections are closed'),
  ROSTER_METRICS_PORT: whole
    .pipe(z.int().max(65_535))
    .optional()
    .describe('the port of the metrics for Prometheus; 0 takes a free one; by default there are no metrics'),
  ROSTER_METRICS_HOST: z.string().min(1).optional().describe('the address of that port; by default `HOST`'),
  ROSTER_SLOW_QUERY_MS: whole
    .pipe(z.int().max(3_600_000))
    .default(500)
    .describe('the duration from which a statement is logged as slow; 0 for no slow query log'),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(/^https?$/, 'http://127.0.0.1:4318')
    .optional()
    .describe(
      "the URL to which traces are sent (OTLP over HTTP); the SDK's other `OTEL_` variables are read too",
    ),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on')
    .describe('which requests are traced, as OpenTelemetry names the samplers'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('the share of requests that is traced, for the samplers by ratio'),
  ROSTER_LOG_LEVEL: z
    .enum(['auto', 'fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('auto')
    .describe(
      '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`, or `auto`: `warn` on a terminal and `info` elsewhere',
    ),
  ROSTER_LOG_FORMAT: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .describe('`json`, `pretty` for people, or `auto`: `pretty` on a terminal and `json` elsewhere'),
});

type Settings = z.output<typeof Environment>;

export type Config = ReturnType<typeof configOf>;

export class ConfigError extends Error {}

/** Treats an empty variable as not set. Throws ConfigError that names every invalid setting and every unknown `ROSTER_*` variable. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const names = [...Object.keys(Environment.shape), ...secretSettings.map((name) => `${name}_FILE`)];
  const errors = unknownSettings(given, names);
  const { values, errors: fileErrors } = withSecretsFromFiles(given, secretSettings);
  errors.push(...fileErrors);
  // For a schema that is used once, compiling it takes longer than parsing with it.
  const result = Environment.safeParse(values, { jitless: true, error: faultOf });
  for (const { path, message } of result.error?.issues ?? []) errors.push(`${path.join('.')}: ${message}`);
  const { PORT, HOST, ROSTER_METRICS_PORT, ROSTER_METRICS_HOST = HOST } = result.data ?? {};
  if (PORT !== 0 && PORT !== undefined && PORT === ROSTER_METRICS_PORT && HOST === ROSTER_METRICS_HOST) {
    errors.push('ROSTER_METRICS_PORT: is the port of the service itself (PORT): choose another one');
  }
  errors.push(...signInErrors(result.data), ...mailErrors(result.data));
  if (!result.success || errors.length > 0) throw new ConfigError(errors.join('\n'));
  return configOf(result.data);
}

/** The message for a wrong value, where its setting has no words of its own for it. */
function faultOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return 'must be a number';
  if (issue.code === 'invalid_value') return `must be ${choices.format(issue.values.map(String))}`;
  if (issue.code !== 'too_big' && issue.code !== 'too_small') return undefined;
  const [word, bound] = issue.code === 'too_big' ? ['at most', issue.maximum] : ['at least', issue.minimum];
  return `must be ${word} ${bound.toLocaleString('en')}${units[issue.origin] ?? ''}`;
}

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' values' };
const choices = new Intl.ListFormat('en', { type: 'disjunction' });

function configOf(settings: Settings) {
  const processes = settings.ROSTER_PROCESSES;
  return {
    /** The limits below are those of one process. */
    processes,
    host: settings.HOST,
    port: settings.PORT,
    /** Undefined for the local PostgreSQL. */
    databaseUrl: settings.DATABASE_URL,
    dataDir: resolve(settings.ROSTER_DATA_DIR),
    database: {
      pool: {
        max: shareOf(settings.ROSTER_DATABASE_CONNECTIONS_MAX, processes),
        idleTimeoutMs: settings.ROSTER_DATABASE_IDLE_TIMEOUT_MS,
      },
      pipeline: { connections: shareOf(LANE_CONNECTIONS, processes) },
      timeouts: {
        connectMs: settings.ROSTER_DATABASE_CONNECT_TIMEOUT_MS,
        statementMs: settings.ROSTER_STATEMENT_TIMEOUT_MS,
      },
    },
    retentionDays: settings.ROSTER_RETENTION_DAYS,
    /** Undefined leaves it to the settings of the directory. */
    defaultCountry: settings.ROSTER_DEFAULT_COUNTRY,
    licenseNoticeDays: settings.ROSTER_LICENSE_NOTICE_DAYS,
    historyDays: Math.max(settings.ROSTER_HISTORY_DAYS, settings.ROSTER_RETENTION_DAYS),
    /** Has all scopes, and is in no table. */
    adminKey: settings.ROSTER_ADMIN_KEY,
    ...signInConfigOf(settings),
    mail: mailConfigOf(settings),
    /** Per minute and key, or address without one; 0 for no limit. */
    rateLimit: settings.ROSTER_RATE_LIMIT,
    requestsMax: shareOf(settings.ROSTER_REQUESTS_MAX, processes),
    connectionsMax: shareOf(settings.ROSTER_CONNECTIONS_MAX, processes),
    streamLimits: { perKeyMax: settings.ROSTER_STREAMS_PER_KEY_MAX },
    isVersionRequired: settings.ROSTER_REQUIRE_IF_MATCH === 'true',
    isDocsPageServed: settings.ROSTER_DOCS === 'true',
    isConsoleServed: settings.ROSTER_CONSOLE === 'true',
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

/** For each kind of short statement: reads by a key, pages, and changes. */
const LANE_CONNECTIONS = 4;

function shareOf(limit: number, processes: number): number {
  return Math.ceil(limit / processes);
}

function metricsOf({ HOST, ROSTER_METRICS_HOST, ROSTER_METRICS_PORT }: Settings) {
  if (ROSTER_METRICS_PORT === undefined) return undefined;
  return { host: ROSTER_METRICS_HOST ?? HOST, port: ROSTER_METRICS_PORT };
}

function tracingOf(settings: Settings) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG } = settings;
  if (OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  return { sampler: OTEL_TRACES_SAMPLER, ratio: OTEL_TRACES_SAMPLER_ARG };
}
