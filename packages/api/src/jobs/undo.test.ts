import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { acceptBulk, jobOf, runJobs } from '../../test/support/jobs.ts';
import { assignPositions } from '../log/sequencer.ts';
import { openApiDocument } from '../openapi/document.ts';

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

  /** An agent whom a job has given a title, a city and a page, and who was changed since. */
  async function changedSince(since: Omit<Parameters<Caller['agents']['update']>[0], 'id'>) {
    const { id } = await caller.agents.create({
      firstName: 'Ana',
      lastName: 'Reis',
      title: 'Agent',
      address: { line1: 'Rua 1', city: 'Lisboa' },
      metadata: { floor: '1', desk: '2' },
    });
    const patch = { title: 'Broker', address: { city: 'Porto' }, metadata: { desk: '3' } };
    const job = await acceptBulk(caller, { filter: { ids: [id] }, change: { type: 'update', patch } });
    await runJobs(database.db);
    await caller.agents.update({ id, ...since });
    return { id, job };
  }

  it('takes back the fields that the job set although others have changed since, and keeps those', async () => {
    const { id, job } = await changedSince({
      bio: 'Sells houses',
      address: { line1: 'Rua 2' },
      metadata: { floor: '9' },
    });
    const preview = await caller.jobs.previewUndo({ id: job.id });
    expect(preview).toMatchObject({ count: 1, changed: 1, partlyChanged: 0, rejected: 0, errors: [] });
    expect(preview.samples.map(({ changes }) => changes.map(({ field }) => field))).toEqual([
      ['title', 'address', 'metadata'],
    ]);
    expect(await undo(job.id)).toMatchObject({
      status: 'completed',
      changed: 1,
      partlyChanged: 0,
      errors: [],
    });
    expect(await caller.agents.get({ id })).toMatchObject({
      title: 'Agent',
      bio: 'Sells houses',
      address: { line1: 'Rua 2', city: 'Lisboa' },
      metadata: { floor: '9', desk: '2' },
    });
  });

  it('keeps a field of the job that has changed since, says to what, and takes back the others', async () => {
    const { id, job } = await changedSince({ title: 'Director' });
    const error = {
      id,
      code: 'version_conflict',
      detail: 'The agent was changed since: title is "Director", not "Broker".',
      fields: [{ field: 'title', previous: 'Agent', set: 'Broker', current: 'Director' }],
    };
    expect(await caller.jobs.previewUndo({ id: job.id })).toMatchObject({
      changed: 1,
      partlyChanged: 1,
      rejected: 0,
      samples: [{ id, changes: [{ field: 'address' }, { field: 'metadata' }] }],
      errors: [error],
    });
    const undone = await undo(job.id);
    expect(undone).toMatchObject({
      status: 'completed_with_errors',
      processed: 1,
      changed: 1,
      partlyChanged: 1,
      rejected: 0,
      errors: [error],
    });
    expect((await caller.jobs.errors({ id: undone.id })).items).toEqual([error]);
    expect(await caller.agents.get({ id })).toMatchObject({
      title: 'Director',
      address: { city: 'Lisboa' },
      metadata: { desk: '2' },
    });
  });

  it('shows no record that would stay, and rejects one of which every field has changed since', async () => {
    const { id, job } = await changedSince({
      title: 'Director',
      address: { city: 'Faro' },
      metadata: { desk: '4' },
    });
    const { version } = await caller.agents.get({ id });
    const preview = await caller.jobs.previewUndo({ id: job.id });
    expect(preview).toMatchObject({
      count: 1,
      checked: 1,
      changed: 0,
      partlyChanged: 0,
      rejected: 1,
      samples: [],
    });
    expect(preview.errors[0]?.fields.map(({ field, current }) => [field, current])).toEqual([
      ['title', 'Director'],
      ['address.city', 'Faro'],
      ['metadata.desk', '4'],
    ]);
    expect(await undo(job.id)).toMatchObject({
      changed: 0,
      partlyChanged: 0,
      rejected: 1,
      errors: preview.errors,
    });
    expect((await caller.agents.get({ id })).version).toBe(version);
  });

  it('leaves a record unchanged that has its earlier values again', async () => {
    const { id, job } = await changedSince({
      title: 'Agent',
      address: { city: 'Lisboa' },
      metadata: { desk: '2' },
    });
    expect(await caller.jobs.previewUndo({ id: job.id })).toMatchObject({
      changed: 0,
      unchanged: 1,
      errors: [],
    });
    expect(await undo(job.id)).toMatchObject({ status: 'completed', changed: 0, unchanged: 1 });
    expect((await caller.agents.get({ id })).version).toBe(3);
  });

  it('can be repeated, and be undone itself', async () => {
    const { id, job } = await changedSince({ title: 'Director' });
    const undone = await undo(job.id);
    expect((await caller.jobs.undo({ id: job.id })).id).toBe(undone.id);
    expect(await undo(undone.id)).toMatchObject({ status: 'completed', changed: 1 });
    expect(await caller.agents.get({ id })).toMatchObject({ title: 'Director', address: { city: 'Porto' } });
  });

  it('of a new name keeps a display name that follows it, by a last name that has changed since', async () => {
    const { id } = await newAgent();
    const change = { type: 'update' as const, patch: { firstName: 'Eva' } };
    const job = await acceptBulk(caller, { filter: { ids: [id] }, change });
    await runJobs(database.db);
    await caller.agents.update({ id, lastName: 'Silva' });
    expect(await undo(job.id)).toMatchObject({ changed: 1, partlyChanged: 0 });
    expect(await caller.agents.get({ id })).toMatchObject({ firstName: 'Ana', displayName: 'Ana Silva' });
    await caller.agents.update({ id, lastName: 'Costa' });
    expect(await caller.agents.get({ id })).toMatchObject({ displayName: 'Ana Costa' });
  });

  it('of a deactivation reactivates who was changed since, but not who was deactivated again', async () => {
    const [changed, again] = [await newAgent(), await newAgent()];
    const filter = { ids: [changed.id, again.id] };
    const job = await acceptBulk(caller, { filter, change: { type: 'deactivate' }, reason: 'Left' });
    await runJobs(database.db);
    await caller.agents.update({ id: changed.id, title: 'Broker' });
    await caller.agents.reactivate({ id: again.id });
    await caller.agents.deactivate({ id: again.id, reason: 'Retired' });
    expect(await undo(job.id)).toMatchObject({
      changed: 1,
      rejected: 1,
      errors: [
        {
          id: again.id,
          fields: [
            { field: 'statusReason', previous: null, set: 'Left', current: 'Retired' },
            { field: 'deactivatedAt' },
          ],
        },
      ],
    });
    expect(await caller.agents.get({ id: changed.id })).toMatchObject({ status: 'active', title: 'Broker' });
    expect(await caller.agents.get({ id: again.id })).toMatchObject({ status: 'inactive' });
  });

  it('of a transfer brings back who was changed since, but not who moved on', async () => {
    const offices = await Promise.all(
      ['Home', 'Away', 'Third'].map((name) => caller.offices.create({ name })),
    );
    const [home = '', away = '', third = ''] = offices.map(({ id }) => id);
    const create = () => caller.agents.create({ firstName: 'Ana', lastName: 'Reis', officeId: home });
    const [changed, moved] = [await create(), await create()];
    const change = { type: 'transfer' as const, officeId: away };
    const job = await acceptBulk(caller, { filter: { officeId: [home] }, change });
    await runJobs(database.db);
    await caller.agents.update({ id: changed.id, title: 'Broker' });
    await caller.agents.transfer({ id: moved.id, officeId: third });
    expect(await undo(job.id)).toMatchObject({
      changed: 1,
      rejected: 1,
      errors: [{ id: moved.id, fields: [{ field: 'officeId', previous: home, set: away, current: third }] }],
    });
    expect(await caller.agents.get({ id: changed.id })).toMatchObject({ officeId: home, title: 'Broker' });
  });

  it('of a restoration deletes no record that was changed since', async () => {
    const { id } = await newAgent();
    const job = await acceptBulk(caller, { filter: { ids: [id] }, change: { type: 'delete' } });
    await runJobs(database.db);
    const restored = await undo(job.id);
    await caller.agents.update({ id, title: 'Broker' });
    expect(await undo(restored.id)).toMatchObject({
      changed: 0,
      rejected: 1,
      errors: [
        {
          id,
          code: 'version_conflict',
          detail: 'The agent is not deleted, because it was changed since: title.',
          fields: [{ field: 'title', set: null, current: 'Broker' }],
        },
      ],
    });
  });

  it('that deletes again says which records refer to the one that it does not delete', async () => {
    const { id } = await newAgent();
    const job = await acceptBulk(caller, { filter: { ids: [id] }, change: { type: 'delete' } });
    await runJobs(database.db);
    const restored = await undo(job.id);
    await caller.offices.create({ name: 'Managed', managerAgentId: id });
    expect(await undo(restored.id)).toMatchObject({
      status: 'completed_with_errors',
      errors: [
        {
          id,
          code: 'has_dependents',
          detail: 'Other records refer to this agent (managerOf: 1).',
          fields: [],
        },
      ],
    });
  });
});
