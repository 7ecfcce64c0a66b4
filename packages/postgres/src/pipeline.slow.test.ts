import { startProxy } from '@roster/local-postgres/testing/proxy';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionCounts } from './connect.ts';
import { ConnectionLostError } from './errors.ts';
import {
  connected,
  countRuns,
  createTestDatabase,
  killRunning,
  read,
  type TestDatabase,
} from './testing/driver-helpers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`create table note (text text not null)`.execute(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

describe('statements in a pipeline', () => {
  it('each get their own result or their own error', async () => {
    await using db = connected(database, { pipeline: { connections: 1 } });
    const asked = Array.from({ length: 40 }, (_, n) =>
      read<{ n: number }>(db, `select ${n} / (${n} % 4) as n`),
    );
    const responses = await Promise.allSettled(asked);
    responses.forEach((response, n) => {
      if (n % 4 === 0) expect(response).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
      else expect(response).toEqual({ status: 'fulfilled', value: { n: Math.trunc(n / (n % 4)) } });
    });
  });

  it('all get the error of their text, not that of a missing prepared statement', async () => {
    await using db = connected(database, { pipeline: { connections: 1 } });
    const asked = Array.from({ length: 20 }, () => read(db, 'select * from nowhere'));
    for (const response of await Promise.allSettled(asked)) {
      expect(response).toMatchObject({ status: 'rejected', reason: { code: '42P01' } });
    }
    expect(await read(db, 'select 1 as one')).toEqual({ one: 1 });
  });

  it('return values of every type as node-postgres does', async () => {
    await using db = connected(database);
    const text = `select 1::int as i, 2::bigint as l, 'x' as t, null as n, true as b, '{"a":1}'::jsonb as j,
      array[1,2] as a, '\\x00ff'::bytea as y, timestamptz '2026-01-31T08:00:00Z' as z`;
    expect(await read(db, text)).toEqual((await sql.raw(text).execute(database.db)).rows[0]);
  });

  it('do not wait behind a write that waits for a lock', async () => {
    await using db = connected(database, { pipeline: { connections: 1 } });
    await database.db.transaction().execute(async (trx) => {
      await sql`lock table note in exclusive mode`.execute(trx);
      const waiting = sql`insert into note values ('waits')`.execute(db);
      expect(await read(db, 'select count(*)::int as n from note')).toEqual({ n: 0 });
      await sql`rollback`.execute(trx);
      await waiting;
    });
  });
});

describe('a session that is terminated', () => {
  it('does not fail a read, which is sent again with all that was behind it', async () => {
    await using db = connected(database, { pipeline: { connections: 1 } });
    const runs = await countRuns(database);
    // Slow at its first run alone.
    const seconds = `case nextval('${runs.name}') when 1 then 60 else 0 end`;
    const slow = read(db, `select pg_sleep(${seconds}), 'kill me' as text`);
    const behind = read(db, 'select 2 as two');
    await expect.poll(runs.count).toBe(1);
    await killRunning(database, 'kill me');
    expect(await slow).toMatchObject({ text: 'kill me' });
    expect(await behind).toEqual({ two: 2 });
    expect(await runs.count()).toBe(2);
  });

  it('fails a read that was sent again already', async () => {
    await using db = connected(database);
    const runs = await countRuns(database);
    const slow = read(db, `select nextval('${runs.name}'), pg_sleep(60), 'kill twice'`);
    const outcome = expect(slow).rejects.toBeInstanceOf(ConnectionLostError);
    await expect.poll(runs.count).toBe(1);
    await killRunning(database, 'kill twice');
    await expect.poll(runs.count).toBe(2);
    await killRunning(database, 'kill twice');
    await outcome;
    expect(await runs.count()).toBe(2);
  });

  it.each([
    [
      'an insert',
      (run: string) => `insert into note select 'kill ${run}' from (select nextval('${run}')) n, pg_sleep(3)`,
    ],
    [
      'a select whose with inserts',
      (run: string) => `with made as (insert into note values ('kill ${run}') returning 1)
        select nextval('${run}'), pg_sleep(3) from made`,
    ],
  ])('fails %s, which may have been committed and is never sent again', async (_, statement) => {
    await using db = connected(database);
    const runs = await countRuns(database);
    const writing = sql.raw(statement(runs.name)).execute(db);
    const outcome = expect(writing).rejects.toMatchObject({ name: 'ConnectionLostError', code: '08006' });
    await expect.poll(runs.count).toBe(1);
    await killRunning(database, `kill ${runs.name}`);
    await outcome;
    expect(await runs.count()).toBe(1);
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });

  it('is counted if it was idle, and replaced before the next statement', async () => {
    await using db = connected(database);
    const first = await read<{ pid: number }>(db, 'select pg_backend_pid() as pid');
    await sql`select pg_terminate_backend(${first?.pid}::int)`.execute(database.db);
    await expect.poll(() => connectionCounts(db).pipelineLost).toBe(1);
    const next = await read<{ pid: number }>(db, 'select pg_backend_pid() as pid');
    expect(next?.pid).not.toBe(first?.pid);
  });
});

describe('a connection that becomes silent', () => {
  it('is closed: reads run on another one, writes fail, and what follows succeeds', async () => {
    await using proxy = await startProxy(database);
    await using db = connected(proxy, { timeouts: { silenceMs: 300 }, pipeline: { connections: 1 } });
    await Promise.all([read(db, 'select 1'), sql`insert into note values ('heard')`.execute(db)]);
    proxy.silence();
    const reading = read(db, 'select 2 as two');
    await expect(sql`insert into note values ('unconfirmed')`.execute(db)).rejects.toBeInstanceOf(
      ConnectionLostError,
    );
    expect(await reading).toEqual({ two: 2 });
    expect((await sql`select 3 as three`.execute(db)).rows).toEqual([{ three: 3 }]);
  });
});

describe('destroy', () => {
  it('waits for what is in progress, rejects what follows, and leaves no session behind', async () => {
    const db = connected(database, { pipeline: { connections: 1 } });
    const reading = read(db, `select pg_sleep(0.3), 'read' as text`);
    const writing = db.transaction().execute(async (trx) => {
      await sql`select pg_sleep(0.2)`.execute(trx);
      return (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)).rows;
    });
    await sql`select pg_sleep(0.1)`.execute(database.db);
    const ended = db.destroy();
    await expect(read(db, 'select 1')).rejects.toThrow('destroyed');
    await expect(sql`select 1`.execute(db)).rejects.toThrow('destroyed');
    expect(await reading).toMatchObject({ text: 'read' });
    const [{ pid } = { pid: 0 }] = await writing;
    await ended;
    const left = async () =>
      (await sql`select 1 from pg_stat_activity where pid = ${pid}::int`.execute(database.db)).rows.length;
    await expect.poll(left).toBe(0);
  });
});

it('reports every statement to onStatement, however it was routed', async () => {
  const reported: string[] = [];
  await using db = connected(database, { onStatement: ({ sql: text }) => reported.push(text) });
  await read(db, 'select 1');
  await sql`select 2`.execute(db);
  await db.transaction().execute((trx) => sql`select 3`.execute(trx));
  await read(db, 'select 1 / 0').catch(() => undefined);
  await sql`select 2 / 0`.execute(db).catch(() => undefined);
  expect(reported).toEqual([
    'select 1',
    'select 2',
    'begin',
    'select 3',
    'commit',
    'select 1 / 0',
    'select 2 / 0',
  ]);
});
