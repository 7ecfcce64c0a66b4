import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { untilWaiting } from '../../test/support/lock-waits.ts';
import { type OfficeScene, officeScene } from '../../test/support/office-scene.ts';
import { rejected } from '../../test/support/rejected.ts';

let scene: OfficeScene;
let limited: Caller;
beforeEach(async () => {
  scene = await officeScene();
  limited = await scene.limited();
});
afterEach(() => scene[Symbol.asyncDispose]());

it.each<[string, (id: string) => Promise<unknown>]>([
  ['an update', (id) => limited.agents.update({ id, title: 'Broker' })],
  ['a transfer', (id) => limited.agents.transfer({ id, officeId: scene.offices.branch })],
  ['a deactivation', (id) => limited.agents.deactivate({ id })],
  ['a deletion', (id) => limited.agents.delete({ id })],
  ['a revert', (id) => limited.agents.revert({ id, toVersion: 1 })],
])('%s that waits while the agent leaves the limit finds none', async (_, change) => {
  const { agents, offices, db } = scene;
  const id = agents.main;
  const waiting = await db.transaction().execute(async (trx) => {
    await callerIn(trx).agents.update({ id, officeId: offices.other });
    const error = rejected(change(id));
    await untilWaiting(db, 1, { timeout: 2_500, interval: 20 });
    return { error };
  });
  expect((await waiting.error).errorCode).toBe('not_found');
  expect(await scene.all.agents.get({ id })).toMatchObject({ version: 2, officeId: offices.other });
});

it('a reference that waits while it becomes the one that was there already is accepted', async () => {
  const { agents, offices, db } = scene;
  const id = agents.main;
  const waiting = await db.transaction().execute(async (trx) => {
    await callerIn(trx).agents.update({ id, assistantToAgentId: agents.other });
    const changed = limited.agents.update({ id, assistantToAgentId: agents.other, title: 'Broker' });
    await untilWaiting(db, 1, { timeout: 2_500, interval: 20 });
    return { changed };
  });
  expect(await waiting.changed).toMatchObject({ version: 3, title: 'Broker', officeId: offices.main });
});
