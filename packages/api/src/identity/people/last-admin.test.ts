import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../../test/support/caller.ts';
import { type IdentityScene, identityScene, newEmail } from '../../../test/support/identity-scene.ts';
import { rejected } from '../../../test/support/rejected.ts';

let scene: IdentityScene;
beforeAll(async () => {
  scene = await identityScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

describe('the only active person with the role admin for all offices', () => {
  const attempts: [string, (as: Caller, id: string) => Promise<unknown>][] = [
    ['delete', (as, id) => as.people.delete({ id })],
    ['deactivate', (as, id) => as.people.deactivate({ id })],
    ['take the role from', (as, id) => as.people.update({ id, grants: [{ role: 'manager' }] })],
    [
      'restrict the role of',
      (as, id) => as.people.update({ id, grants: [{ role: 'admin', officeIds: [scene.offices.main] }] }),
    ],
  ];

  it.each(attempts)('cannot %s themselves', async (_, attempt) => {
    const admin = scene.callers['a person with more rights'];
    const { id } = await admin.sessions.current({});
    const others = [null, [scene.offices.main]].map((officeIds) => ({ role: 'admin' as const, officeIds }));
    for (const grant of others)
      await admin.people.invite({ name: 'Rui', email: newEmail(), grants: [grant] });
    await scene.newTarget();
    expect(await rejected(attempt(admin, id))).toMatchObject({ errorCode: 'last_admin' });
    expect(await admin.people.get({ id })).toMatchObject({
      status: 'active',
      grants: [{ role: 'admin', officeIds: null }],
    });
  });

  it('can do the same to others, and keep further roles', async () => {
    const admin = scene.callers['a person with more rights'];
    const { id } = await admin.sessions.current({});
    const grants = [{ role: 'viewer' as const }, { role: 'admin' as const }];
    expect((await admin.people.update({ id, grants })).grants).toHaveLength(2);
    const { personId } = await scene.newTarget();
    for (const [, attempt] of attempts.toReversed()) await attempt(admin, personId);
    await admin.people.update({ id, grants: [{ role: 'admin' }] });
  });

  it('can be changed by a key, which can invite another', async () => {
    const { id } = await scene.callers['a person with more rights'].sessions.current({});
    const key = scene.callers['a key with more rights'];
    expect(await key.people.deactivate({ id })).toMatchObject({ status: 'inactive' });
  });
});
