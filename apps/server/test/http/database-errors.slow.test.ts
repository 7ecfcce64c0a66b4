import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { whileLocked } from '../support/locks.ts';
import { expectProblem } from '../support/problems.ts';

describe('a database in trouble', () => {
  /** What is answered to a request that waits for a lock while the connections of the waiting are cut, once. */
  async function cutWhileWaiting(cut: TestServer, request: () => Promise<Response>): Promise<Response> {
    return whileLocked(cut, async () => {
      const waiting = request();
      const killed = sql<{ pid: number }>`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into "office"%'`;
      await expect.poll(async () => (await killed.execute(cut.database.db)).rows.length).toBe(1);
      return waiting;
    });
  }

  it('is 503 for a write whose connection is cut while it waits, and the next one is served', async () => {
    await using cut = await startTestServer({ connection: { pool: { max: 1 } } });
    const write = () => cut.request('POST', '/offices', { name: 'Baixa' });
    expect((await cutWhileWaiting(cut, write)).status).toBe(503);
    expect((await write()).status).toBe(201);
    const { items } = await directoryOf(cut).list('offices');
    expect(items).toHaveLength(1);
  });

  it.each([
    ['rest', '/offices'],
    ['rpc', '/trpc/offices.create'],
  ])(
    'says that a change may have been made, with Retry-After only for an Idempotency-Key: %s',
    async (_, path) => {
      await using cut = await startTestServer({ connection: { pool: { max: 1 } } });
      for (const headers of [{}, { 'Idempotency-Key': 'once' }]) {
        const write = () => cut.request('POST', path, { name: 'Baixa' }, headers);
        const response = await cutWhileWaiting(cut, write);
        expect([response.status, response.headers.get('Retry-After')]).toEqual([
          503,
          'Idempotency-Key' in headers ? '1' : null,
        ]);
        expect(await response.text()).toContain('the change may have been made');
      }
    },
  );

  it('is 503 with Retry-After if no connection could be opened, for a change too', async () => {
    await using cut = await startTestServer();
    await cut.request('POST', '/offices', { name: 'Baixa' });
    await using lonely = await startTestServer({
      database: cut.database,
      connection: { connection: 'postgres://127.0.0.1:1/none' },
      workersConnection: cut.database.connection,
    });
    const response = await lonely.request('POST', '/offices', { name: 'Chiado' });
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '1']);
    await expectProblem(response, 'unavailable');
  });

  it('is not returned for a read whose database connection breaks: the read is repeated', async () => {
    await using cut = await startTestServer();
    const ended = sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'roster' and pid <> pg_backend_pid()
        and query_start is not null
      order by query_start desc limit 1`;
    const readTwenty = () => Array.from({ length: 20 }, () => cut.request('GET', '/offices'));
    for (let round = 0; round < 5; round += 1) {
      // All sessions are open before: one that ends while it is being opened has nothing to be asked again.
      await Promise.all(readTwenty());
      const reads = readTwenty();
      await ended.execute(cut.database.db).catch(() => undefined);
      expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(reads.map(() => 200));
    }
  });

  it('leaves /healthz well and makes /readyz 503', async () => {
    await using lonely = await startTestServer({ connection: { connection: 'postgres://127.0.0.1:1/none' } });
    expect((await lonely.request('GET', '/healthz')).status).toBe(200);
    await expectProblem(await lonely.request('GET', '/readyz'), 'unavailable');
  });

  it('makes /readyz 503 until it is migrated', async () => {
    await using old = await startTestServer();
    expect((await old.request('GET', '/readyz')).status).toBe(200);
    await sql`delete from kysely_migration`.execute(old.database.db);
    // Those who ask within a quarter of a second share one look at the database.
    await expect.poll(async () => (await old.request('GET', '/readyz')).status).toBe(503);
    await expectProblem(await old.request('GET', '/readyz'), 'unavailable');
  });
});
