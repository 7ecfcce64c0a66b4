import { createTestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../../test/support/caller.ts';
import { acceptBulk, jobOf, officeWith, runBatch } from '../../../test/support/jobs.ts';
import { officeScene } from '../../../test/support/office-scene.ts';
import { rejected } from '../../../test/support/rejected.ts';
import { runDueChanges } from '../../host/run-due.ts';
import { runNextBatch } from '../batches.ts';

const start = new Date('2026-11-27T10:00:00.000Z');
const monday = '2026-11-30';
let now = start;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase({ requiresEvents: true });
  caller = callerIn(database.db, { now: () => now });
});
afterAll(() => database[Symbol.asyncDispose]());

async function runJobs(): Promise<void> {
  const runImport = () => Promise.reject(new Error('no import'));
  const options = { now: () => now, retentionDays: 30, defaultCountry: 'PT', runImport };
  while (await runNextBatch(database.db, options));
}

async function runDue(): Promise<void> {
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  while ((await runDueChanges(database.db, { now: () => now, onError, defaultCountry: 'PT' })) > 0);
  expect(errors).toEqual([]);
}

type Request = Parameters<Caller['agents']['bulk']>[0];

async function schedule(
  request: Pick<Request, 'filter' | 'change' | 'reason' | 'effectiveAt' | 'effectiveOn'>,
) {
  const { id } = await acceptBulk(caller, request);
  await runJobs();
  return caller.jobs.get({ id });
}

async function at<Result>(time: string, run: () => Promise<Result>): Promise<Result> {
  now = new Date(time);
  try {
    return await run();
  } finally {
    now = start;
  }
}

describe('a bulk change with a time', () => {
  it('schedules the change of each record, at the beginning of the day where the new office is', async () => {
    const { ids, filter } = await officeWith(caller, 3);
    const tokyo = await caller.offices.create({ name: 'Tokyo', timeZone: 'Asia/Tokyo' });
    const change = { type: 'transfer' as const, officeId: tokyo.id };
    const job = await schedule({ filter, change, effectiveOn: monday, reason: 'New branch' });
    expect(job).toMatchObject({
      status: 'completed',
      total: 3,
      changed: 3,
      change: { ...change, effectiveOn: monday },
    });
    const { items } = await caller.scheduledChanges.list({ jobId: job.id });
    expect(items.map(({ subject }) => subject).toSorted()).toEqual(ids.toSorted());
    for (const item of items)
      expect(item).toMatchObject({
        change: 'transfer',
        effectiveAt: '2026-11-29T15:00:00.000Z',
        officeId: tokyo.id,
        jobId: job.id,
        reason: 'New branch',
        status: 'pending',
        patch: null,
      });
    const [id = ''] = ids;
    const agent = await caller.agents.get({ id });
    expect(agent).toMatchObject({
      version: 2,
      scheduledChanges: [{ jobId: job.id, change: 'transfer', fields: [] }],
    });
    await at('2026-11-29T15:00:00.000Z', runDue);
    expect(await caller.agents.get({ id })).toMatchObject({ officeId: tokyo.id, scheduledChanges: [] });
  });

  it('begins days where each record is, unless the agents move', async () => {
    const lisboa = await caller.offices.create({ name: 'Lisboa', timeZone: 'Europe/Lisbon' });
    const madrid = await caller.offices.create({ name: 'Madrid', timeZone: 'Europe/Madrid' });
    for (const officeId of [lisboa.id, madrid.id]) await caller.agents.create({ lastName: 'Reis', officeId });
    const filter = { officeId: [lisboa.id, madrid.id] };
    const job = await schedule({ filter, change: { type: 'deactivate' }, effectiveOn: monday });
    const { items } = await caller.scheduledChanges.list({ jobId: job.id });
    expect(items.map(({ effectiveAt }) => effectiveAt)).toEqual([
      '2026-11-29T23:00:00.000Z',
      '2026-11-30T00:00:00.000Z',
    ]);
  });

  it('changes fields at that time, with telephones as they are read then', async () => {
    const { ids, filter } = await officeWith(caller, 2);
    const patch = { title: 'Senior consultant', phone: '912345678' };
    const job = await schedule({
      filter,
      change: { type: 'update', patch },
      effectiveAt: '2026-11-28T09:00:00Z',
    });
    const { items } = await caller.scheduledChanges.list({ jobId: job.id });
    expect(items.map((item) => item.patch)).toEqual([patch, patch]);
    const [id = ''] = ids;
    const { scheduledChanges, title } = await caller.agents.get({ id });
    expect([title, scheduledChanges[0]?.fields]).toEqual([null, ['title', 'phone']]);
    await at('2026-11-28T09:00:00.000Z', runDue);
    expect(await caller.agents.get({ id })).toMatchObject({
      title: 'Senior consultant',
      phone: '+351912345678',
    });
    const [last] = (await caller.agents.history({ id })).items;
    expect(last).toMatchObject({ details: { scheduledChangeId: expect.any(String) } });
  });

  it('is made at once if the time has come', async () => {
    const { ids, filter } = await officeWith(caller, 1);
    const job = await schedule({
      filter,
      change: { type: 'deactivate' },
      effectiveAt: '2026-11-27T09:00:00Z',
    });
    expect(job.change).toEqual({ type: 'deactivate' });
    expect((await caller.agents.get({ id: ids[0] ?? '' })).status).toBe('inactive');
  });

  it('leaves records that have the same change scheduled', async () => {
    const { filter } = await officeWith(caller, 2);
    const request = { filter, change: { type: 'deactivate' as const }, effectiveOn: monday };
    expect(await schedule(request)).toMatchObject({ changed: 2, unchanged: 0 });
    expect(await schedule(request)).toMatchObject({ changed: 0, unchanged: 2 });
  });

  it('shows in a preview what the change would do, without the times that the service would set then', async () => {
    const { filter, office } = await officeWith(caller, 2);
    const previewOf = (change: Request['change']) =>
      caller.agents.bulk({ filter, change, effectiveOn: monday, dryRun: true });
    expect(await previewOf({ type: 'deactivate' })).toMatchObject({
      samples: [{ changes: [{ field: 'status', from: 'active', to: 'inactive' }] }, {}],
    });
    const { id: to } = await caller.offices.create({ name: 'Braga' });
    expect(await previewOf({ type: 'transfer', officeId: to })).toMatchObject({
      samples: [{ changes: [{ field: 'officeId', from: office.id, to }] }, {}],
    });
    const preview = await previewOf({ type: 'update', patch: { title: 'Broker' } });
    expect(preview).toMatchObject({
      count: 2,
      changed: 2,
      samples: [{ changes: [{ field: 'title', from: null, to: 'Broker' }] }, {}],
    });
  });

  it('is rejected if the records would be deleted, the office is missing or the time is years away', async () => {
    const { filter } = await officeWith(caller, 1);
    const errorOf = async (request: Partial<Request>) => {
      const whole = {
        filter,
        change: { type: 'deactivate' as const },
        expectedCount: 1,
        effectiveOn: monday,
      };
      const { errorCode, errors } = await rejected(caller.agents.bulk({ ...whole, ...request }));
      return [errorCode, errors?.[0]];
    };
    expect(await errorOf({ change: { type: 'delete' } })).toMatchObject([
      'validation_failed',
      { pointer: '#/change/type' },
    ]);
    const officeId = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
    expect(await errorOf({ change: { type: 'transfer', officeId } })).toMatchObject([
      'reference_not_found',
      { pointer: '#/change/officeId' },
    ]);
    expect(await errorOf({ effectiveOn: '2040-01-01' })).toMatchObject([
      'validation_failed',
      { pointer: '#/effectiveOn' },
    ]);
  });

  it('takes the role of a manager', async () => {
    await using scene = await officeScene();
    const { main } = scene.offices;
    const request = { filter: { officeId: main }, change: { type: 'deactivate' as const }, expectedCount: 1 };
    const effectiveOn = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    const editor = await scene.person('editor', [main]);
    expect((await rejected(editor.agents.bulk({ ...request, effectiveOn }))).errorCode).toBe(
      'insufficient_scope',
    );
    const manager = await scene.person('manager', [main]);
    const job = jobOf(await manager.agents.bulk({ ...request, effectiveOn }));
    while (await runBatch(scene.db));
    expect(await manager.jobs.get({ id: job.id })).toMatchObject({ changed: 1 });
    const { items } = await manager.scheduledChanges.list({ jobId: job.id });
    expect(items).toMatchObject([{ subject: scene.agents.main, status: 'pending' }]);
  });
});

describe('the undo of such a job', () => {
  it('cancels what is still to come, and says what is done', async () => {
    const { ids, filter } = await officeWith(caller, 2);
    const [first = '', second = ''] = ids;
    const job = await schedule({ filter, change: { type: 'deactivate' }, effectiveOn: monday });
    const [change] = (await caller.scheduledChanges.list({ jobId: job.id, subject: second })).items;
    await caller.scheduledChanges.cancel({ id: change?.id ?? '' });
    const preview = await caller.jobs.previewUndo({ id: job.id });
    expect(preview).toMatchObject({ changed: 1, unchanged: 1, rejected: 0 });
    const undo = await caller.jobs.undo({ id: job.id });
    await runJobs();
    expect(await caller.jobs.get({ id: undo.id })).toMatchObject({ changed: 1, unchanged: 1, rejected: 0 });
    await at('2026-12-01T00:00:00.000Z', runDue);
    for (const id of [first, second])
      expect(await caller.agents.get({ id })).toMatchObject({ status: 'active', scheduledChanges: [] });
  });

  it('leaves records whose change is done', async () => {
    const { ids, filter } = await officeWith(caller, 1);
    const job = await schedule({ filter, change: { type: 'deactivate' }, effectiveOn: monday });
    await at('2026-12-01T00:00:00.000Z', runDue);
    const undo = await caller.jobs.undo({ id: job.id });
    await runJobs();
    expect(await caller.jobs.get({ id: undo.id })).toMatchObject({
      rejected: 1,
      errors: [{ id: ids[0], code: 'change_finished', detail: 'The scheduled change is done.' }],
    });
    expect((await caller.agents.get({ id: ids[0] ?? '' })).status).toBe('inactive');
  });
});
