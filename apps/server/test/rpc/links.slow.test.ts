import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../support/http/rpc-links.ts';
import { startTestServer } from '../support/index.ts';

describe('a streamed batch', () => {
  it('returns the result of a quick call while another waits, and holds its slot of the concurrency limit until its end', async () => {
    await using narrow = await startTestServer({ requestsMax: 1 });
    const client = clientOf('httpBatchStreamLink', narrow);
    const { waiting, status } = await narrow.database.db.transaction().execute(async (trx) => {
      await sql`lock table agent in access exclusive mode`.execute(trx);
      const quick = client.offices.list.query({});
      const slow = client.agents.list.query({});
      expect((await quick).items).toEqual([]);
      return { waiting: { slow }, status: (await narrow.request('GET', '/offices')).status };
    });
    expect(status).toBe(503);
    expect((await waiting.slow).items).toEqual([]);
    await expect.poll(async () => (await narrow.request('GET', '/offices')).status).toBe(200);
  });
});
