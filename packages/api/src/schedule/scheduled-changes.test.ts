import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { rejected } from '../../test/support/rejected.ts';
import { scheduleScene } from '../../test/support/schedule-scene.ts';

const scene = await scheduleScene();
afterAll(() => scene[Symbol.asyncDispose]());
const { database, caller, run, now, inHours, later, runAll, newOffice, newAgent, eventsOf, listed } = scene;
const KEY = '00000000-0000-0000-0000-000000000000';

describe('a change that is scheduled', () => {
  it('is a change of the record, which then shows it, and has not happened', async () => {
    const { id } = await newAgent();
    const at = inHours(1);
    const agent = await caller.agents.deactivate({ id, effectiveAt: at, reason: 'On leave' });
    const [pending] = await listed(id);
    expect(agent).toMatchObject({ status: 'active', version: 2 });
    expect(agent.scheduledChanges).toEqual([
      {
        id: pending?.id,
        change: 'deactivate',
        effectiveAt: at,
        officeId: null,
        reason: 'On leave',
        fields: [],
        jobId: null,
        scheduledBy: KEY,
        scheduledAt: now(),
      },
    ]);
    expect(pending).toMatchObject({ subject: id, resource: 'agents', status: 'pending', finishedAt: null });
    expect(await caller.agents.get({ id })).toEqual(agent);
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      type: 'agent.updated',
      previous: { scheduledChanges: [] },
      details: { scheduledChangeId: pending?.id },
    });
    expect(await run()).toBe(0);
  });

  it('again at the same time is returned unchanged, as PUT is repeated', async () => {
    const { id } = await newAgent();
    const agent = await caller.agents.deactivate({ id, effectiveAt: inHours(1) });
    expect(await caller.agents.deactivate({ id, effectiveAt: inHours(1), ifVersion: 1 })).toEqual(agent);
    expect((await caller.agents.deactivate({ id, effectiveAt: inHours(2) })).version).toBe(3);
  });

  it('happens at its time, with an event that says who scheduled it and when, and leaves the record', async () => {
    const { id } = await newAgent();
    const scheduledAt = now();
    await caller.agents.deactivate({ id, effectiveAt: inHours(1), reason: 'On leave' });
    later(1);
    await runAll();
    const [change] = await listed(id);
    expect(change).toMatchObject({ status: 'done', finishedAt: now(), errorCode: null });
    expect(await caller.agents.get({ id })).toMatchObject({
      status: 'inactive',
      statusReason: 'On leave',
      version: 3,
      scheduledChanges: [],
      deactivatedAt: now(),
    });
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      type: 'agent.deactivated',
      actorId: null,
      requestId: null,
      reason: 'On leave',
      occurredAt: now(),
      details: { scheduledChangeId: change?.id, scheduledBy: KEY, scheduledAt },
    });
  });

  it('of a transfer names both offices in its event', async () => {
    const [from, to] = [await newOffice(), await newOffice()];
    const { id } = await newAgent(from.id);
    await caller.agents.transfer({ id, officeId: to.id, effectiveAt: inHours(1) });
    later(1);
    await runAll();
    expect(await caller.agents.get({ id })).toMatchObject({
      officeId: to.id,
      transferredAt: now(),
    });
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      type: 'agent.transferred',
      details: { fromOfficeId: from.id, toOfficeId: to.id, scheduledBy: KEY },
    });
  });

  it('of up to 1,000 agents of an office moves them in one transaction', async () => {
    const [from, to] = [await newOffice(), await newOffice()];
    const ids = [(await newAgent(from.id)).id, (await newAgent(from.id)).id];
    const pending = await caller.offices.transferAgents({
      id: from.id,
      toOfficeId: to.id,
      effectiveAt: inHours(1),
    });
    expect(pending).toMatchObject({
      moved: 0,
      scheduledChanges: [{ change: 'transfer_agents', officeId: to.id }],
    });
    later(1);
    await runAll();
    for (const id of ids) expect(await caller.agents.get({ id })).toMatchObject({ officeId: to.id });
    expect(await caller.offices.get({ id: from.id })).toMatchObject({ scheduledChanges: [], version: 3 });
    const { rows } = await sql<{ count: number }>`
      select count(distinct xmin::text)::int as count from event
      where details ->> 'scheduledChangeId' = ${pending.scheduledChanges[0]?.id} and request_id is null`.execute(
      database.db,
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('of an office with cascade deactivates its agents with it', async () => {
    const office = await newOffice();
    const { id } = await newAgent(office.id);
    await caller.offices.deactivate({
      id: office.id,
      cascade: true,
      effectiveAt: inHours(1),
      reason: 'Closed',
    });
    expect(await listed(office.id)).toMatchObject([{ cascade: true }]);
    later(1);
    await runAll();
    expect(await caller.offices.get({ id: office.id })).toMatchObject({ status: 'inactive' });
    expect(await caller.agents.get({ id })).toMatchObject({ status: 'inactive', statusReason: 'Closed' });
  });

  it('of what is so already leaves only the list of the record', async () => {
    const { id } = await newAgent();
    await caller.agents.deactivate({ id, effectiveAt: inHours(1) });
    const { deactivatedAt } = await caller.agents.deactivate({ id });
    later(1);
    await runAll();
    expect(await caller.agents.get({ id })).toMatchObject({
      deactivatedAt,
      version: 4,
      scheduledChanges: [],
    });
    expect((await eventsOf(id)).at(-1)?.type).toBe('agent.updated');
    expect(await listed(id)).toMatchObject([{ status: 'done' }]);
  });
});

describe('several changes of one record', () => {
  it('happen in the order of their times, also if all are late', async () => {
    const [first, second] = [await newOffice(), await newOffice()];
    const { id } = await newAgent();
    await caller.agents.transfer({ id, officeId: second.id, effectiveAt: inHours(3) });
    await caller.agents.reactivate({ id, effectiveAt: inHours(4) });
    await caller.agents.transfer({ id, officeId: first.id, effectiveAt: inHours(1) });
    const { scheduledChanges } = await caller.agents.deactivate({ id, effectiveAt: inHours(2) });
    expect(scheduledChanges.map(({ change }) => change)).toEqual([
      ...['transfer', 'deactivate', 'transfer', 'reactivate'],
    ]);
    later(100);
    await runAll();
    expect((await eventsOf(id)).slice(-4).map(({ type, details }) => details?.toOfficeId ?? type)).toEqual([
      ...[first.id, 'agent.deactivated', second.id, 'agent.reactivated'],
    ]);
  });

  it('are at most 20', async () => {
    const { id } = await newAgent();
    for (let hours = 1; hours <= 20; hours += 1)
      await caller.agents.deactivate({ id, effectiveAt: inHours(hours) });
    const { errorCode } = await rejected(caller.agents.deactivate({ id, effectiveAt: inHours(21) }));
    expect(errorCode).toBe('limit_reached');
    expect((await caller.agents.get({ id })).scheduledChanges).toHaveLength(20);
    await caller.agents.delete({ id });
  });
});
