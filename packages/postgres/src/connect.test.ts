import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, connectionCounts } from './connect.ts';
import { createTestDatabase, type TestDatabase } from './testing/driver-helpers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

describe('a connection', () => {
  it('is opened with a URL or with parameters', async () => {
    const db = connect({ connection: database.url });
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
    await db.destroy();
    expect(rows).toEqual([{ name: database.connection.database }]);
  });

  it('has its statements cancelled after the statement timeout', async () => {
    const db = connect({ connection: database.connection, timeouts: { statementMs: 500 } });
    await expect(sql`select pg_sleep(5)`.execute(db)).rejects.toMatchObject({ code: '57014' });
    await db.destroy();
  });

  it('has a statement timeout of five seconds by default', async () => {
    const { rows } = await sql`show statement_timeout`.execute(database.db);
    expect(rows).toEqual([{ statement_timeout: '5s' }]);
  });

  it('begins sequential scans at the first block, so that a LIMIT without an order is repeatable', async () => {
    const { db } = database;
    const setting = db.selectNoFrom((eb) =>
      eb.fn('current_setting', [eb.val('synchronize_seqscans')]).as('value'),
    );
    const pipelined = await setting.executeTakeFirst();
    const dedicated = await db.transaction().execute((trx) => trx.executeQuery(setting.compile()));
    expect([pipelined, ...dedicated.rows]).toEqual([{ value: 'off' }, { value: 'off' }]);
  });

  it('has a lock timeout and an idle timeout for transactions by default', async () => {
    const { rows } = await sql`select current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle`.execute(database.db);
    expect(rows).toEqual([{ lock: '3s', idle: '10s' }]);
  });

  it('fails with a ConnectionLostError after its transaction was idle for too long', async () => {
    const db = connect({ connection: database.connection, timeouts: { idleTransactionMs: 20 } });
    const idle = db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
      await setTimeout(100);
      await sql`select 1`.execute(trx);
    });
    await expect(idle).rejects.toMatchObject({ name: 'ConnectionLostError' });
    await db.destroy();
  });

  it('is counted and replaced if it is lost while idle, and ends nothing', async () => {
    const db = connect({ connection: database.connection, pool: { max: 1 } });
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(database.db);
    await expect.poll(() => connectionCounts(db).dedicatedLost).toBe(1);
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    await db.destroy();
  });

  it('is rejected if nothing listens on the port', async () => {
    const db = connect({ connection: { ...database.connection, port: 1 }, timeouts: { connectMs: 200 } });
    await expect(sql`select 1`.execute(db)).rejects.toThrow();
    await db.destroy();
  });
});
