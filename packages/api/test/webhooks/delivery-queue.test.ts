import { randomUUID } from 'node:crypto';
import type { Database } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimDue, complete, release } from '../../src/webhooks/delivery-queue.ts';
import { changeWebhook } from '../../src/webhooks/repository.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(() => sql`delete from webhook`.execute(database.db));

interface Queue {
  /** Deliveries that are due, each of a record of its own. */
  due: number;
  slow?: boolean;
  failing?: boolean;
}

/** A webhook with deliveries that are due. Returns its id. */
async function webhookWith({ due, slow = false, failing = false }: Queue): Promise<string> {
  const id = randomUUID();
  const { db } = database;
  await sql`
    insert into webhook (id, url, status, status_changed_at, failing_since, slow_since, read_to, created_at, updated_at)
    values (
      ${id}, 'https://hooks.example.com/', 'active', now(), ${failing ? sql`now()` : null},
      ${slow ? sql`now()` : null}, 0, now(), now()
    )`.execute(db);
  await sql`
    insert into webhook_secret (secret, webhook_id, created_at)
    values ('whsec_' || repeat(md5(${id}::text), 2), ${id}, now())`.execute(db);
  await sql`
    insert into webhook_delivery (id, webhook_id, position, type, subject_id, due_at, created_at)
    select gen_random_uuid(), ${id}, place, 'office.created', gen_random_uuid(), now() - interval '1 ms', now()
    from generate_series(1, ${due}::int) as place`.execute(db);
  return id;
}

/** Runs in a transaction whose time a column of milliseconds would round up, so that it would lie ahead for the whole of it. */
async function atTimeRoundedUp(run: (trx: Transaction<Database>) => Promise<void>): Promise<void> {
  let isRun = false;
  while (!isRun)
    await database.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ isUp: boolean }>`select now()::timestamptz(3) > now() as "isUp"`.execute(
        trx,
      );
      if (rows[0]?.isUp !== true) return;
      isRun = true;
      await run(trx);
    });
}

/** Claims, and returns how many deliveries of each of the webhooks that brought. */
async function claimedOf(ids: string[], free: { count: number; troubledCount: number; firstCount: number }) {
  const claimed = await claimDue(database.db, { claim: randomUUID(), free, perWebhook: 10 });
  return ids.map((id) => claimed.filter(({ webhookId }) => webhookId === id).length);
}

describe('due deliveries', () => {
  it('are claimed evenly from all webhooks, regardless of their age', async () => {
    const ids = [
      await webhookWith({ due: 10 }),
      await webhookWith({ due: 10 }),
      await webhookWith({ due: 2 }),
    ];
    const free = { troubledCount: 0, firstCount: 0 };
    expect(await claimedOf(ids, { ...free, count: 6 })).toEqual([2, 2, 2]);
    expect(await claimedOf(ids, { ...free, count: 4 })).toEqual([2, 2, 0]);
  });

  it('are claimed first from the webhook with the fewest running attempts', async () => {
    const busy = await webhookWith({ due: 10 });
    const free = { troubledCount: 0, firstCount: 0 };
    await claimedOf([busy], { ...free, count: 4 });
    const idle = await webhookWith({ due: 10 });
    expect(await claimedOf([busy, idle], { ...free, count: 6 })).toEqual([1, 5]);
  });

  it('of slow webhooks use no slots of the others, and one each beyond their own share', async () => {
    const slow = [1, 2, 3].map(() => webhookWith({ due: 10, slow: true }));
    const ids = [...(await Promise.all(slow)), await webhookWith({ due: 20 })];
    expect(await claimedOf(ids, { count: 30, troubledCount: 0, firstCount: 3 })).toEqual([1, 1, 1, 10]);
    expect(await claimedOf(ids, { count: 30, troubledCount: 6, firstCount: 30 })).toEqual([2, 2, 2, 0]);
  });

  it('are due in the instant in which they are released, tried again, or their webhook gets another URL', async () => {
    const id = await webhookWith({ due: 2 });
    await atTimeRoundedUp(async (trx) => {
      const free = { count: 2, troubledCount: 0, firstCount: 0 };
      const claimed = async () => claimDue(trx, { claim: randomUUID(), free, perWebhook: 10 });
      const first = await claimed();
      expect(first).toHaveLength(2);
      await release(trx, [first[0]?.claim ?? '']);
      const second = await claimed();
      expect(second).toHaveLength(2);
      await changeWebhook(trx, { id, url: 'https://hooks.example.com/other', now: new Date() });
      for (const delivery of second)
        await complete(trx, delivery, { outcome: { status: 'pending', retryInMs: 60_000 } });
      const third = await claimed();
      expect(third).toHaveLength(2);
      for (const delivery of third)
        await complete(trx, delivery, { outcome: { status: 'pending', retryInMs: 60_000 } });
      expect(await claimed()).toHaveLength(0);
      await changeWebhook(trx, { id, url: 'https://hooks.example.com/third', now: new Date() });
      expect(await claimed()).toHaveLength(2);
    });
  });

  it('of a failing webhook are claimed one at a time', async () => {
    const ids = [await webhookWith({ due: 10, failing: true })];
    const free = { count: 30, troubledCount: 15, firstCount: 30 };
    expect(await claimedOf(ids, free)).toEqual([1]);
    expect(await claimedOf(ids, free)).toEqual([0]);
  });
});
