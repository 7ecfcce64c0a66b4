import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../../test/support/caller.ts';
import { limitedTo } from '../../../test/support/context.ts';
import { type OfficeScene, officeScene } from '../../../test/support/office-scene.ts';
import { rejected } from '../../../test/support/rejected.ts';

let scene: OfficeScene;
let all: Caller;
let limited: Caller;
/** An agent of an office that the limited caller sees, and one of another. */
let seen: (fields?: object) => Promise<string>;
let hidden: (fields?: object) => Promise<string>;
beforeAll(async () => {
  scene = await officeScene();
  all = scene.all;
  limited = await scene.limited();
  const { createAgent, offices } = scene;
  seen = async (fields) => (await createAgent({ officeId: offices.main, ...fields })).id;
  hidden = async (fields) => (await createAgent({ officeId: offices.other, ...fields })).id;
});
afterAll(() => scene[Symbol.asyncDispose]());

const later = new Date(Date.now() + 86_400_000).toISOString();

describe('a caller that is limited to an office', () => {
  it('is told of what a merge moves the number of the records it sees, also by a dry run', async () => {
    const [id, duplicateId] = [await seen(), await seen()];
    await seen({ assistantToAgentId: duplicateId });
    for (let n = 0; n < 2; n += 1) await hidden({ assistantToAgentId: duplicateId });
    await all.teams.create({ name: 'Unseen', members: [{ agentId: duplicateId }] });
    const merge = { id, duplicateId };
    expect((await all.agents.merge({ ...merge, dryRun: true })).moved).toEqual({ agents: 3, teams: 1 });
    expect((await limited.agents.merge({ ...merge, dryRun: true })).moved).toEqual({ agents: 1 });
    expect((await limited.agents.merge(merge)).moved).toEqual({ agents: 1 });
  });

  it('is told of conflicts of an undo those in records it sees, also by a dry run', async () => {
    const [id, duplicateId] = [await seen({ lastName: 'Undone' }), await seen({ lastName: 'Undone' })];
    const [mine, theirs] = [
      await seen({ assistantToAgentId: duplicateId }),
      await hidden({ assistantToAgentId: duplicateId }),
    ];
    await limited.agents.merge({ id, duplicateId });
    for (const agent of [mine, theirs]) await all.agents.update({ id: agent, assistantToAgentId: null });
    const conflictsOf = async (caller: Caller) =>
      (await caller.agents.unmerge({ id: duplicateId, dryRun: true })).conflicts.map((one) => one.id);
    expect(await conflictsOf(all)).toEqual([mine, theirs]);
    expect(await conflictsOf(limited)).toEqual([mine]);
    const { conflicts } = await limited.agents.unmerge({ id: duplicateId });
    expect(conflicts).toEqual([{ resource: 'agents', id: mine, field: 'assistantToAgentId' }]);
  });

  it('is told of what else stays those scheduled changes and views that it may read', async () => {
    const { branch, main } = scene.offices;
    const { id: duplicateId } = await all.offices.create({ name: 'Porto', mainOfficeId: main });
    const within = scene.as({ ...(await limitedTo(scene.db, [main])), id: randomUUID() });
    const [mine, theirs] = [await seen(), await hidden()];
    for (const id of [mine, theirs])
      await all.agents.transfer({ id, officeId: duplicateId, effectiveAt: later });
    const view = {
      resource: 'agents' as const,
      name: 'Porto',
      query: { officeId: duplicateId },
      columns: [],
    };
    const views = [];
    for (const isShared of [true, false]) views.push(await all.views.create({ ...view, isShared }));
    await all.offices.merge({ id: branch, duplicateId });
    for (const { id } of views) await all.views.update({ id, name: 'Changed' });
    const { items } = await all.scheduledChanges.list({ limit: 200 });
    for (const { id, subject } of items)
      if ([mine, theirs].includes(subject)) await all.scheduledChanges.cancel({ id });
    const leftOf = async (caller: Caller) =>
      (await caller.offices.unmerge({ id: duplicateId, dryRun: true })).notReturned;
    expect(await leftOf(all)).toEqual({ scheduledChanges: 2, views: 2 });
    expect(await leftOf(within)).toEqual({ scheduledChanges: 1, views: 1 });
  });

  it('gets no id of a hidden record that something was merged into, or was merged into what it sees', async () => {
    const [away, here] = [await seen({ lastName: 'Away' }), await seen({ lastName: 'Here' })];
    const [survivor, absorbed] = [await hidden(), await hidden()];
    await all.agents.merge({ id: survivor, duplicateId: away });
    await all.agents.merge({ id: here, duplicateId: absorbed });
    await scene.settle();
    for (const subject of [away, here]) {
      const text = JSON.stringify([
        await limited.events.list({ subject, after: '0' }),
        await limited.agents.history({ id: subject }),
      ]);
      expect(text).toContain('agent.merged');
      for (const id of [survivor, absorbed]) expect(text).not.toContain(id);
      const [merged] = (await all.events.list({ subject, after: '0', types: ['agent.merged'] })).items;
      expect([merged?.details?.mergedInto, merged?.details?.mergedFrom]).toContain(
        subject === away ? survivor : absorbed,
      );
    }
  });

  it('gets the ids of merged records that it sees, also of deleted ones', async () => {
    const [id, duplicateId] = [await seen(), await seen()];
    await limited.agents.merge({ id, duplicateId });
    await scene.settle();
    const detailsOf = async (subject: string) =>
      (await limited.events.list({ subject, after: '0', types: ['agent.merged'] })).items[0]?.details;
    expect(await detailsOf(duplicateId)).toMatchObject({ mergedInto: id });
    expect(await detailsOf(id)).toMatchObject({ mergedFrom: duplicateId });
    await limited.agents.delete({ id });
    expect(await detailsOf(duplicateId)).toMatchObject({ mergedInto: id });
  });

  it('is told of the undo of a merge of a hidden record what it is told of one that never was', async () => {
    const [id, duplicateId, never] = [await seen(), await hidden(), await hidden()];
    await all.agents.merge({ id, duplicateId });
    const told = async (of: string) => {
      const { errorCode, message } = await rejected(limited.agents.unmerge({ id: of }));
      return [errorCode, message.replace(of, 'ID')];
    };
    expect(await told(duplicateId)).toEqual(await told(never));
  });

  it('is told by has_dependents how many of the records it sees refer to one, and of others that there are some', async () => {
    const [first, second] = [await seen(), await seen()];
    for (const id of [first, second]) await hidden({ assistantToAgentId: id });
    await seen({ assistantToAgentId: first });
    expect(await rejected(limited.agents.delete({ id: first }))).toMatchObject({
      errorCode: 'has_dependents',
      dependents: { assistants: 1 },
    });
    const others = await rejected(limited.agents.delete({ id: second }));
    expect(others).toMatchObject({ errorCode: 'has_dependents', dependents: {} });
    expect(others.message).toBe('Records outside your offices refer to this agent.');
    expect(await rejected(all.agents.delete({ id: first }))).toMatchObject({ dependents: { assistants: 2 } });
    const { rows } = await sql`select from agent where id in (${first}, ${second})`.execute(scene.db);
    expect(rows).toHaveLength(2);
  });
});
