import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { rejected } from '../../test/support/rejected.ts';
import { scheduleScene } from '../../test/support/schedule-scene.ts';
import { ATTEMPTS_MAX } from '../host/run-due.ts';

const scene = await scheduleScene();
afterAll(() => scene[Symbol.asyncDispose]());
const { database, caller, errors, run, now, inHours, later, runAll, newOffice, newAgent, eventsOf, listed } =
  scene;
const KEY = '00000000-0000-0000-0000-000000000000';

describe('a change that cannot happen', () => {
  it.each([
    ['the office is inactive', 'office_inactive', (id: string) => caller.offices.deactivate({ id })],
    ['the office is deleted', 'reference_not_found', (id: string) => caller.offices.delete({ id })],
  ])('fails visibly: %s', async (_, errorCode, prevent) => {
    const { id: officeId } = await newOffice();
    const { id } = await newAgent();
    await caller.agents.transfer({ id, officeId, effectiveAt: inHours(1), reason: 'Joins' });
    await prevent(officeId);
    later(1);
    await runAll();
    const [change] = await listed(id);
    expect(change).toMatchObject({ status: 'failed', errorCode, finishedAt: now() });
    expect(change?.error).toContain('officeId');
    expect(await caller.agents.get({ id })).toMatchObject({
      officeId: null,
      version: 3,
      scheduledChanges: [],
    });
    const { error, id: scheduledChangeId } = change ?? {};
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      type: 'agent.change_failed',
      reason: 'Joins',
      details: { scheduledChangeId, change: 'transfer', errorCode, error, scheduledBy: KEY },
    });
  });

  it('fails with the event of the office, if it is one of an office', async () => {
    const [from, to] = [await newOffice(), await newOffice()];
    await newAgent(from.id);
    await caller.offices.transferAgents({ id: from.id, toOfficeId: to.id, effectiveAt: inHours(1) });
    await caller.offices.deactivate({ id: to.id });
    later(1);
    await runAll();
    expect((await eventsOf(from.id)).at(-1)).toMatchObject({
      type: 'office.change_failed',
      details: { change: 'transfer_agents', errorCode: 'office_inactive' },
    });
  });

  it('because the database fails is tried again with pauses, and fails when it was tried often enough', async () => {
    const { id } = await newAgent();
    const { scheduledChanges } = await caller.agents.deactivate({ id, effectiveAt: inHours(1) });
    await sql`
      create function fail_always() returns trigger language plpgsql as $$
      begin
        if new.status = 'inactive' then raise exception 'no' using errcode = '53100'; end if;
        return new;
      end $$`.execute(database.db);
    await sql`create trigger fails before update on agent for each row execute function fail_always()`.execute(
      database.db,
    );
    later(1);
    errors.length = 0;
    await run();
    expect(await run()).toBe(0);
    expect(errors).toHaveLength(1);
    for (let attempt = 2; attempt <= ATTEMPTS_MAX; attempt += 1) {
      later(1);
      await run();
    }
    await sql`drop trigger fails on agent`.execute(database.db);
    expect(errors).toHaveLength(ATTEMPTS_MAX - 1);
    expect(await caller.scheduledChanges.get({ id: scheduledChanges[0]?.id ?? '' })).toMatchObject({
      status: 'failed',
      errorCode: 'unavailable',
    });
    expect((await eventsOf(id)).at(-1)?.type).toBe('agent.change_failed');
  });
});

describe('a deleted record', () => {
  it('cancels its pending changes, and a restore does not bring them back', async () => {
    const { id } = await newAgent();
    await caller.agents.deactivate({ id, effectiveAt: inHours(1) });
    await caller.agents.delete({ id });
    expect(await listed(id)).toMatchObject([{ status: 'cancelled' }]);
    expect(await caller.agents.restore({ id })).toMatchObject({ scheduledChanges: [], version: 3 });
    later(1);
    expect(await run()).toBe(0);
    expect(await caller.agents.get({ id })).toMatchObject({ status: 'active', version: 3 });
  });

  it('without its row, whose changes were not cancelled, fails them', async () => {
    const { id } = await newAgent();
    await caller.agents.deactivate({ id, effectiveAt: inHours(1) });
    await sql`alter table agent disable trigger user`.execute(database.db);
    await sql`delete from agent where id = ${id}`.execute(database.db);
    await sql`alter table agent enable trigger user`.execute(database.db);
    later(1);
    expect(await run()).toBe(1);
    expect(await listed(id)).toMatchObject([{ status: 'failed', errorCode: 'not_found' }]);
  });
});

describe('cancelling', () => {
  it('a pending change is a change of its record, and the change never happens', async () => {
    const { id } = await newAgent();
    const agent = await caller.agents.deactivate({ id, effectiveAt: inHours(1) });
    const change = agent.scheduledChanges[0]?.id ?? '';
    const cancelled = await caller.scheduledChanges.cancel({ id: change });
    expect(cancelled).toMatchObject({ id: change, status: 'cancelled', finishedAt: now() });
    expect(await caller.scheduledChanges.cancel({ id: change })).toEqual(cancelled);
    expect(await caller.agents.get({ id })).toMatchObject({ version: 3, scheduledChanges: [] });
    later(1);
    expect(await run()).toBe(0);
  });

  it('a change that is done is rejected', async () => {
    const { id } = await newAgent();
    const agent = await caller.agents.deactivate({ id, effectiveAt: inHours(1) });
    later(1);
    await runAll();
    const change = agent.scheduledChanges[0]?.id ?? '';
    expect((await rejected(caller.scheduledChanges.cancel({ id: change }))).errorCode).toBe(
      'change_finished',
    );
  });
});

it('a record that another transaction has locked is left for the next run, and the others are not', async () => {
  const [locked, free] = [await newAgent(), await newAgent()];
  for (const { id } of [locked, free]) await caller.agents.deactivate({ id, effectiveAt: inHours(1) });
  later(1);
  await database.db.transaction().execute(async (trx) => {
    await sql`select from agent where id = ${locked.id} for update`.execute(trx);
    await runAll();
  });
  expect(await caller.agents.get({ id: free.id })).toMatchObject({ status: 'inactive' });
  expect(await caller.agents.get({ id: locked.id })).toMatchObject({ status: 'active' });
  await runAll();
  expect(await caller.agents.get({ id: locked.id })).toMatchObject({ status: 'inactive' });
});
