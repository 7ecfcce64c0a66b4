import { connect } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { rejected } from '../../test/support/rejected.ts';

let database: TestDatabase;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase();
  caller = callerIn(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

/** An office with so many active agents, made by the database itself. */
async function officeOf(agents: number): Promise<string> {
  const { id } = await caller.offices.create({ name: 'Casa' });
  await sql`
    insert into agent (id, created_at, updated_at, status_changed_at, first_name, last_name, office_id)
    select gen_random_uuid(), now(), now(), now(), 'Ana', n::text, ${id}
    from generate_series(1, ${agents}::int) as n`.execute(database.db);
  return id;
}

async function activeOf(officeId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from agent where office_id = ${officeId} and status = 'active'`.execute(
    database.db,
  );
  return rows[0]?.count ?? -1;
}

/** How many events of a deactivation there are of the agents of an office, and in the largest transaction. */
async function eventsOf(officeId: string) {
  const { rows } = await sql<{ all: number; agents: number; largest: number }>`
    with deactivated as (
      select event.subject_id, event.xmin::text as transaction from event join agent on agent.id = subject_id
      where office_id = ${officeId} and event.type = 'agent.deactivated'
    )
    select count(*)::int as all, count(distinct subject_id)::int as agents,
      (select max(count)::int from (select count(*) from deactivated group by transaction) as sizes) as largest
    from deactivated`.execute(database.db);
  return rows[0];
}

describe('an office deactivated with more agents than fit into one transaction', () => {
  it('takes them all with it, 500 at a time, each with one event', async () => {
    const id = await officeOf(1_750);
    expect(await caller.offices.deactivate({ id, cascade: true, reason: 'Closed' })).toMatchObject({
      status: 'inactive',
      version: 2,
    });
    expect(await activeOf(id)).toBe(0);
    expect(await eventsOf(id)).toEqual({ all: 1_750, agents: 1_750, largest: 500 });
    const [agent] = (await caller.agents.list({ officeId: id, limit: 1 })).items;
    expect(agent).toMatchObject({ version: 2, statusReason: 'Closed' });
  });

  it('keeps what was done where a call fails, and goes on with it where the call is repeated', async () => {
    await using impatient = connect({ connection: database.connection, timeouts: { lockMs: 200 } });
    const theirs = callerIn(impatient);
    const id = await officeOf(1_200);
    await database.db.transaction().execute(async (trx) => {
      await sql`
        select from agent where id = (
          select id from agent where office_id = ${id} order by created_at, id offset 700 limit 1
        ) for update`.execute(trx);
      expect((await rejected(theirs.offices.deactivate({ id, cascade: true }))).errorCode).toBe('timeout');
    });
    expect(await activeOf(id)).toBe(700);
    expect((await caller.offices.get({ id })).status).toBe('inactive');
    // Also where the version is named that the office had before.
    expect(await caller.offices.deactivate({ id, cascade: true, ifVersion: 1 })).toMatchObject({
      version: 2,
    });
    expect(await activeOf(id)).toBe(0);
    expect(await eventsOf(id)).toEqual({ all: 1_200, agents: 1_200, largest: 500 });
  });

  it('ends a call that lasts too long with 503, and goes on where it is repeated', async () => {
    let nowMs = Date.now();
    const now = () => {
      nowMs += 9_000;
      return new Date(nowMs);
    };
    const slow = callerIn(database.db, { now });
    const id = await officeOf(2_600);
    const error = await rejected(slow.offices.deactivate({ id, cascade: true }));
    expect(error).toMatchObject({ errorCode: 'unavailable', retryAfter: 1 });
    const left = await activeOf(id);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(2_600);
    await caller.offices.deactivate({ id, cascade: true });
    expect(await activeOf(id)).toBe(0);
  });

  it('stops if the office is reactivated meanwhile', async () => {
    const id = await officeOf(1_200);
    await sql`
      create function reactivate_office() returns trigger language plpgsql as $$
      begin
        update office set status = 'active', deactivated_at = null, version = version + 1
        where id = (select office_id from changed limit 1);
        return null;
      end $$`.execute(database.db);
    await sql`
      create trigger reactivates after update on agent referencing new table as changed
      for each statement execute function reactivate_office()`.execute(database.db);
    const error = await rejected(caller.offices.deactivate({ id, cascade: true }));
    await sql`drop trigger reactivates on agent`.execute(database.db);
    expect(error).toMatchObject({ errorCode: 'version_conflict', currentVersion: 3 });
    expect(await activeOf(id)).toBe(700);
  });
});
