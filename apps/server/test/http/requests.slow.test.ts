import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

describe('parameters', () => {
  it('are read as text of any kind without a fall', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), async (text) => {
        const response = await server.request('GET', `/offices?q=${encodeURIComponent(text)}&limit=1`);
        expect([200, 400]).toContain(response.status);
        await response.text();
      }),
      { numRuns: 60 },
    );
  });
});
