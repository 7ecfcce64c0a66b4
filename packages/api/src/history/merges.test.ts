import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../test/support/caller.ts';
import { type OfficeScene, officeScene } from '../../test/support/office-scene.ts';

let scene: OfficeScene;
let all: Caller;
let agent: OfficeScene['createAgent'];
beforeAll(async () => {
  scene = await officeScene();
  all = scene.all;
  agent = scene.createAgent;
});
afterAll(() => scene[Symbol.asyncDispose]());

const office = (fields: { name: string; phone?: string }) => all.offices.create(fields);

describe('the history of a survivor', () => {
  it('names the record whose values it has, in its history, and so does that of whatever moved, also of the undo', async () => {
    const survivor = await office({ name: 'Casa Um' });
    const duplicate = await office({ name: 'Casa Dois', phone: '+351210000077' });
    const moved = await agent({ officeId: duplicate.id });
    await all.offices.merge({ id: survivor.id, duplicateId: duplicate.id });
    const merge = {
      resource: 'offices',
      survivor: { id: survivor.id, name: 'Casa Um' },
      duplicate: { id: duplicate.id, name: 'Casa Dois' },
    };
    const historyOf = async (id: string) => (await all.offices.history({ id })).items;
    expect((await historyOf(survivor.id))[0]).toMatchObject({
      type: 'office.merged',
      merge,
      changes: [{ field: 'phone', before: null, after: '+351210000077' }],
    });
    expect((await historyOf(duplicate.id)).map((change) => change.merge)).toEqual([merge, merge, null]);
    expect((await all.agents.history({ id: moved.id })).items[0]).toMatchObject({ merge });
    await all.offices.unmerge({ id: duplicate.id });
    expect((await historyOf(survivor.id))[0]).toMatchObject({ details: { undoesMerge: true }, merge });
  });

  it('says that a merge was undone which had changed none of its values', async () => {
    const [survivor, duplicate] = [await agent(), await agent()];
    await all.agents.merge({ id: survivor.id, duplicateId: duplicate.id });
    await all.agents.unmerge({ id: duplicate.id });
    const { items } = await all.agents.history({ id: survivor.id });
    expect(items[0]).toMatchObject({ version: 3, details: { undoesMerge: true }, changes: [] });
  });

  it('names a limited caller no record that it may not see', async () => {
    const survivor = await agent({ officeId: scene.offices.main });
    const duplicate = await agent({ firstName: 'Elsewhere' });
    await all.agents.merge({ id: survivor.id, duplicateId: duplicate.id });
    const limited = await scene.limited();
    const { items } = await limited.agents.history({ id: survivor.id });
    expect(items[0]?.merge).toMatchObject({ survivor: { id: survivor.id }, duplicate: null });
  });
});
