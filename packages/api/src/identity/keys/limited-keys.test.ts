import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../../test/support/caller.ts';
import { type OfficeScene, officeScene } from '../../../test/support/office-scene.ts';
import { rejected } from '../../../test/support/rejected.ts';

let scene: OfficeScene;
let limited: Caller;
beforeAll(async () => {
  scene = await officeScene();
  limited = await scene.limited();
});
afterAll(() => scene[Symbol.asyncDispose]());

const scopes = ['offices:read' as const];

describe('a caller that is limited to an office', () => {
  it('lists the keys of its offices alone, and the others do not exist for it', async () => {
    const { main, branch, other } = scene.offices;
    const own = [await limited.keys.create({ name: 'Own', scopes })];
    own.push(await scene.all.keys.create({ name: 'Branch', scopes, officeIds: [branch] }));
    const hidden = [
      await scene.all.keys.create({ name: 'Everything', scopes }),
      await scene.all.keys.create({ name: 'Other', scopes, officeIds: [other] }),
      await scene.all.keys.create({ name: 'Both', scopes, officeIds: [main, other] }),
    ];
    const { items } = await limited.keys.list({});
    const listed = items.map(({ id }) => id);
    for (const { id } of own) expect(listed).toContain(id);
    for (const { id } of hidden) {
      expect(listed).not.toContain(id);
      expect(await rejected(limited.keys.get({ id }))).toMatchObject({ errorCode: 'not_found' });
      expect(await rejected(limited.keys.revoke({ id }))).toMatchObject({ errorCode: 'not_found' });
    }
  });
});
