import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assignPositions } from '../../src/event-log/sequencer.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { type Caller, callerIn } from '../support/caller.ts';
import { acceptBulk, jobOf, runJobs } from '../support/jobs.ts';

const document: {
  components: { schemas: Record<string, { properties: Record<string, { example?: unknown }> }> };
} = JSON.parse(JSON.stringify(openApiDocument({ baseUrl: '/' })));

let database: TestDatabase;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase({ requiresEvents: true });
  caller = callerIn(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

const newAgent = () => caller.agents.create({ firstName: 'Ana', lastName: 'Reis' });

/** Undoes a job, runs that, and returns the job that undoes it. */
async function undo(id: string) {
  const { id: undoneBy } = await caller.jobs.undo({ id });
  await runJobs(database.db);
  return caller.jobs.get({ id: undoneBy });
}

describe('the undo', () => {
  it('of the transfer of an agent who had no office is in the feed, and in the history', async () => {
    const { id: officeId } = await caller.offices.create({ name: 'Baixa' });
    const { id } = await newAgent();
    const job = await acceptBulk(caller, { filter: { ids: [id] }, change: { type: 'transfer', officeId } });
    await runJobs(database.db);
    const { id: bulkId } = await undo(job.id);
    await assignPositions(database.db);
    expect((await caller.agents.get({ id })).officeId).toBeNull();
    const details = { fromOfficeId: officeId, toOfficeId: null, bulkId };
    expect((await caller.events.list({ after: '0', subject: id })).items.at(-1)).toMatchObject({ details });
    expect((await caller.agents.history({ id })).items[0]).toMatchObject({ details });
  });

  it('of a transfer gives an agent the affiliation back that ended with it', async () => {
    const [home, away] = await Promise.all([
      caller.offices.create({ name: 'Home' }),
      caller.offices.create({ name: 'Away' }),
    ]);
    const affiliations = [{ officeId: away.id, title: 'Consultant', isVisible: true, since: '2026-03-01' }];
    const { id } = await caller.agents.create({
      firstName: 'Ana',
      lastName: 'Reis',
      officeId: home.id,
      affiliations,
    });
    const change = { type: 'transfer' as const, officeId: away.id };
    const job = await acceptBulk(caller, { filter: { ids: [id] }, change });
    await runJobs(database.db);
    expect(await caller.agents.get({ id })).toMatchObject({ officeId: away.id, affiliations: [] });
    expect(await undo(job.id)).toMatchObject({ status: 'completed', changed: 1 });
    expect(await caller.agents.get({ id })).toMatchObject({ officeId: home.id, affiliations });
  });

  it('gives a display name back that was given, and is the default of the name since', async () => {
    const { id } = await caller.agents.create({
      firstName: 'Ana',
      lastName: 'Reis',
      displayName: 'Eva Reis',
    });
    const change = { type: 'update' as const, patch: { firstName: 'Eva' } };
    const job = await acceptBulk(caller, { filter: { ids: [id] }, change });
    await runJobs(database.db);
    expect(await undo(job.id)).toMatchObject({ status: 'completed', changed: 1 });
    expect(await caller.agents.get({ id })).toMatchObject({ firstName: 'Ana', displayName: 'Eva Reis' });
  });

  it('of a deletion restores records that refer to each other', async () => {
    const main = await caller.offices.create({ name: 'Main' });
    const branch = await caller.offices.create({ name: 'Branch', mainOfficeId: main.id });
    const filter = { ids: [main.id, branch.id] };
    const job = jobOf(await caller.offices.bulk({ filter, change: { type: 'delete' }, expectedCount: 2 }));
    await runJobs(database.db);
    expect(await caller.jobs.get({ id: job.id })).toMatchObject({ status: 'completed', changed: 2 });
    expect(await undo(job.id)).toMatchObject({ status: 'completed', changed: 2 });
    expect(await caller.offices.get({ id: branch.id })).toMatchObject({ mainOfficeId: main.id, version: 2 });
  });

  it.each([
    ['offices', 'NewOffice'],
    ['agents', 'NewAgent'],
  ] as const)('of a deletion of %s brings every field back', async (resource, schema) => {
    const { id: officeId } = await caller.offices.create({ name: 'Referred' });
    const { id: agentId } = await newAgent();
    const examples = Object.entries(document.components.schemas[schema]?.properties ?? {}).map(
      ([name, { example }]) => {
        if (/officeId$/i.test(name)) return [name, officeId];
        return [name, /agentId$/i.test(name) ? agentId : example];
      },
    );
    const full = Object.fromEntries(examples);
    // The primary office is no affiliation.
    if (resource === 'agents') Object.assign(full, { officeId: null, affiliations: [{ officeId }] });
    const { version, updatedAt, ...before } = await caller[resource].create(full);
    const isEmpty = ([, value]: [string, unknown]) =>
      value === null || (Array.isArray(value) && value.length === 0);
    const empty = Object.entries(before).filter(isEmpty);
    expect(empty.map(([name]) => name).filter((name) => name !== 'officeId' && name in full)).toEqual([]);
    const filter = { ids: [before.id] };
    const change = { type: 'delete' as const };
    const job = jobOf(await caller[resource].bulk({ filter, change, expectedCount: 1 }));
    await runJobs(database.db);
    expect(await undo(job.id)).toMatchObject({ status: 'completed', changed: 1 });
    expect(await caller[resource].get({ id: before.id })).toMatchObject(before);
  });

  it('that deletes again says which records refer to the one that it does not delete', async () => {
    const { id } = await newAgent();
    const job = await acceptBulk(caller, { filter: { ids: [id] }, change: { type: 'delete' } });
    await runJobs(database.db);
    const restored = await undo(job.id);
    await caller.offices.create({ name: 'Managed', managerAgentId: id });
    expect(await undo(restored.id)).toMatchObject({
      status: 'completed_with_errors',
      errors: [{ id, code: 'has_dependents', detail: 'Other records refer to this agent (managerOf: 1).' }],
    });
  });
});
