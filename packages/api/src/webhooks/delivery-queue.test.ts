import { randomUUID } from 'node:crypto';
import { connect, type Database } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimDue, release, settle } from './delivery-queue.ts';
import { changeWebhook } from './repository.ts';
import { Settlements } from './sending/delivery-attempt.ts';

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
async function claimedOf(
  ids: string[],
  free: { count: number; troubledCount: number; firstCount: number },
  grown?: Record<string, number>,
) {
  const claimed = await claimDue(database.db, { claim: randomUUID(), free, perWebhook: 10, grown });
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
      const later = { status: 'pending' as const, retryInMs: 60_000 };
      await settle(
        trx,
        second.map((claimed) => ({ claimed, outcome: later })),
      );
      const third = await claimed();
      expect(third).toHaveLength(2);
      await settle(
        trx,
        third.map((claimed) => ({ claimed, outcome: later })),
      );
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

  it('of a receiver that keeps up are claimed beyond the limit of the others, until it is slow or fails', async () => {
    const free = { count: 100, troubledCount: 100, firstCount: 100 };
    const ids = [
      await webhookWith({ due: 50 }),
      await webhookWith({ due: 50 }),
      await webhookWith({ due: 50, slow: true }),
      await webhookWith({ due: 50, failing: true }),
    ];
    const grown = Object.fromEntries(ids.slice(1).map((id) => [id, 30]));
    expect(await claimedOf(ids, free, grown)).toEqual([10, 30, 10, 1]);
    expect(await claimedOf(ids, free, grown)).toEqual([0, 0, 0, 0]);
  });
});

/** Claims all deliveries that are due. */
const claimAll = () =>
  claimDue(database.db, {
    claim: randomUUID(),
    free: { count: 100, troubledCount: 100, firstCount: 100 },
    perWebhook: 10,
  });

async function statesOf(webhookId: string) {
  const { rows } = await sql<{ status: string; attempts: unknown[]; isClaimed: boolean; inS: number | null }>`
    select status, attempts, claim is not null as "isClaimed", round(extract(epoch from due_at - now()))::int as "inS"
    from webhook_delivery where webhook_id = ${webhookId} order by seq`.execute(database.db);
  return rows;
}

const attempt = { at: '2026-01-01T00:00:00.000Z', status: 204, durationMs: 5, error: null, body: '' };
const delivered = { status: 'delivered' } as const;

describe('the outcomes of deliveries', () => {
  it('are recorded together, each as it was, for all webhooks', async () => {
    const ids = [await webhookWith({ due: 2 }), await webhookWith({ due: 2 })] as const;
    const claimed = await claimAll();
    const of = (id: string) => claimed.filter(({ webhookId }) => webhookId === id);
    const [[first, second], [third, fourth]] = [of(ids[0]), of(ids[1])];
    if (!first || !second || !third || !fourth) throw new Error('not all were claimed');
    await settle(database.db, [
      { claimed: first, outcome: delivered, attempt },
      { claimed: second, outcome: { status: 'pending', retryInMs: 60_000 }, attempt },
      { claimed: third, outcome: { status: 'failed' }, attempt },
      { claimed: fourth, outcome: { status: 'pending', retryInMs: 0 } },
    ]);
    const ended = { isClaimed: false, inS: null };
    expect(await statesOf(ids[0])).toEqual([
      { ...ended, status: 'delivered', attempts: [attempt] },
      { ...ended, status: 'pending', attempts: [attempt], inS: 60 },
    ]);
    expect(await statesOf(ids[1])).toEqual([
      { ...ended, status: 'failed', attempts: [attempt] },
      { ...ended, status: 'pending', attempts: [], inS: 0 },
    ]);
  });

  it('do not change a delivery that another server has taken over', async () => {
    const id = await webhookWith({ due: 2 });
    const [lost, kept] = await claimAll();
    if (!lost || !kept) throw new Error('not all were claimed');
    await sql`update webhook_delivery set due_at = now() - interval '1 s' where id = ${lost.id}`.execute(
      database.db,
    );
    expect(await claimAll()).toHaveLength(1);
    await settle(
      database.db,
      [lost, kept].map((claimed) => ({ claimed, outcome: delivered })),
    );
    expect((await statesOf(id)).map(({ status }) => status).sort()).toEqual(['delivered', 'pending']);
  });

  it('of a webhook that is being deleted wait for that, and those of others are recorded', async () => {
    const ids = [await webhookWith({ due: 5 }), await webhookWith({ due: 5 })] as const;
    const claimed = await claimAll();
    const settlements = new Settlements(database.db);
    let settling: Promise<unknown> | undefined;
    await database.db.transaction().execute(async (trx) => {
      await sql`select from webhook where id = ${ids[0]} for update`.execute(trx);
      settling = Promise.all(claimed.map((one) => settlements.add({ claimed: one, outcome: delivered })));
      await expect.poll(waitsForLock).toBe(true);
      await sql`delete from webhook where id = ${ids[0]}`.execute(trx);
    });
    await settling;
    expect((await statesOf(ids[1])).map(({ status }) => status)).toEqual(Array(5).fill('delivered'));
  });

  it('that come while a statement runs are recorded by the next one', async () => {
    const id = await webhookWith({ due: 6 });
    const claimed = await claimAll();
    let statements = 0;
    await using db = connect({
      connection: database.connection,
      onStatement: () => {
        statements += 1;
      },
    });
    const settlements = new Settlements(db);
    await Promise.all(claimed.map((one) => settlements.add({ claimed: one, outcome: delivered })));
    expect((await statesOf(id)).map(({ status }) => status)).toEqual(Array(6).fill('delivered'));
    expect(statements).toBe(2);
  });

  it('are rejected each if their statement fails, and can be recorded again', async () => {
    const id = await webhookWith({ due: 3 });
    const claimed = await claimAll();
    const settlements = new Settlements(database.db);
    const settleAll = () =>
      Promise.allSettled(claimed.map((one) => settlements.add({ claimed: one, outcome: delivered })));
    await sql`alter table webhook_delivery add constraint never check (status <> 'delivered') not valid`.execute(
      database.db,
    );
    expect((await settleAll()).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    await sql`alter table webhook_delivery drop constraint never`.execute(database.db);
    expect((await settleAll()).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    expect((await statesOf(id)).map(({ status }) => status)).toEqual(Array(3).fill('delivered'));
  });
});

async function waitsForLock(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    database.db,
  );
  return rows.length > 0;
}
