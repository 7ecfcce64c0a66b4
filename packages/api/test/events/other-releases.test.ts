import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resourceNames } from '../../src/directory.ts';
import { assignPositions } from '../../src/event-log/sequencer.ts';
import { describeServer, startServerRegistry } from '../../src/running-servers.ts';
import { enqueueDeliveries } from '../../src/webhooks/sending/fan-out.ts';
import { callerIn } from '../support/caller.ts';
import { rejected } from '../support/rejected.ts';

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

describe('while a server of an earlier release runs', () => {
  /** A server of an earlier release says that it runs, but not which resources it knows. */
  async function startEarlierServer(): Promise<void> {
    await sql`
      insert into running_server (id, host, pid, version, started_at, seen_at)
      values (gen_random_uuid(), 'earlier', 1, '0.1.0', now(), now())`.execute(shared.db);
  }

  it('nothing is written of a resource that it does not know, and everything else is', async () => {
    const { caller } = shared;
    await startEarlierServer();
    const view = { name: 'Mine', resource: 'teams' as const, query: {}, columns: [] };
    const calls = [
      () => caller.teams.create({ name: 'Ribeira' }),
      () => caller.imports.teams({ records: [{ name: 'Ribeira' }] }),
      () => caller.teams.bulk({ filter: { all: true }, change: { type: 'deactivate' }, expectedCount: 0 }),
      () => caller.views.create(view),
    ];
    for (const call of calls) {
      const { errorCode, retryAfter } = await rejected(call());
      expect([errorCode, retryAfter]).toEqual(['unavailable', 15]);
    }
    expect((await caller.teams.list({})).items).toEqual([]);
    const { id } = await caller.offices.create({ name: 'Baixa' });
    await caller.agents.create({ firstName: 'Ana', lastName: 'Reis', officeId: id });
    await caller.views.create({ ...view, resource: 'agents' });
  });

  it('of 0.1.0 too, which is known by the rates that it exchanges', async () => {
    const { db, caller } = shared;
    await sql`delete from running_server`.execute(db);
    await sql`insert into server (id, seen_at, is_alone) values (gen_random_uuid(), now(), false)`.execute(
      db,
    );
    expect((await rejected(caller.teams.create({ name: 'Ribeira' }))).errorCode).toBe('unavailable');
    await sql`update server set seen_at = now() - interval '16 s'`.execute(db);
    await caller.teams.create({ name: 'Ribeira' });
  });

  it('it is written as soon as that has ended, beside servers that know it', async () => {
    const { db, caller } = shared;
    await startEarlierServer();
    const counted = Promise.withResolvers<number>();
    const leave = startServerRegistry(db, {
      server: describeServer({ version: '0.2.0', startedAt: new Date() }),
      onCount: counted.resolve,
      onError: counted.reject,
    });
    await counted.promise;
    expect((await rejected(caller.teams.create({ name: 'Baixa' }))).errorCode).toBe('unavailable');
    await sql`delete from running_server where host = 'earlier'`.execute(db);
    await caller.teams.create({ name: 'Baixa' });
    const { rows } = await sql`select resources from running_server`.execute(db);
    expect(rows).toEqual([{ resources: resourceNames }]);
    await leave();
  });
});

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
