import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { acceptBulk, runBatch, splitBatches } from '../../test/support/jobs.ts';
import { untilWaiting } from '../../test/support/lock-waits.ts';

let database: TestDatabase;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase({ requiresEvents: true });
  caller = callerIn(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

/** Before a statement gives up its wait, after three seconds. */
const waiting = (count: number) => untilWaiting(database.db, count, { timeout: 2_500, interval: 20 });

it('a job that is cancelled during a batch keeps what that has changed, and begins no other', async () => {
  const { db } = database;
  const first = await caller.agents.create({ firstName: 'Ana', lastName: 'Reis' });
  const second = await caller.agents.create({ firstName: 'Eva', lastName: 'Reis' });
  const filter = { ids: [first.id, second.id] };
  const job = await acceptBulk(caller, { filter, change: { type: 'deactivate' } });
  await splitBatches(db, job.id, 1);
  const { cancelled, running } = await db.transaction().execute(async (trx) => {
    await sql`select from agent where id = ${first.id} for update`.execute(trx);
    const running = runBatch(db);
    await waiting(1);
    const cancelled = caller.jobs.cancel({ id: job.id });
    await waiting(2);
    return { cancelled: { job: cancelled }, running: { batch: running } };
  });
  expect(await running.batch).toBe(true);
  expect(await cancelled.job).toMatchObject({ status: 'cancelled', processed: 1, changed: 1 });
  expect(await runBatch(db)).toBe(false);
  expect(await caller.agents.get({ id: second.id })).toMatchObject({ status: 'active', version: 1 });
});

it.each([{ type: 'delete' }, { type: 'deactivate' }] as const)(
  'a batch locks its records in the order of their ids, wherever their rows are: $type',
  async (change) => {
    const { db } = database;
    const first = await caller.agents.create({ firstName: 'Ana', lastName: 'Reis' });
    const second = await caller.agents.create({ firstName: 'Eva', lastName: 'Reis' });
    // Its row is behind the other one from now on.
    await caller.agents.update({ id: first.id, title: 'Broker' });
    const job = await acceptBulk(caller, { filter: { ids: [first.id, second.id] }, change });
    let running: Promise<boolean> | undefined;
    await db.transaction().execute(async (trx) => {
      await sql`select from agent where id = ${first.id} for update`.execute(trx);
      running = runBatch(db);
      await waiting(1);
      const free = sql`select from agent where id = ${second.id} for update skip locked`;
      expect((await free.execute(trx)).rows).toHaveLength(1);
    });
    await running;
    expect(await caller.jobs.get({ id: job.id })).toMatchObject({ status: 'completed', changed: 2 });
  },
);
