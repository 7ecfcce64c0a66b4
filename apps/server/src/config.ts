import { resolve } from 'node:path';
import { z } from 'zod';

const whole = z.string().regex(/^\d+$/, 'must be a whole number').transform(Number);

/** Every setting of the server, from the environment; README.md lists them. */
const Environment = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: whole.pipe(z.int().max(65_535)).default(3000),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }).optional(),
  ROSTER_DATA_DIR: z.string().min(1).default('.roster'),
  ROSTER_RETENTION_DAYS: whole.pipe(z.int().min(1).max(3_650)).default(30),
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
  const { HOST, PORT, DATABASE_URL, ROSTER_DATA_DIR, ROSTER_RETENTION_DAYS, ROSTER_LOG_LEVEL } = result.data;
  return {
    host: HOST,
    port: PORT,
    databaseUrl: DATABASE_URL,
    dataDir: resolve(ROSTER_DATA_DIR),
    retentionDays: ROSTER_RETENTION_DAYS,
    logLevel: ROSTER_LOG_LEVEL,
  };
}
