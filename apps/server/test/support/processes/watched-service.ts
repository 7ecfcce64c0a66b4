import type { TestDatabase } from '@roster/db/testing';
import { readConfig } from '../../../src/config/config.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { startService } from '../../../src/server.ts';

/** The whole service as it is started, in this process, and all it logs. */
export interface WatchedService extends AsyncDisposable {
  url: string;
  key: string;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Every line of the log so far. */
  lines(): Record<string, unknown>[];
  /** The metrics in Prometheus's text format. Rejects if they are not served. */
  scrape(): Promise<string>;
  close(): Promise<void>;
}

const KEY = 'a-key-for-tests-of-what-is-watched-0';

/** Starts the service over a test's database, with more settings as the environment has them. */
export async function startWatchedService(
  { url: databaseUrl }: Pick<TestDatabase, 'url'>,
  settings: Record<string, string> = {},
): Promise<WatchedService> {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    PORT: '0',
    ROSTER_ADMIN_KEY: KEY,
    ROSTER_RATE_LIMIT: '0',
    ROSTER_LOG_LEVEL: 'trace',
    ROSTER_WEBHOOK_ALLOW_PRIVATE: 'true',
    ...settings,
  });
  const written: string[] = [];
  const log = createLogger(config.logLevel, { write: (line) => written.push(line) });
  const service = await startService(config, { log });
  const close = () => service.close();
  return {
    url: service.url,
    key: KEY,
    request: (method, path, body, headers = {}) =>
      fetch(`${service.url}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${KEY}`,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    lines: () => written.map((line) => JSON.parse(line)),
    scrape: async () => (await fetch(service.metricsUrl ?? '')).text(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
