import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assignPositions } from '../../src/event-log/sequencer.ts';
import type { Caller } from '../support/caller.ts';
import { compareAll } from '../support/comparison.ts';
import { runJobs } from '../support/jobs.ts';
import { type OfficeScene, officeScene } from '../support/office-scene.ts';
import { rejected } from '../support/rejected.ts';

let scene: OfficeScene;
let all: Caller;
beforeAll(async () => {
  scene = await officeScene();
  all = scene.all;
});
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(async () => {
  await compareAll(scene.db);
  await scene.db.deleteFrom('duplicate_pair').execute();
});

type NewAgent = Parameters<Caller['agents']['create']>[0];
let numbers = 0;
/** Creates agents of one name and MLS number, each with some fields more. Resolves to their ids. */
async function alike(...some: Partial<NewAgent>[]): Promise<string[]> {
  numbers += 1;
  const name = { firstName: 'Marta', lastName: `Vilhena${'abcdefghij'[numbers % 10]}`, mlsId: `M${numbers}` };
  const ids = [];
  for (const fields of some) ids.push((await all.agents.create({ ...name, ...fields })).id);
  await compareAll(scene.db);
  return ids;
}

const filter = { minScore: 0.8 };

/** Accepts the merge of so many pairs, runs it, and returns the job. */
async function merged(expectedCount: number, caller = all) {
  const job = await caller.agents.mergeDuplicates({ filter, expectedCount });
  if (!('status' in job)) throw new Error('not a job');
  await runJobs(scene.db);
  return caller.jobs.get({ id: job.id });
}

async function undone(id: string) {
  const undo = await all.jobs.undo({ id });
  await runJobs(scene.db);
  return all.jobs.get({ id: undo.id });
}

describe('the merge of many pairs', () => {
  it('is tried before, asks for the number of pairs, and merges each into the one that was created first', async () => {
    const [first = '', second = ''] = await alike({ phone: '+351910000001' }, { email: 'marta@one.example' });
    const [third = '', fourth = ''] = await alike({ bio: 'x' }, {});
    const before = await all.agents.get({ id: first });
    const preview = await all.agents.mergeDuplicates({ filter, dryRun: true });
    expect(preview).toMatchObject({ count: 2, checked: 2, changed: 2, unchanged: 0, rejected: 0 });
    expect('samples' in preview && preview.samples.find(({ id }) => id === first)?.changes).toEqual([
      { field: 'email', from: null, to: 'marta@one.example' },
    ]);
    expect(await all.agents.get({ id: first })).toEqual(before);
    expect(await rejected(all.agents.mergeDuplicates({ filter }))).toMatchObject({
      errorCode: 'validation_failed',
    });
    expect(await rejected(all.agents.mergeDuplicates({ filter, expectedCount: 3 }))).toMatchObject({
      errorCode: 'count_mismatch',
      actualCount: 2,
    });
    const job = await merged(2);
    expect(job).toMatchObject({
      status: 'completed',
      total: 2,
      changed: 2,
      change: { type: 'merge' },
      filter,
    });
    expect(await all.agents.get({ id: first })).toMatchObject({ email: 'marta@one.example', version: 2 });
    for (const [id, mergedInto] of [
      [second, first],
      [fourth, third],
    ] as const)
      expect(await rejected(all.agents.get({ id }))).toMatchObject({
        errorCode: 'record_merged',
        mergedInto,
      });
    await assignPositions(scene.db);
    const { items } = await all.events.list({ after: '0', subject: first });
    expect(items.at(-1)).toMatchObject({
      type: 'agent.merged',
      details: { bulkId: job.id, mergedFrom: second, mergeId: expect.any(String) },
    });
  });

  it('makes one record of a chain, and the undo of the job brings all of them back as they were', async () => {
    const ids = await alike({}, { email: 'marta@chain.example' }, { bio: 'Third' });
    const [survivor = '', ...others] = ids;
    const states = await Promise.all(ids.map((id) => all.agents.get({ id })));
    const job = await merged(3);
    expect(job).toMatchObject({ status: 'completed', changed: 2, unchanged: 1 });
    expect(await all.agents.get({ id: survivor })).toMatchObject({
      email: 'marta@chain.example',
      bio: 'Third',
    });
    const preview = await all.jobs.previewUndo({ id: job.id });
    expect(preview).toMatchObject({ count: 2, changed: 2, rejected: 0 });
    expect(await undone(job.id)).toMatchObject({ status: 'completed', changed: 2, rejected: 0, errors: [] });
    for (const [place, id] of ids.entries()) {
      const { version: _, updatedAt: __, ...state } = states[place] as (typeof states)[number];
      expect(await all.agents.get({ id })).toMatchObject(state);
    }
    expect(others).toHaveLength(2);
  });

  it('undone names the fields that were changed since, which stay, and a merge that was taken back alone', async () => {
    const [first = '', second = ''] = await alike(
      {},
      { email: 'marta@since.example', title: 'Broker', bio: 'x' },
    );
    const [, fourth = ''] = await alike({}, {});
    const job = await merged(2);
    await all.agents.update({ id: first, email: 'other@since.example', title: 'Lead' });
    await all.agents.unmerge({ id: fourth });
    const undo = await undone(job.id);
    expect(undo).toMatchObject({
      status: 'completed_with_errors',
      changed: 1,
      partlyChanged: 1,
      rejected: 1,
    });
    expect(undo.errors).toEqual(
      expect.arrayContaining([
        {
          id: second,
          code: 'version_conflict',
          detail: `The merge is undone, but for what was changed since: title, email of ${first}.`,
          fields: [],
        },
        expect.objectContaining({ id: fourth, code: 'not_found' }),
      ]),
    );
    expect(await all.agents.get({ id: first })).toMatchObject({ email: 'other@since.example', bio: null });
    expect(await all.agents.get({ id: second })).toMatchObject({ bio: 'x' });
  });

  it('leaves two that were decided not to be the same, or are not alike any more, and lets an active one survive', async () => {
    const chain = await alike({}, {}, {});
    const { items } = await all.agents.duplicates({ recordId: chain[2] ?? '' });
    const [apart] = items.filter(({ records }) => records.some(({ id }) => id === chain[1]));
    await all.agents.dismissDuplicate({ id: apart?.id ?? '' });
    const [changed = '', other = ''] = await alike({}, {});
    const [inactive = '', active = ''] = await alike({}, {});
    await all.agents.deactivate({ id: inactive });
    const accepted = await all.agents.mergeDuplicates({ filter, expectedCount: 4 });
    await all.agents.update({ id: changed, firstName: 'Rui', mlsId: null });
    await runJobs(scene.db);
    const job = await all.jobs.get({ id: 'id' in accepted ? accepted.id : '' });
    expect(job).toMatchObject({ status: 'completed_with_errors', changed: 2, unchanged: 0, rejected: 2 });
    expect(job.errors.map(({ id, detail }) => [id, detail])).toEqual(
      expect.arrayContaining([
        [expect.any(String), expect.stringContaining('It was decided that ')],
        [other, expect.stringContaining('are less alike by now: 0.0')],
      ]),
    );
    expect(await all.agents.get({ id: active })).toMatchObject({ status: 'active' });
    expect(await rejected(all.agents.get({ id: inactive }))).toMatchObject({ mergedInto: active });
  });

  it('is for a limited caller of the pairs of which both records are within the limit', async () => {
    const { offices } = scene;
    const at = (officeId: string) => ({ officeId });
    const [kept = '', gone = '', hidden = ''] = await alike(
      at(offices.main),
      at(offices.branch),
      at(offices.other),
    );
    const limited = await scene.limited();
    expect(await limited.agents.mergeDuplicates({ filter, dryRun: true })).toMatchObject({
      count: 1,
      changed: 1,
    });
    expect(await merged(1, limited)).toMatchObject({ status: 'completed', changed: 1 });
    expect(await rejected(all.agents.get({ id: gone }))).toMatchObject({ mergedInto: kept });
    expect(await all.agents.get({ id: hidden })).toMatchObject({ version: 1 });
  });
});

it('of one resource counts and merges the pairs of that alone, after the same filter was used for another one', async () => {
  await alike({}, {});
  for (let count = 0; count < 3; count += 1)
    await all.offices.create({ name: 'Vilhena', mlsId: 'OFFICES', phone: '+351210000001' });
  await compareAll(scene.db);
  expect(await all.agents.mergeDuplicates({ filter, dryRun: true })).toMatchObject({ count: 1 });
  expect(await all.offices.mergeDuplicates({ filter, dryRun: true })).toMatchObject({ count: 3, checked: 3 });
  await all.offices.mergeDuplicates({ filter, expectedCount: 3 });
  await runJobs(scene.db);
  expect(await all.agents.mergeDuplicates({ filter, dryRun: true })).toMatchObject({ count: 1 });
  expect(await all.offices.mergeDuplicates({ filter, dryRun: true })).toMatchObject({ count: 0 });
});
