import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileOnce } from './compiled-query.ts';
import { connectionCounts, withDisconnectCheck } from './connect.ts';
import { connected, createTestDatabase, read, running, type TestDatabase } from './testing/driver-helpers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`create table counter (id int primary key, count int not null)`.execute(database.db);
  await sql`insert into counter select id, 0 from generate_series(1, 40) as id`.execute(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

const sleep = compileOnce<{ seconds: number }, object>((param) => sql`select pg_sleep(${param('seconds')})`, {
  isReadOnly: true,
  isText: true,
  lane: 'pages',
});
const pageOf = compileOnce<object, { pid: string }>(() => sql`select pg_backend_pid() as pid`, {
  isReadOnly: true,
  isText: true,
  lane: 'pages',
});
const add = compileOnce<{ id: number }, { count: number }>(
  (param) => sql`update counter set count = count + 1 where id = ${param('id')} returning count`,
  { lane: 'changes' },
);
const asleep = () => running(database, 'pg_sleep($1)');

/** Runs a page that ends when its client leaves, however long the rest takes on a busy machine. */
async function withSlowPage(db: ReturnType<typeof connected>, rest: () => Promise<void>): Promise<void> {
  let isDisconnected = false;
  const slow = sleep.execute(
    withDisconnectCheck(db, () => isDisconnected),
    { seconds: 600 },
  );
  const outcome = expect(slow).rejects.toThrow('disconnected');
  await expect.poll(asleep).toBe(1);
  try {
    await rest();
    expect(await asleep()).toBe(1);
  } finally {
    isDisconnected = true;
    await outcome;
  }
}

it('changes at a time are each made once, and each gets its own result or error', async () => {
  await using db = connected(database, { pipeline: { connections: 1 } });
  const bad = compileOnce(() => sql`update counter set count = count / 0`, { lane: 'changes' });
  const all = await Promise.allSettled(
    Array.from({ length: 40 }, (_, at) => [add.execute(db, { id: at + 1 }), bad.execute(db, {})]).flat(),
  );
  all.forEach((one, at) => {
    if (at % 2 === 0) expect(one).toEqual({ status: 'fulfilled', value: [{ count: 1 }] });
    else expect(one).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
  });
});

it('no statement waits behind one that is slow: it gets another connection, of the pool if need be', async () => {
  await using db = connected(database, { pipeline: { connections: 1 } });
  await withSlowPage(db, async () => {
    await sql`select pg_sleep(0.1)`.execute(database.db);
    const [row] = await pageOf.execute(db, {});
    expect(row).toEqual({ pid: expect.any(String) });
  });
});

it('neither a read by a key nor a change waits behind a slow page', async () => {
  await using db = connected(database, { pipeline: { connections: 1 } });
  await withSlowPage(db, async () => {
    await read(db, 'select 1');
    await Promise.all([1, 2].map((id) => add.execute(db, { id })));
    expect(connectionCounts(db)).toMatchObject({ pipelineOpen: 3, pipelinePending: 1 });
  });
});

it('the pages of one caller use at most half of the connections', async () => {
  await using db = connected(database, { pipeline: { connections: 4 } });
  const one = withDisconnectCheck(db, () => false, 'one');
  const rows = await Promise.all(Array.from({ length: 60 }, () => pageOf.execute(one, {})));
  expect(new Set(rows.map(([row]) => row?.pid)).size).toBe(2);
});

it('the page of a client that disconnects is cancelled on the server, and those behind it are read again', async () => {
  await using db = connected(database, { pipeline: { connections: 1 } });
  let isDisconnected = false;
  const left = sleep.execute(
    withDisconnectCheck(db, () => isDisconnected),
    { seconds: 60 },
  );
  const behind = pageOf.execute(db, {});
  const outcome = expect(left).rejects.toThrow('disconnected');
  await expect.poll(asleep).toBe(1);
  isDisconnected = true;
  await outcome;
  expect(await behind).toHaveLength(1);
  await expect.poll(asleep).toBe(0);
});

it('a page of a client that has disconnected before is never sent', async () => {
  const sent: string[] = [];
  await using db = connected(database, { onStatement: ({ sql: text }) => sent.push(text) });
  const left = withDisconnectCheck(db, () => true, 'left');
  const pages = await Promise.allSettled(Array.from({ length: 20 }, () => pageOf.execute(left, {})));
  for (const page of pages)
    expect(page).toMatchObject({ status: 'rejected', reason: { message: 'The client has disconnected.' } });
  expect(sent).toEqual([]);
});

it('a connection is ended once however many clients of it disconnect, on a connection outside the pool', async () => {
  await using db = connected(database, { pipeline: { connections: 1 }, pool: { max: 1 } });
  let isDisconnected = false;
  const leaving = (seconds: number) =>
    sleep.execute(
      withDisconnectCheck(db, () => isDisconnected),
      { seconds },
    );
  const left = [60, 0, 0, 0].map(leaving);
  const outcomes = Promise.allSettled(left);
  await expect.poll(asleep).toBe(1);
  await db.connection().execute(async () => {
    isDisconnected = true;
    for (const one of await outcomes)
      expect(one).toMatchObject({
        status: 'rejected',
        reason: { message: 'The client has disconnected.' },
      });
  });
  await expect.poll(asleep).toBe(0);
  expect(connectionCounts(db)).toMatchObject({ pipelineLost: 1 });
});

it('a short page of a client that disconnects ends no connection', async () => {
  await using db = connected(database, { pipeline: { connections: 1 } });
  const before = await pageOf.execute(db, {});
  let isDisconnected = false;
  const leaving = withDisconnectCheck(db, () => isDisconnected);
  // Far shorter than what counts as short, on a busy machine too.
  const short = Promise.allSettled(
    Array.from({ length: 10 }, () => sleep.execute(leaving, { seconds: 0.001 })),
  );
  isDisconnected = true;
  await short;
  expect(await pageOf.execute(db, {})).toEqual(before);
});
