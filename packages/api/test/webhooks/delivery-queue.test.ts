import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimDue } from '../../src/webhooks/delivery-queue.ts';

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

  it('of a failing webhook are claimed one at a time', async () => {
    const ids = [await webhookWith({ due: 10, failing: true })];
    const free = { count: 30, troubledCount: 15, firstCount: 30 };
    expect(await claimedOf(ids, free)).toEqual([1]);
    expect(await claimedOf(ids, free)).toEqual([0]);
  });
});
