import type { Office } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** A new office that has been changed, so that its version is 2. */
async function officeOfVersion2(): Promise<Office> {
  const { id } = await directoryOf(server).office();
  return directoryOf(server).patch('offices', id, { bio: 'changed' });
}

describe('If-None-Match', () => {
  const read = (id: string, tags: string, method = 'GET') =>
    server.request(method, `/offices/${id}`, undefined, { 'If-None-Match': tags });

  it.each(['"2"', 'W/"2"', '"1", "2"', 'W/"1",W/"2"', '*'])(
    'returns 304 without a body if it names the version: %s',
    async (tags) => {
      const { id } = await officeOfVersion2();
      for (const method of ['GET', 'HEAD']) {
        const response = await read(id, tags, method);
        expect(response.status).toBe(304);
        expect(await response.text()).toBe('');
        expect(response.headers.get('ETag')).toBe('"2"');
        expect(response.headers.get('Cache-Control')).toBe('private, no-cache');
        expect(response.headers.get('Vary')).toContain('Authorization');
      }
    },
  );

  it.each(['"1"', '"22"', '"02"', '"a2"', '2', 'nonsense'])(
    'returns the record if it does not: %s',
    async (tags) => {
      const { id } = await officeOfVersion2();
      const response = await read(id, tags);
      expect(response.status).toBe(200);
      expect((await bodyOf<Office>(response)).id).toBe(id);
    },
  );

  it('does not make a deleted record unchanged', async () => {
    const { id } = await officeOfVersion2();
    await directoryOf(server).remove('offices', id);
    await expectProblem(await read(id, '*'), 'not_found');
  });
});
