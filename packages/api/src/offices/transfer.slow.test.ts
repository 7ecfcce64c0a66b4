import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { rejected } from '../../test/support/rejected.ts';
import { countAgents, countTransfers, fillOffice } from '../../test/support/transfers.ts';
import { useDatabase } from '../../test/support/use-database.ts';

const { database, caller } = useDatabase();

const newOffice = () => caller().offices.create({ name: 'Casa' });

describe('offices.transferAgents', () => {
  it('is seen by readers as a whole', async () => {
    const [from, to] = [await newOffice(), await newOffice()];
    await fillOffice(database().db, from.id, 1_000);
    let isOver = false;
    const transferring = caller()
      .offices.transferAgents({ id: from.id, toOfficeId: to.id })
      .finally(() => {
        isOver = true;
      });
    const seen = new Set<string>();
    while (!isOver) {
      const { rows } = await sql<{ from: number; to: number }>`
        select count(*) filter (where office_id = ${from.id})::int as from,
          count(*) filter (where office_id = ${to.id})::int as to from agent`.execute(database().db);
      seen.add(JSON.stringify(rows[0]));
    }
    await transferring;
    for (const counts of seen) expect(['{"from":1000,"to":0}', '{"from":0,"to":1000}']).toContain(counts);
  });

  it('changes nothing if one agent cannot be changed', async () => {
    const [from, to] = [await newOffice(), await newOffice()];
    await fillOffice(database().db, from.id, 700);
    const { db } = database();
    await db.transaction().execute(async (trx) => {
      await sql`
        select from agent where id = (
          select id from agent where office_id = ${from.id} order by created_at desc, id desc limit 1
        ) for update`.execute(trx);
      const waiting = rejected(caller().offices.transferAgents({ id: from.id, toOfficeId: to.id }));
      expect((await waiting).errorCode).toBe('timeout');
    });
    expect([await countAgents(database().db, from.id), await countAgents(database().db, to.id)]).toEqual([
      700, 0,
    ]);
    expect(await countTransfers(database().db, to.id)).toMatchObject({ events: 0 });
  });

  it('lets no agent arrive while it runs, so that none stays behind', async () => {
    const [from, to] = [await newOffice(), await newOffice()];
    await fillOffice(database().db, from.id, 950);
    const arrivals = async () => {
      for (let count = 0; count < 20; count += 1)
        await caller().agents.create({ firstName: 'Eva', lastName: 'Sá', officeId: from.id });
    };
    const [{ moved }] = await Promise.all([
      caller().offices.transferAgents({ id: from.id, toOfficeId: to.id }),
      arrivals(),
    ]);
    expect(await countAgents(database().db, to.id)).toBe(moved);
    const { rows } = await sql<{ early: number }>`
      select count(*)::int as early
      from agent join event on event.subject_id = agent.id and event.type = 'agent.created'
      where office_id = ${from.id}
        and event.id < (select min(id) from event where details ->> 'toOfficeId' = ${to.id})`.execute(
      database().db,
    );
    expect(rows).toEqual([{ early: 0 }]);
  });

  it('two in opposite directions do not wait for each other', async () => {
    const [one, other] = [await newOffice(), await newOffice()];
    await fillOffice(database().db, one.id, 600);
    await fillOffice(database().db, other.id, 600);
    await Promise.all([
      caller().offices.transferAgents({ id: one.id, toOfficeId: other.id }),
      caller().offices.transferAgents({ id: other.id, toOfficeId: one.id }),
    ]);
    expect((await countAgents(database().db, one.id)) + (await countAgents(database().db, other.id))).toBe(
      1_200,
    );
    expect([await countAgents(database().db, one.id), await countAgents(database().db, other.id)]).toContain(
      0,
    );
  });
});
