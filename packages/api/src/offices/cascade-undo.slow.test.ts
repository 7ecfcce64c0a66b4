import { randomUUID } from 'node:crypto';
import { connect } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { limitedTo } from '../../test/support/context.ts';
import { rejected } from '../../test/support/rejected.ts';
import { runDueChanges } from '../host/run-due.ts';
import { assignPositions } from '../log/sequencer.ts';

let database: TestDatabase;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase();
  caller = callerIn(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

const newOffice = (name = 'Casa') => caller.offices.create({ name });
const newAgent = (officeId: string | null, fields: object = {}) =>
  caller.agents.create({ firstName: 'Ana', lastName: 'Reis', officeId, ...fields });

/** An office with so many active agents, made by the database itself. */
async function officeOf(agents: number): Promise<string> {
  const { id } = await newOffice();
  await sql`
    insert into agent (id, created_at, updated_at, status_changed_at, first_name, last_name, office_id)
    select gen_random_uuid(), now(), now(), now(), 'Ana', n::text, ${id}
    from generate_series(1, ${agents}::int) as n`.execute(database.db);
  return id;
}

/** A caller limited to an office. */
async function limited(officeId: string): Promise<Caller> {
  const principal = await limitedTo(database.db, [officeId]);
  const identify = async () => principal;
  return callerIn(database.db, { request: { authenticate: identify, reauthenticate: identify } });
}

async function countOf(officeId: string) {
  const { rows } = await sql<{ active: number; inactive: number }>`
    select count(*) filter (where status = 'active')::int as active,
      count(*) filter (where status = 'inactive')::int as inactive
    from agent where office_id = ${officeId}`.execute(database.db);
  return rows[0];
}

describe('a deactivation with cascade', () => {
  it('says how many agents it has changed, also when it is repeated', async () => {
    const { id } = await newOffice();
    await newAgent(id);
    const inactive = await newAgent(id);
    await caller.agents.deactivate({ id: inactive.id });
    await newAgent((await newOffice()).id, { affiliations: [{ officeId: id }] });
    const cascaded = { agents: 1, affiliations: 1 };
    expect(await caller.offices.deactivate({ id, cascade: true })).toMatchObject({ cascaded });
    expect(await caller.offices.deactivate({ id, cascade: true })).toMatchObject({ cascaded });
    expect(await caller.offices.deactivate({ id })).not.toHaveProperty('cascaded');
  });

  it('ties the events of the agents to the office by their details', async () => {
    const { id } = await newOffice();
    const agent = await newAgent(id);
    await caller.offices.deactivate({ id, cascade: true });
    await caller.offices.reactivate({ id, cascade: true });
    await assignPositions(database.db);
    const tie = { cascadeOfficeId: id, cascadeVersion: 2 };
    expect((await caller.agents.history({ id: agent.id })).items).toMatchObject([
      { type: 'agent.reactivated', details: { ...tie, undoesCascade: true } },
      { type: 'agent.deactivated', details: tie },
      { type: 'agent.created', details: null },
    ]);
  });
});

describe('a reactivation with cascade', () => {
  it('brings back the agents that the deactivation has deactivated, and none that was inactive before', async () => {
    const { id } = await newOffice();
    const active = await newAgent(id);
    const inactive = await newAgent(id);
    await caller.agents.deactivate({ id: inactive.id, reason: 'On leave' });
    await caller.offices.deactivate({ id, cascade: true, reason: 'Closed' });
    const response = await caller.offices.reactivate({ id, cascade: true });
    expect(response).toMatchObject({
      status: 'active',
      version: 3,
      cascaded: { agents: 1, affiliations: 0, rejected: 0, errors: [] },
    });
    expect(await caller.agents.get({ id: active.id })).toMatchObject({
      status: 'active',
      statusReason: null,
      deactivatedAt: null,
      version: 3,
    });
    expect(await caller.agents.get({ id: inactive.id })).toMatchObject({
      status: 'inactive',
      statusReason: 'On leave',
      version: 2,
    });
  });

  it('gives the affiliations back as they were, at their places', async () => {
    const [office, home, other] = await Promise.all([newOffice(), newOffice(), newOffice()]);
    const affiliations = [
      { officeId: office.id, title: 'Consultant', isVisible: true, since: '2026-03-01' },
      { officeId: other.id, title: null, isVisible: false, since: null },
    ];
    const { id } = await newAgent(home.id, { affiliations });
    await caller.offices.deactivate({ id: office.id, cascade: true });
    expect((await caller.agents.get({ id })).affiliations).toHaveLength(1);
    expect(await caller.offices.reactivate({ id: office.id, cascade: true })).toMatchObject({
      cascaded: { agents: 0, affiliations: 1, rejected: 0 },
    });
    expect(await caller.agents.get({ id })).toMatchObject({ affiliations, status: 'active' });
  });

  it('names the agents that were moved or deleted since, and brings back the others with what has changed in them', async () => {
    const [{ id }, other] = await Promise.all([newOffice(), newOffice()]);
    const [changed, moved, gone, same] = await Promise.all([1, 2, 3, 4].map(() => newAgent(id)));
    const ids = [changed, moved, gone, same].map((agent) => agent?.id ?? randomUUID());
    const [changedId = '', movedId = '', goneId = '', sameId = ''] = ids;
    await caller.offices.deactivate({ id, cascade: true });
    await caller.agents.update({ id: changedId, title: 'Broker' });
    await caller.agents.transfer({ id: movedId, officeId: other.id });
    await caller.agents.delete({ id: goneId });
    const before = await caller.offices.get({ id });
    const preview = await caller.offices.previewReactivate({ id });
    expect(preview).toMatchObject({ count: 4, checked: 4, changed: 2, rejected: 2 });
    const status = [{ field: 'status', from: 'inactive', to: 'active' }];
    expect(preview.samples.map(({ changes }) => changes)).toEqual([status, status]);
    expect(await caller.offices.get({ id })).toEqual(before);
    const { cascaded } = await caller.offices.reactivate({ id, cascade: true });
    expect(cascaded).toMatchObject({ agents: 2, affiliations: 0, rejected: 2 });
    expect(preview.errors).toEqual(cascaded?.errors);
    expect(await caller.offices.previewReactivate({ id })).toMatchObject({
      count: 2,
      changed: 0,
      rejected: 2,
    });
    const errors = new Map(cascaded?.errors.map((error) => [error.id, error]));
    expect(errors.get(movedId)).toMatchObject({
      code: 'version_conflict',
      fields: [{ field: 'officeId', set: id, current: other.id }],
    });
    expect(errors.get(goneId)).toMatchObject({ code: 'not_found' });
    expect((await caller.agents.get({ id: sameId })).status).toBe('active');
    expect(await caller.agents.get({ id: changedId })).toMatchObject({ status: 'active', title: 'Broker' });
    expect((await caller.agents.get({ id: movedId })).status).toBe('inactive');
  });

  it('brings back any number, 500 in a transaction', async () => {
    const id = await officeOf(1_200);
    const [left] = (await caller.agents.list({ officeId: id, limit: 1 })).items;
    await caller.agents.deactivate({ id: left?.id ?? '' });
    expect((await caller.offices.deactivate({ id, cascade: true })).cascaded?.agents).toBe(1_199);
    expect((await caller.offices.reactivate({ id, cascade: true })).cascaded).toEqual({
      agents: 1_199,
      affiliations: 0,
      rejected: 0,
      errors: [],
    });
    expect(await countOf(id)).toEqual({ active: 1_199, inactive: 1 });
    const { rows } = await sql<{ largest: number }>`
      select max(count)::int as largest from (
        select count(*) from event
        where details ->> 'cascadeOfficeId' = ${id} and type = 'agent.reactivated' group by xmin::text
      ) as transactions`.execute(database.db);
    expect(rows[0]?.largest).toBe(500);
  });

  it('goes on when a call that failed is repeated, and brings nobody back twice', async () => {
    await using impatient = connect({ connection: database.connection, timeouts: { lockMs: 200 } });
    const id = await officeOf(1_200);
    await caller.offices.deactivate({ id, cascade: true });
    await database.db.transaction().execute(async (trx) => {
      await sql`
        select from agent where id = (
          select subject_id from event where details ->> 'cascadeOfficeId' = ${id} order by id offset 700 limit 1
        ) for update`.execute(trx);
      const failed = await rejected(callerIn(impatient).offices.reactivate({ id, cascade: true }));
      expect(failed.errorCode).toBe('timeout');
    });
    expect(await countOf(id)).toEqual({ active: 500, inactive: 700 });
    const counts = { agents: 1_200, affiliations: 0, rejected: 0, errors: [] };
    // Also when the version is named that the office had before.
    const again = { id, cascade: true, ifVersion: 2 };
    expect((await caller.offices.reactivate(again)).cascaded).toEqual(counts);
    expect(await countOf(id)).toEqual({ active: 1_200, inactive: 0 });
    expect((await caller.offices.reactivate({ id, cascade: true })).cascaded).toEqual(counts);
    const { rows } = await sql`
      select from event where details ->> 'cascadeOfficeId' = ${id} and details ->> 'undoesCascade' = 'true'`.execute(
      database.db,
    );
    expect(rows).toHaveLength(1_200);
  });

  it('that two callers ask for at the same time is made once, and neither is told of a failure', async () => {
    const id = await officeOf(1_200);
    await caller.offices.deactivate({ id, cascade: true });
    const responses = await Promise.all([1, 2].map(() => caller.offices.reactivate({ id, cascade: true })));
    expect(responses.map(({ cascaded }) => cascaded?.rejected)).toEqual([0, 0]);
    expect(await countOf(id)).toEqual({ active: 1_200, inactive: 0 });
    const { rows } = await sql`
      select from event where details ->> 'cascadeOfficeId' = ${id} and details ->> 'undoesCascade' = 'true'`.execute(
      database.db,
    );
    expect(rows).toHaveLength(1_200);
  });

  it('stops if the office is deactivated meanwhile', async () => {
    const id = await officeOf(1_200);
    await caller.offices.deactivate({ id, cascade: true });
    await sql`
      create function deactivate_office() returns trigger language plpgsql as $$
      begin
        update office set status = 'inactive', deactivated_at = now(), version = version + 1
        where id = (select office_id from changed limit 1);
        return null;
      end $$`.execute(database.db);
    await sql`
      create trigger deactivates after update on agent referencing new table as changed
      for each statement execute function deactivate_office()`.execute(database.db);
    const error = await rejected(caller.offices.reactivate({ id, cascade: true }));
    await sql`drop trigger deactivates on agent`.execute(database.db);
    expect(error).toMatchObject({ errorCode: 'version_conflict', currentVersion: 4 });
    expect(await countOf(id)).toEqual({ active: 500, inactive: 700 });
  });

  it('changes nothing when the office has another version than the named one', async () => {
    const { id } = await newOffice();
    await newAgent(id);
    await caller.offices.deactivate({ id, cascade: true });
    await caller.offices.update({ id, name: 'Other' });
    const { errorCode } = await rejected(caller.offices.reactivate({ id, cascade: true, ifVersion: 2 }));
    expect(errorCode).toBe('version_conflict');
    expect(await countOf(id)).toEqual({ active: 0, inactive: 1 });
  });

  it('takes back the latest deactivation alone', async () => {
    const { id } = await newOffice();
    const first = await newAgent(id);
    await caller.offices.deactivate({ id, cascade: true });
    await caller.offices.reactivate({ id });
    await newAgent(id);
    await caller.offices.deactivate({ id, cascade: true });
    expect((await caller.offices.reactivate({ id, cascade: true })).cascaded?.agents).toBe(1);
    expect((await caller.agents.get({ id: first.id })).status).toBe('inactive');
  });

  it('takes back a scheduled deactivation too', async () => {
    const { id } = await newOffice();
    await newAgent(id);
    const effectiveAt = new Date(Date.now() + 3_600_000);
    await caller.offices.deactivate({ id, cascade: true, effectiveAt: effectiveAt.toISOString() });
    await runDueChanges(database.db, { now: () => effectiveAt, onError: () => undefined });
    expect(await countOf(id)).toEqual({ active: 0, inactive: 1 });
    expect((await caller.offices.reactivate({ id, cascade: true })).cascaded?.agents).toBe(1);
    expect(await countOf(id)).toEqual({ active: 1, inactive: 0 });
  });

  it('is not scheduled', async () => {
    const { id } = await newOffice();
    const effectiveAt = new Date(Date.now() + 3_600_000).toISOString();
    const { errorCode } = await rejected(caller.offices.reactivate({ id, cascade: true, effectiveAt }));
    expect(errorCode).toBe('validation_failed');
  });

  it('of a limited caller brings back the agents within the limit, and names one who left it, but none from beyond', async () => {
    const [office, home] = await Promise.all([newOffice(), newOffice()]);
    const own = await newAgent(office.id);
    const left = await newAgent(office.id);
    const stranger = await newAgent(home.id, { affiliations: [{ officeId: office.id }] });
    await caller.offices.deactivate({ id: office.id, cascade: true });
    await caller.agents.transfer({ id: left.id, officeId: home.id });
    const theirs = await limited(office.id);
    const { cascaded } = await theirs.offices.reactivate({ id: office.id, cascade: true });
    expect(cascaded).toEqual({
      agents: 1,
      affiliations: 0,
      rejected: 1,
      errors: [
        {
          id: left.id,
          code: 'not_found',
          detail: 'The agent was deleted since, or left the offices of the limit.',
          fields: [],
        },
      ],
    });
    expect((await caller.agents.get({ id: own.id })).status).toBe('active');
    expect((await caller.agents.get({ id: stranger.id })).affiliations).toEqual([]);
    // Someone without a limit goes on with the others.
    const { cascaded: all } = await caller.offices.reactivate({ id: office.id, cascade: true });
    expect(all).toMatchObject({ agents: 1, affiliations: 1, rejected: 1 });
  });
});
