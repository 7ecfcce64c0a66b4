import { resolve } from 'node:path';
import { z } from 'zod';

const whole = z.string().regex(/^\d+$/, 'must be a whole number').transform(Number);

const list = z.string().transform((text) => text.split(',').map((item) => item.trim()));

/** Every setting of the server, from the environment; README.md lists them. */
const Environment = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: whole.pipe(z.int().max(65_535)).default(3000),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }).optional(),
  ROSTER_DATA_DIR: z.string().min(1).default('.roster'),
  ROSTER_RETENTION_DAYS: whole.pipe(z.int().min(1).max(3_650)).default(30),
  ROSTER_ADMIN_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{32,200}$/, 'must be 32 to 200 visible ASCII characters without spaces')
    .optional(),
  ROSTER_RATE_LIMIT: whole.pipe(z.int().max(1_000_000_000)).default(600),
  ROSTER_REQUESTS_MAX: whole.pipe(z.int().min(1).max(100_000)).default(100),
  ROSTER_REQUIRE_IF_MATCH: z.enum(['true', 'false']).default('false'),
  ROSTER_WEBHOOK_ALLOW_PRIVATE: z.enum(['true', 'false']).default('false'),
  ROSTER_CORS_ORIGINS: list.pipe(z.array(z.url({ protocol: /^https?$/ }))).default([]),
  ROSTER_TRUSTED_PROXIES: list.default([]),
  ROSTER_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export interface Config {
  /** The address to listen on. */
  host: string;
  /** The port to listen on; 0 takes a free one. */
  port: number;
  /** The PostgreSQL to use; without it the embedded one. */
  databaseUrl: string | undefined;
  /** Where the embedded PostgreSQL keeps its data: an absolute path. */
  dataDir: string;
  /** How long a deleted record can be restored, in days. */
  retentionDays: number;
  /** A secret with all scopes that no table holds; instead of the first key. */
  adminKey: string | undefined;
  /** Requests a minute for each key, and each address without one; 0 for no limit. */
  rateLimit: number;
  /** Requests served at once; more are refused. */
  requestsMax: number;
  /** Whether a change must say which version it changes (428). */
  isVersionRequired: boolean;
  /** Whether webhooks may be in private networks, and be called by plain http. */
  isPrivateWebhookAllowed: boolean;
  /** Origins whose pages may call (CORS); none unless given. */
  corsOrigins: string[];
  /** Addresses or networks of proxies whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  logLevel: z.infer<typeof Environment>['ROSTER_LOG_LEVEL'];
}

/** A setting that is not as it must be; the message names it. */
export class ConfigError extends Error {}

/** Reads the settings from environment variables; an empty one counts as not set. Throws ConfigError. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = Environment.safeParse(given);
  if (!result.success) {
    const faults = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new ConfigError(faults.join('\n'));
  }
  return configOf(result.data);
}

function configOf(settings: z.output<typeof Environment>): Config {
  return {
    host: settings.HOST,
    port: settings.PORT,
    databaseUrl: settings.DATABASE_URL,
    dataDir: resolve(settings.ROSTER_DATA_DIR),
    retentionDays: settings.ROSTER_RETENTION_DAYS,
    adminKey: settings.ROSTER_ADMIN_KEY,
    rateLimit: settings.ROSTER_RATE_LIMIT,
    requestsMax: settings.ROSTER_REQUESTS_MAX,
    isVersionRequired: settings.ROSTER_REQUIRE_IF_MATCH === 'true',
    isPrivateWebhookAllowed: settings.ROSTER_WEBHOOK_ALLOW_PRIVATE === 'true',
    corsOrigins: settings.ROSTER_CORS_ORIGINS,
    trustedProxies: settings.ROSTER_TRUSTED_PROXIES,
    logLevel: settings.ROSTER_LOG_LEVEL,
  };
}
