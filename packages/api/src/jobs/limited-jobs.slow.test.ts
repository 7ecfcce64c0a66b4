import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../test/support/caller.ts';
import { acceptBulk, jobOf, runBatch, runJobs } from '../../test/support/jobs.ts';
import { type OfficeScene, officeScene } from '../../test/support/office-scene.ts';
import { rejected } from '../../test/support/rejected.ts';

let scene: OfficeScene;
let limited: Caller;
beforeEach(async () => {
  scene = await officeScene();
  limited = await scene.limited();
});
afterEach(() => scene[Symbol.asyncDispose]());

const all = { filter: { all: true as const } };
const titled = (title: string) => ({ type: 'update' as const, patch: { title } });
const codeOf = async (call: Promise<unknown>) => (await rejected(call)).errorCode;
const titlesOf = async () => {
  const { items } = await scene.all.agents.list({ limit: 200 });
  return new Map(items.map(({ id, title }) => [id, title]));
};

describe('a bulk by filter of a limited caller', () => {
  it('selects, counts and shows only the records within', async () => {
    const { agents, offices } = scene;
    const preview = await limited.agents.bulk({ ...all, change: titled('Broker'), dryRun: true });
    expect(preview).toMatchObject({ count: 2, checked: 2, changed: 2, rejected: 0, errors: [] });
    const shown = 'samples' in preview ? preview.samples.map(({ id }) => id) : [];
    expect(new Set(shown)).toEqual(new Set([agents.main, agents.branch]));
    const filter = { officeId: [offices.other, offices.branch] };
    expect(await limited.agents.bulk({ filter, change: titled('x'), dryRun: true })).toMatchObject({
      count: 1,
    });
    expect(
      await limited.agents.bulk({ filter: { q: 'ana' }, change: titled('x'), dryRun: true }),
    ).toMatchObject({
      count: 2,
    });
    const web = { type: 'update' as const, patch: { website: 'https://roster.example' } };
    expect(await limited.offices.bulk({ ...all, change: web, dryRun: true })).toMatchObject({ count: 2 });
    const error = await rejected(limited.agents.bulk({ ...all, change: titled('x'), expectedCount: 4 }));
    expect(error).toMatchObject({ errorCode: 'count_mismatch', actualCount: 2 });
  });

  it('changes the records within and no other', async () => {
    const { agents } = scene;
    const { id } = await acceptBulk(limited, { ...all, change: titled('Broker') });
    await runJobs(scene.db);
    expect(await limited.jobs.get({ id })).toMatchObject({ status: 'completed', total: 2, changed: 2 });
    const titles = await titlesOf();
    expect([agents.main, agents.branch].map((agent) => titles.get(agent))).toEqual(['Broker', 'Broker']);
    expect([agents.other, agents.none].map((agent) => titles.get(agent))).toEqual([null, null]);
  });

  it('rejects a record that has left since it was selected like one that was deleted', async () => {
    const { agents, offices } = scene;
    const { id } = await acceptBulk(limited, { ...all, change: titled('Broker') });
    await scene.all.agents.transfer({ id: agents.branch, officeId: offices.other });
    await runJobs(scene.db);
    expect(await limited.jobs.get({ id })).toMatchObject({
      status: 'completed_with_errors',
      changed: 1,
      errors: [{ id: agents.branch, code: 'not_found', detail: `No agent has the ID ${agents.branch}.` }],
    });
    expect((await titlesOf()).get(agents.branch)).toBeNull();
  });

  it('follows the tree of the offices between two batches', async () => {
    const { agents, offices } = scene;
    const { id } = await acceptBulk(limited, { ...all, change: titled('Broker') });
    await scene.all.offices.update({ id: offices.branch, mainOfficeId: offices.other });
    await runBatch(scene.db);
    expect(await limited.jobs.get({ id })).toMatchObject({ changed: 1, rejected: 1 });
    expect((await titlesOf()).get(agents.branch)).toBeNull();
  });

  it('rejects a transfer to, or a reference to, what is not within as to what does not exist', async () => {
    const { offices, agents } = scene;
    const missing = { code: 'reference_not_found' };
    for (const change of [
      { type: 'transfer' as const, officeId: offices.other },
      { type: 'update' as const, patch: { officeId: offices.other } },
      { type: 'update' as const, patch: { assistantToAgentId: agents.other } },
    ]) {
      const preview = await limited.agents.bulk({ ...all, change, dryRun: true });
      expect(preview).toMatchObject({ changed: 0, rejected: 2, errors: [missing, missing] });
      const { id } = jobOf(await limited.agents.bulk({ ...all, change, expectedCount: 2 }));
      await runJobs(scene.db);
      expect(await limited.jobs.get({ id })).toMatchObject({ changed: 0, errors: [missing, missing] });
    }
    const out = { type: 'update' as const, patch: { officeId: null } };
    expect(await limited.agents.bulk({ ...all, change: out, dryRun: true })).toMatchObject({
      errors: [{ code: 'insufficient_scope' }, { code: 'insufficient_scope' }],
    });
  });

  it('deletes only what is within', async () => {
    await acceptBulk(limited, { ...all, change: { type: 'delete' } });
    await runJobs(scene.db);
    const { agents } = scene;
    expect(new Set((await titlesOf()).keys())).toEqual(new Set([agents.other, agents.none]));
  });
});

describe('the undo of a job of a limited caller', () => {
  it('keeps the limit: a record that has left is rejected, also if it was deleted', async () => {
    const { agents, offices } = scene;
    const third = await scene.newAgent(offices.main, 'Third');
    const { id } = await acceptBulk(limited, { ...all, change: titled('Broker') });
    await runJobs(scene.db);
    await scene.all.agents.transfer({ id: agents.branch, officeId: offices.other });
    await scene.all.agents.transfer({ id: third, officeId: offices.other });
    await scene.all.agents.delete({ id: third });
    const undo = await scene.all.jobs.undo({ id });
    await runJobs(scene.db);
    expect(await limited.jobs.get({ id: undo.id })).toMatchObject({ total: 3, changed: 1, rejected: 2 });
    const { items } = await limited.jobs.errors({ id: undo.id });
    const detail = 'The agent was deleted since, or left the offices of the limit.';
    expect(new Set(items)).toEqual(
      new Set([agents.branch, third].map((agent) => ({ id: agent, code: 'not_found', detail, fields: [] }))),
    );
    const titles = await titlesOf();
    expect([agents.main, agents.branch].map((agent) => titles.get(agent))).toEqual([null, 'Broker']);
  });

  it('puts no record back into an office that is not within by now', async () => {
    const { agents, offices } = scene;
    const filter = { officeId: [offices.branch] };
    const { id } = await acceptBulk(limited, {
      filter,
      change: { type: 'transfer', officeId: offices.main },
    });
    await runJobs(scene.db);
    await scene.all.offices.update({ id: offices.branch, mainOfficeId: offices.other });
    const undo = await limited.jobs.undo({ id });
    await runJobs(scene.db);
    expect(await limited.jobs.get({ id: undo.id })).toMatchObject({
      errors: [{ id: agents.branch, code: 'reference_not_found' }],
    });
  });

  it('brings deleted records back', async () => {
    const { agents } = scene;
    const { id } = await acceptBulk(limited, { ...all, change: { type: 'delete' } });
    await runJobs(scene.db);
    await limited.jobs.undo({ id });
    await runJobs(scene.db);
    expect((await titlesOf()).has(agents.branch)).toBe(true);
  });
});

describe('a job', () => {
  it('of everything, or of an office that the caller has not, does not exist for the caller', async () => {
    const { main, other } = scene.offices;
    const both = await scene.limited([main, other]);
    for (const owner of [scene.all, both]) {
      const { id } = await acceptBulk(owner, { ...all, change: titled('x') });
      for (const call of [
        () => limited.jobs.get({ id }),
        () => limited.jobs.errors({ id }),
        () => limited.jobs.cancel({ id }),
        () => limited.jobs.undo({ id }),
      ])
        expect(await rejected(call())).toMatchObject({
          errorCode: 'not_found',
          message: `No job has the ID ${id}.`,
        });
      expect(await owner.jobs.cancel({ id })).toMatchObject({ status: 'cancelled' });
    }
    expect((await limited.jobs.list({})).items).toEqual([]);
    expect((await scene.all.jobs.list({})).items).toHaveLength(2);
  });

  it('of a limited caller is shown to those who have all of its offices', async () => {
    const { branch, other } = scene.offices;
    const ofBranch = await scene.limited([branch]);
    const { id } = await acceptBulk(ofBranch, { ...all, change: titled('x') });
    for (const caller of [ofBranch, limited, scene.all]) {
      expect((await caller.jobs.list({})).items.map((job) => job.id)).toEqual([id]);
      expect(await caller.jobs.get({ id })).toMatchObject({ total: 1 });
    }
    expect((await (await scene.limited([other])).jobs.list({})).items).toEqual([]);
  });

  it('is managed by people with the role of a manager', async () => {
    const { id } = await acceptBulk(scene.all, { ...all, change: titled('x') });
    const editor = await scene.person('editor');
    for (const call of [
      () => editor.agents.bulk({ ...all, change: titled('x'), dryRun: true }),
      () => editor.offices.bulk({ ...all, change: { type: 'deactivate' }, dryRun: true }),
      () => editor.jobs.list({}),
      () => editor.jobs.get({ id }),
      () => editor.jobs.cancel({ id }),
      () => editor.jobs.undo({ id }),
    ])
      expect(await codeOf(call())).toBe('insufficient_scope');
    const manager = await scene.person('manager', [scene.offices.main]);
    expect(await manager.agents.bulk({ ...all, change: titled('x'), dryRun: true })).toMatchObject({
      count: 2,
    });
    const { rows } = await sql<{ ids: string[] | null }>`select office_ids as ids from job`.execute(scene.db);
    expect(rows).toEqual([{ ids: null }]);
  });
});
