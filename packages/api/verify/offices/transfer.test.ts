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

const newOffice = () => caller.offices.create({ name: 'Casa' });

/** Inserts agents of an office, every third of them inactive. */
async function fill(officeId: string, agents: number): Promise<void> {
  await sql`
    insert into agent
      (id, created_at, updated_at, status_changed_at, first_name, last_name, office_id, status, deactivated_at)
    select gen_random_uuid(), now(), now(), now(), 'Ana', n::text, ${officeId},
      case when n % 3 = 0 then 'inactive' else 'active' end, case when n % 3 = 0 then now() end
    from generate_series(1, ${agents}::int) as n`.execute(database.db);
}

async function countIn(officeId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from agent where office_id = ${officeId}`.execute(database.db);
  return rows[0]?.count ?? -1;
}

async function transfersTo(officeId: string) {
  const { rows } = await sql<{ events: number; agents: number; transactions: number }>`
    select count(*)::int as events, count(distinct subject_id)::int as agents,
      count(distinct xmin::text)::int as transactions
    from event where type = 'agent.transferred' and details ->> 'toOfficeId' = ${officeId}`.execute(
    database.db,
  );
  return rows[0];
}

describe('offices.transferAgents', () => {
  it('is seen by readers as a whole', async () => {
    const [from, to] = [await newOffice(), await newOffice()];
    await fill(from.id, 1_100);
    let isOver = false;
    const transferring = caller.offices.transferAgents({ id: from.id, toOfficeId: to.id }).finally(() => {
      isOver = true;
    });
    const seen = new Set<string>();
    while (!isOver) {
      const { rows } = await sql<{ from: number; to: number }>`
        select count(*) filter (where office_id = ${from.id})::int as from,
          count(*) filter (where office_id = ${to.id})::int as to from agent`.execute(database.db);
      seen.add(JSON.stringify(rows[0]));
    }
    await transferring;
    for (const counts of seen) expect(['{"from":1100,"to":0}', '{"from":0,"to":1100}']).toContain(counts);
  });

  it('changes nothing if one agent cannot be changed', async () => {
    const [from, to] = [await newOffice(), await newOffice()];
    await fill(from.id, 700);
    const { db } = database;
    await db.transaction().execute(async (trx) => {
      await sql`
        select from agent where id = (
          select id from agent where office_id = ${from.id} order by created_at desc, id desc limit 1
        ) for update`.execute(trx);
      const waiting = rejected(caller.offices.transferAgents({ id: from.id, toOfficeId: to.id }));
      expect((await waiting).errorCode).toBe('timeout');
    });
    expect([await countIn(from.id), await countIn(to.id)]).toEqual([700, 0]);
    expect(await transfersTo(to.id)).toMatchObject({ events: 0 });
  });

  it('lets no agent arrive while it runs, so that none stays behind', async () => {
    const [from, to] = [await newOffice(), await newOffice()];
    await fill(from.id, 1_500);
    const arrivals = async () => {
      for (let count = 0; count < 20; count += 1)
        await caller.agents.create({ firstName: 'Eva', lastName: 'Sá', officeId: from.id });
    };
    const [{ moved }] = await Promise.all([
      caller.offices.transferAgents({ id: from.id, toOfficeId: to.id }),
      arrivals(),
    ]);
    expect(await countIn(to.id)).toBe(moved);
    const { rows } = await sql<{ early: number }>`
      select count(*)::int as early
      from agent join event on event.subject_id = agent.id and event.type = 'agent.created'
      where office_id = ${from.id}
        and event.id < (select min(id) from event where details ->> 'toOfficeId' = ${to.id})`.execute(
      database.db,
    );
    expect(rows).toEqual([{ early: 0 }]);
  });

  it('two in opposite directions do not wait for each other', async () => {
    const [one, other] = [await newOffice(), await newOffice()];
    await fill(one.id, 600);
    await fill(other.id, 600);
    await Promise.all([
      caller.offices.transferAgents({ id: one.id, toOfficeId: other.id }),
      caller.offices.transferAgents({ id: other.id, toOfficeId: one.id }),
    ]);
    expect((await countIn(one.id)) + (await countIn(other.id))).toBe(1_200);
    expect([await countIn(one.id), await countIn(other.id)]).toContain(0);
  });
});
