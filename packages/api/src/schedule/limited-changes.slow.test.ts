import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../test/support/caller.ts';
import { type OfficeScene, officeScene, personOf } from '../../test/support/office-scene.ts';
import { fieldErrorsOf, rejected } from '../../test/support/rejected.ts';
import { runDueChanges } from '../host/run-due.ts';

let scene: OfficeScene;
let limited: Caller;
beforeEach(async () => {
  scene = await officeScene();
  limited = await scene.limited();
});
afterEach(() => scene[Symbol.asyncDispose]());

const HOUR_MS = 3_600_000;
const effectiveAt = new Date(Date.now() + HOUR_MS).toISOString();
const codeOf = async (call: Promise<unknown>) => (await rejected(call)).errorCode;
/** Makes what is scheduled. */
const runAll = async () => {
  const later = new Date(Date.now() + 2 * HOUR_MS);
  while ((await runDueChanges(scene.db, { now: () => later, onError: () => undefined })) > 0);
};
/** The id of the only change that a record has. */
const pendingOf = async (subject: string, caller = scene.all) =>
  (await caller.scheduledChanges.list({ subject })).items[0]?.id ?? '';

describe('scheduled changes', () => {
  it('are visible and can be cancelled if their record is within', async () => {
    const { agents, offices } = scene;
    await scene.all.agents.deactivate({ id: agents.branch, effectiveAt });
    await scene.all.agents.deactivate({ id: agents.other, effectiveAt });
    await scene.all.agents.deactivate({ id: agents.none, effectiveAt });
    await scene.all.offices.deactivate({ id: offices.branch, effectiveAt });
    await scene.all.offices.deactivate({ id: offices.other, effectiveAt });
    const { items } = await limited.scheduledChanges.list({});
    expect(new Set(items.map(({ subject }) => subject))).toEqual(new Set([agents.branch, offices.branch]));
    for (const { id } of items) {
      expect(await limited.scheduledChanges.get({ id })).toMatchObject({ status: 'pending' });
      expect(await limited.scheduledChanges.cancel({ id })).toMatchObject({ status: 'cancelled' });
    }
    for (const subject of [agents.other, agents.none, offices.other]) {
      expect((await limited.scheduledChanges.list({ subject })).items).toEqual([]);
      const id = await pendingOf(subject);
      expect(await codeOf(limited.scheduledChanges.get({ id }))).toBe('not_found');
      expect(await codeOf(limited.scheduledChanges.cancel({ id }))).toBe('not_found');
      expect(await scene.all.scheduledChanges.get({ id })).toMatchObject({ status: 'pending' });
    }
  });

  it('can be scheduled of records within alone', async () => {
    const { agents, offices } = scene;
    expect(await limited.agents.deactivate({ id: agents.main, effectiveAt })).toMatchObject({
      scheduledChanges: [{ change: 'deactivate' }],
    });
    for (const id of [agents.other, agents.none])
      expect(await rejected(limited.agents.deactivate({ id, effectiveAt }))).toMatchObject({
        errorCode: 'not_found',
        message: `No agent has the ID ${id}.`,
      });
    expect(await codeOf(limited.offices.reactivate({ id: offices.other, effectiveAt }))).toBe('not_found');
  });

  it('need both offices of a transfer: another one is returned as one that does not exist', async () => {
    const { agents, offices } = scene;
    const toBranch = { id: agents.main, officeId: offices.branch, effectiveAt };
    expect(await limited.agents.transfer(toBranch)).toMatchObject({
      scheduledChanges: [{ change: 'transfer', officeId: offices.branch }],
    });
    const toOther = await rejected(
      limited.agents.transfer({ id: agents.main, officeId: offices.other, effectiveAt }),
    );
    expect(toOther.errorCode).toBe('reference_not_found');
    expect(fieldErrorsOf(toOther)).toEqual(['#/officeId not_found']);
    const all = { effectiveAt };
    const { main, branch, other } = offices;
    expect(await limited.offices.transferAgents({ id: branch, toOfficeId: main, ...all })).toMatchObject({
      scheduledChanges: [{ change: 'transfer_agents' }],
    });
    const allToOther = await rejected(
      limited.offices.transferAgents({ id: main, toOfficeId: other, ...all }),
    );
    expect(fieldErrorsOf(allToOther)).toEqual(['#/toOfficeId not_found']);
    expect(await codeOf(limited.offices.transferAgents({ id: other, toOfficeId: main, ...all }))).toBe(
      'not_found',
    );
    // Now, too.
    expect(await codeOf(limited.offices.transferAgents({ id: other, toOfficeId: main }))).toBe('not_found');
    expect(await codeOf(limited.offices.transferAgents({ id: main, toOfficeId: other }))).toBe(
      'reference_not_found',
    );
    expect(await limited.offices.transferAgents({ id: branch, toOfficeId: main })).toMatchObject({
      moved: 1,
    });
  });

  it('say nothing of the time zone of an office that is not within', async () => {
    const { agents, offices } = scene;
    await scene.all.offices.update({ id: offices.other, timeZone: 'Pacific/Kiritimati' });
    // In that zone the day has begun: the transfer would not be scheduled but made.
    const effectiveOn = new Date(Date.now() + 13 * HOUR_MS).toISOString().slice(0, 10);
    const toOther = { id: agents.main, officeId: offices.other, effectiveOn };
    expect(await codeOf(limited.agents.transfer(toOther))).toBe('reference_not_found');
  });

  it('happen as they were allowed when they were scheduled', async () => {
    const { agents, offices } = scene;
    await limited.agents.transfer({ id: agents.main, officeId: offices.branch, effectiveAt });
    const id = await pendingOf(agents.main, limited);
    await scene.all.offices.update({ id: offices.branch, mainOfficeId: offices.other });
    await runAll();
    expect(await scene.all.agents.get({ id: agents.main })).toMatchObject({ officeId: offices.branch });
    expect(await scene.all.scheduledChanges.get({ id })).toMatchObject({ status: 'done' });
    expect(await codeOf((await scene.limited()).scheduledChanges.get({ id }))).toBe('not_found');
  });

  it('of an office with its agents end no affiliations of agents elsewhere, as the same change now does', async () => {
    const { agents, offices } = scene;
    const affiliations = [{ officeId: offices.branch }];
    await scene.all.agents.update({ id: agents.other, affiliations });
    await scene.all.agents.update({ id: agents.main, affiliations });
    await limited.offices.deactivate({ id: offices.branch, cascade: true, effectiveAt });
    await runAll();
    expect(await scene.all.agents.get({ id: agents.branch })).toMatchObject({ status: 'inactive' });
    expect(await scene.all.agents.get({ id: agents.main })).toMatchObject({ affiliations: [] });
    expect((await scene.all.agents.get({ id: agents.other })).affiliations).toHaveLength(1);
  });
});

describe('people', () => {
  it('schedule and cancel as managers; editors make the same changes now, and read what is scheduled', async () => {
    const { agents, offices } = scene;
    const editor = await scene.person('editor');
    const manager = await scene.person('manager', [offices.main]);
    const scheduled = await manager.agents.deactivate({ id: agents.main, effectiveAt });
    const id = scheduled.scheduledChanges[0]?.id ?? '';
    expect(await editor.scheduledChanges.get({ id })).toMatchObject({ status: 'pending' });
    for (const call of [
      () => editor.agents.deactivate({ id: agents.main, effectiveAt }),
      () => editor.agents.transfer({ id: agents.main, officeId: offices.other, effectiveAt }),
      () => editor.offices.deactivate({ id: offices.main, effectiveAt }),
      () => editor.offices.transferAgents({ id: offices.main, toOfficeId: offices.other }),
      () => editor.scheduledChanges.cancel({ id }),
    ])
      expect(await codeOf(call())).toBe('insufficient_scope');
    expect(await editor.agents.deactivate({ id: agents.main })).toMatchObject({ status: 'inactive' });
    expect(await manager.scheduledChanges.cancel({ id })).toMatchObject({ status: 'cancelled' });
  });

  it('who manage one office and edit others schedule in the one', async () => {
    const { agents, offices } = scene;
    const person = scene.as(
      await personOf(scene.db, [
        { role: 'manager', officeIds: [offices.main] },
        { role: 'editor', officeIds: [offices.other] },
      ]),
    );
    expect(await person.agents.deactivate({ id: agents.main, effectiveAt })).toMatchObject({ version: 2 });
    expect(await codeOf(person.agents.deactivate({ id: agents.other, effectiveAt }))).toBe('not_found');
    expect(await person.agents.deactivate({ id: agents.other })).toMatchObject({ status: 'inactive' });
  });
});
