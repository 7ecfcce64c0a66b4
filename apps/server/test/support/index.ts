import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectOptions, connect } from '@roster/db';
import { createTestDatabase, PATIENT_TIMEOUTS, type TestDatabase } from '@roster/db/testing';
import type { FastifyInstance } from 'fastify';
import { type AppOptions, buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { createWorkers, type WebhookOptions } from '../../src/workers/index.ts';
import { watchContract } from './contract.ts';

export { createSession } from '@roster/api/testing';

export interface TestServer extends AsyncDisposable {
  /** The URL of the server, without a slash at the end. */
  url: string;
  /** A key with all scopes. */
  key: string;
  /**
   * A REST request to a path of it; an object as the body is sent as JSON, text and bytes as they are.
   * It carries the key, unless the headers say otherwise.
   */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  database: TestDatabase;
}

interface TestServerOptions
  extends Omit<Partial<AppOptions>, 'db' | 'keys' | 'notifier' | 'sender' | 'limiter'> {
  /** How the server connects to the database if not as the test does: with shorter timeouts, or to no server. */
  connection?: Partial<ConnectOptions>;
  /** Where the workers find the database, if not where the requests do. */
  workersConnection?: TestDatabase['connection'];
  /** How webhooks are delivered; by default receivers may be on this machine. */
  webhooks?: Partial<WebhookOptions>;
  /** Requests a minute for each key, and each address without one; no limit unless given. */
  rateLimit?: number;
  /** The clock of the rate limit, in milliseconds: one that stands still never gives a quota back. */
  rateLimitNowMs?: () => number;
  /** The days before the last day of a licence on which a notice is written; none unless given. */
  licenseNoticeDays?: readonly number[];
  /** The database of another server, to be a second one beside it; else one of its own. */
  database?: TestDatabase;
}

function sent(body: unknown): string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);
}

/** A real server on a free port, over a database of its own unless one is passed; both are removed on disposal. */
export async function startTestServer({
  connection,
  workersConnection,
  database: lent,
  webhooks,
  rateLimit = 0,
  rateLimitNowMs,
  licenseNoticeDays,
  ...options
}: TestServerOptions = {}): Promise<TestServer> {
  const database = lent ?? (await createTestDatabase({ requiresEvents: true }));
  // As the settings have it, unless a test chooses another one.
  await database.db
    .insertInto('directory_setting')
    .values({ default_country: 'US', updated_at: options.now?.() ?? new Date() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const db = connection ? connect({ connection: database.connection, ...connection }) : database.db;
  const key = `test-key-${randomBytes(16).toString('hex')}`;
  const workers = createWorkers({
    connection: workersConnection ?? connection?.connection ?? database.connection,
    database: { timeouts: PATIENT_TIMEOUTS },
    db,
    adminKey: key,
    ...(rateLimitNowMs && { rateLimitNowMs }),
    ...(licenseNoticeDays && { licenseNoticeDays }),
    ...(options.now && { now: options.now }),
    webhooks: { isPrivateAllowed: true, ...webhooks },
    rateLimit,
    retentionDays: options.retentionDays ?? 30,
    defaultCountry: options.defaultCountry,
    onFailure: () => undefined,
  });
  workers.start();
  const { keys, notifier, sender, limiter } = workers;
  let violations: string[] = [];
  const observe = (observed: FastifyInstance) => {
    violations = watchContract(observed);
  };
  const app = await buildApp({
    ...readConfig({}),
    db,
    keys,
    notifier,
    sender,
    limiter,
    logLevel: 'silent',
    // Whether it is built differs from machine to machine.
    consoleDirectory: join(tmpdir(), 'roster-without-console'),
    observe,
    ...options,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    key,
    request: (method, path, body, headers = {}) =>
      fetch(`${url}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: sent(body) }),
      }),
    database,
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await workers[Symbol.asyncDispose]();
      if (db !== database.db) await db.destroy();
      if (lent === undefined) await database[Symbol.asyncDispose]();
      if (violations.length > 0) throw new Error(`not as documented:\n${violations.slice(0, 10).join('\n')}`);
    },
  };
}

export { type ServiceProcess, startServiceProcess } from './processes/service-process.ts';
