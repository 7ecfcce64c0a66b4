import { afterAll, beforeAll } from 'vitest';
import { startTestServer, type TestServer } from './index.ts';

/** A server for the tests of a file, which starts before the first of them. */
export function useServer(options: Parameters<typeof startTestServer>[0] = {}): () => TestServer {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(options);
  });
  afterAll(() => server[Symbol.asyncDispose]());
  return () => server;
}
