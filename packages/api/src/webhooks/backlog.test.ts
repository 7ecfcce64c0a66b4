import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { readDeliveryStats, readLaggingWebhooks } from './backlog.ts';
import { enqueueDeliveries } from './sending/fan-out.ts';

const EVENTS = 5;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  // The first event is five minutes old, the last one.
  await sql`
    insert into event (position, type, subject_id, version, occurred_at, record)
    select place, 'office.created', gen_random_uuid(), 1, now() - (${EVENTS + 1}::int - place) * interval '1 min', '{}'
    from generate_series(1, ${EVENTS}::int) as place`.execute(database.db);
  await sql`update event_log set last_position = ${EVENTS}`.execute(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(() => sql`delete from webhook`.execute(database.db));

interface State {
  readTo?: number;
  isFailing?: boolean;
  isPaused?: boolean;
  isSlow?: boolean;
  status?: 'active' | 'disabled';
}

/** A webhook that has read the log up to a position; to its end unless given. */
async function webhookAt({ readTo = EVENTS, status = 'active', ...state }: State): Promise<string> {
  const id = randomUUID();
  const ahead = sql`now() + interval '1 h'`;
  await sql`
    insert into webhook (id, url, status, status_changed_at, failing_since, slow_since, paused_until, read_to, created_at, updated_at)
    values (
      ${id}, 'https://hooks.example.com/secret', ${status}, now(), ${state.isFailing ? sql`now()` : null},
      ${state.isSlow ? sql`now()` : null}, ${state.isPaused ? ahead : null}, ${readTo}, now(), now()
    )`.execute(database.db);
  return id;
}

/** The lag of webhooks whose receivers respond, and of the others, in minutes. */
async function lagMinutes() {
  const { lagS, failingLagS } = await readDeliveryStats(database.db);
  return [lagS, failingLagS].map((seconds) => Math.floor(seconds / 60));
}

it('the lag is 0 if everything was sent, and for a disabled webhook', async () => {
  await webhookAt({});
  await webhookAt({ readTo: 0, status: 'disabled' });
  expect(await readDeliveryStats(database.db)).toMatchObject({ lagS: 0, failingLagS: 0 });
});

it('the lag is the age of the oldest event that was not sent, whether that is only in the log or in the queue', async () => {
  await webhookAt({ readTo: 2 });
  await webhookAt({ readTo: 3 });
  expect(await lagMinutes()).toEqual([3, 0]);
  await enqueueDeliveries(database.db, { backlogMax: 1 });
  expect(await lagMinutes()).toEqual([3, 0]);
  await sql`
    update webhook_delivery set status = 'delivered', due_at = null, finished_at = now()
    where position = 3`.execute(database.db);
  expect(await lagMinutes()).toEqual([2, 0]);
});

it('what a receiver that responds has rejected is no lag, and neither is what waits behind it', async () => {
  await sql`update event set subject_id = (select subject_id from event where position = 1) where position = 2`.execute(
    database.db,
  );
  await webhookAt({ readTo: 0 });
  await enqueueDeliveries(database.db, { backlogMax: 1_000 });
  await sql`
    update webhook_delivery set attempts = '[{"status": 500}]', due_at = now() + interval '1 h'
    where position = 1`.execute(database.db);
  expect(await lagMinutes()).toEqual([3, 0]);
});

it('the lag of a failing or paused webhook is counted by itself, with what was rejected', async () => {
  await webhookAt({ readTo: 0, isFailing: true });
  await webhookAt({ readTo: 1, isPaused: true });
  await enqueueDeliveries(database.db, { backlogMax: 1_000 });
  await sql`update webhook_delivery set attempts = '[{"status": 500}]'`.execute(database.db);
  expect(await lagMinutes()).toEqual([0, 5]);
});

it('webhooks that are behind are named, the furthest first, but not those whose receivers fail', async () => {
  const [behind, further] = [await webhookAt({ readTo: 3 }), await webhookAt({ readTo: 1, isSlow: true })];
  await webhookAt({ readTo: 4 });
  await webhookAt({ readTo: 0, isFailing: true });
  expect(await readLaggingWebhooks(database.db, { moreThanS: 110 })).toEqual([
    { webhookId: further, lagS: expect.any(Number), isSlow: true },
    { webhookId: behind, lagS: expect.any(Number), isSlow: false },
  ]);
});
