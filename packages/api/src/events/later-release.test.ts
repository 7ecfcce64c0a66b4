import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerIn } from '../../test/support/caller.ts';
import { assignPositions } from '../log/sequencer.ts';
import { enqueueDeliveries } from '../webhooks/sending/fan-out.ts';

type Scene = Awaited<ReturnType<typeof scene>>;

async function scene() {
  const database = await createTestDatabase();
  return { database, db: database.db, caller: callerIn(database.db) };
}

let shared: Scene;
beforeAll(async () => {
  shared = await scene();
});
afterAll(() => shared.database[Symbol.asyncDispose]());

describe('an event of a resource that only a later release knows', () => {
  /** An office with an event after it, which a later release wrote before the servers were replaced by those of this one. */
  async function laterEvent() {
    const { db, caller } = shared;
    await assignPositions(db);
    const { nextAfter: after } = await caller.events.list({ after: 'latest' });
    // As the migration of the later release does.
    await sql`alter table event drop constraint if exists event_type_check`.execute(db);
    await sql`
      insert into event (type, subject_id, version, occurred_at, record)
      values ('desk.created', gen_random_uuid(), 1, now(), '{"id": "1", "legs": 4}')`.execute(db);
    const office = await caller.offices.create({ name: 'Chiado' });
    await assignPositions(db);
    return { office, after };
  }

  it('is left out of pages, and the cursor goes on behind it', async () => {
    const { caller } = shared;
    const { office, after } = await laterEvent();
    const first = await caller.events.list({ after, limit: 1 });
    expect([first.items, first.hasMore]).toEqual([[], true]);
    const second = await caller.events.list({ after: first.nextAfter, limit: 1 });
    expect(second.items.map(({ subject }) => subject)).toEqual([office.id]);
    expect(second.hasMore).toBe(false);
  });

  it('is left out of a stream, which goes on with the next', async () => {
    const { office, after } = await laterEvent();
    const stream = await shared.caller.events.stream({ after });
    for await (const tracked of stream) {
      const event = expect.objectContaining({ type: 'office.created', subject: office.id });
      expect(tracked).toEqual([String(Number(after) + 2), event, expect.anything()]);
      break;
    }
  });

  it('goes to webhooks for all types, and holds up none', async () => {
    const { db, caller } = shared;
    const webhook = await caller.webhooks.create({ url: 'https://receiver.example/hook' });
    const { office } = await laterEvent();
    await enqueueDeliveries(db, { backlogMax: 100 });
    const { rows } = await sql<{ type: string }>`
      select type from webhook_delivery where webhook_id = ${webhook.id} order by position`.execute(db);
    expect(rows.map(({ type }) => type)).toEqual(['desk.created', 'office.created']);
    expect(office.version).toBe(1);
  });
});
