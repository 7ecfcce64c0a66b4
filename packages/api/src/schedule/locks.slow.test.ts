import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { scheduleScene } from '../../test/support/schedule-scene.ts';

const scene = await scheduleScene();
afterAll(() => scene[Symbol.asyncDispose]());
const { database, caller, errors, run, inHours, later, runAll, newOffice, newAgent, listed } = scene;

/** Runs what is due while another transaction has locked a record as a change of it does. */
async function runWhileLocked(table: 'office' | 'agent', ids: string[]): Promise<number> {
  return database.db.transaction().execute(async (trx) => {
    await sql`select from ${sql.table(table)} where id = any(${ids}::uuid[]) for no key update`.execute(trx);
    return run();
  });
}

describe('a change whose office another transaction changes is left for the next run, without a failed attempt', () => {
  it.each([
    [
      'a transfer',
      async (officeId: string) => {
        const { id } = await newAgent();
        await caller.agents.transfer({ id, officeId, effectiveAt: inHours(1) });
        return id;
      },
    ],
    [
      'a reactivation',
      async (officeId: string) => {
        const { id } = await newAgent(officeId);
        await caller.agents.deactivate({ id });
        await caller.agents.reactivate({ id, effectiveAt: inHours(1) });
        return id;
      },
    ],
    [
      'a transfer of all agents',
      async (toOfficeId: string) => {
        const { id } = await newOffice();
        await caller.offices.transferAgents({ id, toOfficeId, effectiveAt: inHours(1) });
        return id;
      },
    ],
  ])('%s', async (_, schedule) => {
    const office = await newOffice();
    const id = await schedule(office.id);
    later(1);
    errors.length = 0;
    expect(await runWhileLocked('office', [office.id])).toBe(0);
    expect(errors).toEqual([]);
    expect(await run()).toBe(1);
    expect(await listed(id)).toMatchObject([{ status: 'done' }]);
  });
});

it('a change that is due happens behind any number of others whose records are locked', async () => {
  const agents = await Promise.all(Array.from({ length: 50 }, () => newAgent()));
  for (const { id } of agents) await caller.agents.deactivate({ id, effectiveAt: inHours(1) });
  const { id } = await newAgent();
  await caller.agents.deactivate({ id, effectiveAt: inHours(2) });
  later(2);
  const locked = agents.map((agent) => agent.id);
  expect(await runWhileLocked('agent', locked)).toBe(1);
  expect(await caller.agents.get({ id })).toMatchObject({ status: 'inactive' });
  await runAll();
  expect(await listed(locked[0] ?? '')).toMatchObject([{ status: 'done' }]);
});

it('a change whose failure cannot be written either is tried again later, and does not hold up the others', async () => {
  const { id } = await newAgent();
  await caller.agents.deactivate({ id, effectiveAt: inHours(1) });
  const other = await newAgent();
  await caller.agents.deactivate({ id: other.id, effectiveAt: inHours(2) });
  await sql`
    create function reject_change() returns trigger language plpgsql as $$
    begin
      raise exception 'no' using errcode = 'check_violation', constraint = 'agent_phone_check';
    end $$`.execute(database.db);
  await sql`
    create trigger rejects before update on agent for each row when (old.id = ${sql.lit(id)})
    execute function reject_change()`.execute(database.db);
  later(2);
  errors.length = 0;
  await runAll();
  await sql`drop trigger rejects on agent`.execute(database.db);
  expect(errors).toHaveLength(1);
  expect(await caller.agents.get({ id: other.id })).toMatchObject({ status: 'inactive' });
  later(1);
  await runAll();
  expect(await listed(id)).toMatchObject([{ status: 'done' }]);
});
