import { type ConnectOptions, connect } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { type AppOptions, buildApp } from './app.ts';

export interface TestServer extends AsyncDisposable {
  /** Where it listens, without a slash at the end. */
  url: string;
  /** A REST request to a path of it; an object as the body is sent as JSON, text and bytes as they are. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  database: TestDatabase;
}

interface TestServerOptions extends Pick<AppOptions, 'now' | 'timeouts'> {
  /** How the server connects where that differs from how the test does: with less patience, or to nothing. */
  connection?: Partial<ConnectOptions>;
}

function sent(body: unknown): string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);
}

/** A real server on a free port over a database of its own; both are gone when it is disposed of. */
export async function startTestServer({
  connection,
  ...options
}: TestServerOptions = {}): Promise<TestServer> {
  const database = await createTestDatabase();
  const db = connection ? connect({ connection: database.connection, ...connection }) : database.db;
  const app = await buildApp({ db, retentionDays: 30, logLevel: 'silent', ...options });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    request: (method, path, body, headers = {}) =>
      fetch(`${url}${path}`, {
        method,
        headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: sent(body) }),
      }),
    database,
    [Symbol.asyncDispose]: async () => {
      await app.close();
      if (db !== database.db) await db.destroy();
      await database[Symbol.asyncDispose]();
    },
  };
}
