import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileOnce } from './compiled-query.ts';
import { connectionCounts, withDisconnectCheck } from './connect.ts';
import { ConnectionLostError } from './errors.ts';
import {
  connected,
  createTestDatabase,
  killRunning,
  running,
  type TestDatabase,
} from './testing/driver-helpers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await sql`create table part (id int primary key, count int not null check (count < 1000))`.execute(db);
  await sql`insert into part select id, 0 from generate_series(1, 100) as id`.execute(db);
  await sql`create table kept (id int primary key, part int references part deferrable initially deferred)`.execute(
    db,
  );
});
afterAll(() => database[Symbol.asyncDispose]());

interface Added {
  id: number;
  count: number;
  transaction: string;
}
const add = compileOnce<{ id: number; by: number }, Added>(
  (param) => sql`
    update part set count = count + ${param('by')}::int where id = ${param('id')}
    returning id, count, pg_current_xact_id()::text as transaction`,
  { lane: 'changes' },
);
const keep = compileOnce<{ id: number; part: number }, { id: number }>(
  (param) => sql`insert into kept values (${param('id')}, ${param('part')}) returning id`,
  { lane: 'changes' },
);
const countOf = async (id: number) =>
  (await sql<{ count: number }>`select count from part where id = ${id}`.execute(database.db)).rows[0]?.count;
const ids = (from: number, length: number) => Array.from({ length }, (_, at) => from + at);

it('changes at a time share transactions, and each gets its own result', async () => {
  await using db = connected(database);
  const rows = (await Promise.all(ids(1, 40).map((id) => add.execute(db, { id, by: 1 })))).flat();
  expect(rows.map(({ id, count }) => ({ id, count }))).toEqual(ids(1, 40).map((id) => ({ id, count: 1 })));
  expect(new Set(rows.map(({ transaction }) => transaction)).size).toBe(2);
});

it('a single change needs no connection of the pool', async () => {
  await using db = connected(database, { pool: { max: 1 } });
  await db.connection().execute(async () => {
    expect(await add.execute(db, { id: 95, by: 0 })).toMatchObject([{ count: 0 }]);
    await expect(add.execute(db, { id: 95, by: 5_000 })).rejects.toMatchObject({
      constraint: 'part_count_check',
    });
  });
});

it('after a change has failed, those of its caller alone run apart', async () => {
  await using db = connected(database);
  const bad = withDisconnectCheck(db, () => false, 'bad');
  const good = withDisconnectCheck(db, () => false, 'good');
  const [failed] = await Promise.allSettled([
    add.execute(bad, { id: 96, by: 5_000 }),
    ...ids(97, 3).map((id) => add.execute(good, { id, by: 0 })),
  ]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { constraint: 'part_count_check' } });
  const transactionsOf = async (caller: typeof db) => {
    const rows = (await Promise.all(ids(97, 3).map((id) => add.execute(caller, { id, by: 0 })))).flat();
    return new Set(rows.map(({ transaction }) => transaction)).size;
  };
  expect(await transactionsOf(good)).toBe(1);
  expect(await transactionsOf(bad)).toBe(3);
  await sleep(150);
  expect(await transactionsOf(bad)).toBe(1);
});

it('changes of one caller that wait for a row hold at most half of the pool, and nobody else waits for them', async () => {
  await using db = connected(database, { pool: { max: 4 } });
  const greedy = withDisconnectCheck(db, () => false, 'greedy');
  const other = withDisconnectCheck(db, () => false, 'other');
  const trx = await database.db.startTransaction().execute();
  await sql`select from part where id = 99 for update`.execute(trx);
  const waiting = Array.from({ length: 12 }, () => add.execute(greedy, { id: 99, by: 1 }));
  const all = Promise.all(waiting);
  await expect.poll(() => running(database, 'update part set count')).toBe(2);
  const startedMs = performance.now();
  await other.transaction().execute((own) => sql`select 1`.execute(own));
  await Promise.all(ids(61, 3).map((id) => add.execute(other, { id, by: 0 })));
  expect(performance.now() - startedMs).toBeLessThan(1_000);
  expect(connectionCounts(db).dedicatedBusy).toBe(2);
  await trx.commit().execute();
  await all;
  expect(await countOf(99)).toBe(12);
});

it('a change that fails gets its own error, and the others are made once', async () => {
  await using db = connected(database);
  const all = await Promise.allSettled(
    ids(41, 10).map((id) => add.execute(db, { id, by: id === 45 ? 5_000 : 1 })),
  );
  all.forEach((one, at) => {
    if (at === 4)
      expect(one).toMatchObject({ status: 'rejected', reason: { constraint: 'part_count_check' } });
    else expect(one).toMatchObject({ status: 'fulfilled', value: [{ count: 1 }] });
  });
  expect(await Promise.all([countOf(44), countOf(45)])).toEqual([1, 0]);
});

it('a change that fails at the commit gets its own error too', async () => {
  await using db = connected(database);
  const [good, bad] = await Promise.allSettled([
    keep.execute(db, { id: 1, part: 1 }),
    keep.execute(db, { id: 2, part: 7_777 }),
  ]);
  expect(good).toEqual({ status: 'fulfilled', value: [{ id: 1 }] });
  expect(bad).toMatchObject({ status: 'rejected', reason: { constraint: 'kept_part_fkey' } });
});

it('a change that waits for a lock holds none of the others', async () => {
  await using db = connected(database);
  const trx = await database.db.startTransaction().execute();
  await sql`select from part where id = 60 for update`.execute(trx);
  const waiting = add.execute(db, { id: 60, by: 1 });
  const others = Promise.all(ids(61, 9).map((id) => add.execute(db, { id, by: 1 })));
  await others.finally(() => trx.commit().execute());
  expect((await others).flat().map(({ count }) => count)).toEqual(Array(9).fill(1));
  expect(await waiting).toMatchObject([{ count: 1 }]);
});

it('changes of the same records in different orders end without a deadlock, each made once', async () => {
  await using db = connected(database);
  const order = ids(70, 20);
  const all = [...order, ...order.toReversed(), ...order, ...order.toReversed()];
  await Promise.all(all.map((id) => add.execute(db, { id, by: 1 })));
  expect(await Promise.all(order.map(countOf))).toEqual(Array(20).fill(4));
});

it('if their connection breaks, all fail, because nobody knows whether they were made, and none is made twice', async () => {
  await using db = connected(database, { pipeline: { connections: 1 } });
  const trx = await database.db.startTransaction().execute();
  await sql`select from part where id = 92 for update`.execute(trx);
  const settled = Promise.allSettled(ids(91, 3).map((id) => add.execute(db, { id, by: 1 })));
  await expect.poll(() => running(database, 'update part set count'), { interval: 1 }).toBe(1);
  await killRunning(database, 'update part set count');
  for (const one of await settled)
    expect(one).toMatchObject({ status: 'rejected', reason: expect.any(ConnectionLostError) });
  await trx.rollback().execute();
  expect(await Promise.all(ids(91, 3).map(countOf))).toEqual([0, 0, 0]);
});

it('each statement is reported in the asynchronous context of its change, and the commit in that of none', async () => {
  const context = new AsyncLocalStorage<number>();
  const seen: (number | undefined)[] = [];
  const onStatement = ({ sql: text }: { sql: string }) => {
    if (/update part|begin|commit/.test(text)) seen.push(context.getStore());
  };
  await using db = connected(database, { onStatement });
  await Promise.all(ids(94, 5).map((id) => context.run(id, () => add.execute(db, { id, by: 1 }))));
  expect(seen.toSorted()).toEqual([...ids(94, 5), undefined, undefined]);
});

it('changes that wait when the database is closed are rejected, and end no process', async () => {
  const db = connected(database);
  const changes = ids(1, 3).map((id) => add.execute(db, { id, by: 1 }));
  const settled = Promise.allSettled(changes);
  await db.destroy();
  for (const one of await settled)
    expect(one).toMatchObject({
      status: 'rejected',
      reason: { message: 'driver has already been destroyed' },
    });
});
