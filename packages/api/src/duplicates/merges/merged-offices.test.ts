import type { StoredGrant } from '@roster/db';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../test/support/caller.ts';
import { limitedTo } from '../../../test/support/context.ts';
import { type OfficeScene, officeScene } from '../../../test/support/office-scene.ts';
import { rejected } from '../../../test/support/rejected.ts';
import { ADMIN } from '../../access/caller.ts';
import { callerOfPerson } from '../../access/session-callers.ts';

let scene: OfficeScene;
let all: Caller;
/** Two offices without branches. */
let first: string;
let second: string;
beforeEach(async () => {
  scene = await officeScene();
  all = scene.all;
  first = (await all.offices.create({ name: 'Alfama' })).id;
  second = (await all.offices.create({ name: 'Belem' })).id;
});
afterEach(() => scene[Symbol.asyncDispose]());

let people = 0;
/** A person with some grants. Resolves to what calls as that person, with the limits as they are at the time. */
async function person(...grants: StoredGrant[]) {
  people += 1;
  const { id, name } = await all.people.invite({ name: 'Rui', email: `rui-${people}@example.com`, grants });
  return async () => scene.as({ ...ADMIN, ...(await callerOfPerson(scene.db, { id, name, grants })) });
}

const role = (one: StoredGrant['role'], ...officeIds: string[]): StoredGrant => ({
  role: one,
  officeIds: officeIds.length === 0 ? null : officeIds,
});
const adminKey = { name: 'Key', scopes: ['people:manage'] as ['people:manage'] };

/** A right over both offices in one grant would be the same over both, so each has one of its own. */
const codeOf = async (call: Promise<unknown>) => (await rejected(call)).errorCode;

describe('a merge of offices', () => {
  it('gives nobody who makes it more rights over either, and says which are missing', async () => {
    const calling = await person(role('admin', first), role('editor', second));
    const caller = await calling();
    expect(await codeOf(caller.keys.create({ ...adminKey, officeIds: [second] }))).toBe(
      'reference_not_found',
    );
    for (const dryRun of [true, false])
      for (const [id, duplicateId] of [
        [second, first],
        [first, second],
      ] as const) {
        const error = await rejected(caller.offices.merge({ id, duplicateId, dryRun }));
        expect(error).toMatchObject({ errorCode: 'insufficient_scope' });
        expect(error.message).toContain(`only have these over ${first}`);
        expect(error.message).toContain('people:manage');
      }
    expect(await codeOf((await calling()).keys.create({ ...adminKey, officeIds: [second] }))).toBe(
      'reference_not_found',
    );
    expect(await all.offices.get({ id: first })).toMatchObject({ version: 1 });
  });

  it('counts what a role for a main office gives for its branches', async () => {
    const { main, branch } = scene.offices;
    const caller = await (await person(role('admin', main), role('editor', second)))();
    expect(await codeOf(caller.offices.merge({ id: second, duplicateId: branch }))).toBe(
      'insufficient_scope',
    );
    const equal = await (await person(role('editor', main), role('editor', second)))();
    expect(await equal.offices.merge({ id: second, duplicateId: branch })).toMatchObject({ id: second });
  });

  it('gives others no rights that the person who makes it does not have', async () => {
    const editor = await (await person(role('editor')))();
    const { id: keyId } = await all.keys.create({ ...adminKey, officeIds: [first] });
    const error = await rejected(editor.offices.merge({ id: second, duplicateId: first }));
    expect(error).toMatchObject({ errorCode: 'insufficient_scope' });
    expect(error.message).toContain('people:manage');
    await all.keys.revoke({ id: keyId });
    const { id: managerId } = await all.people.invite({
      name: 'Eva',
      email: 'eva@example.com',
      grants: [role('manager', first)],
    });
    expect(await codeOf(editor.offices.merge({ id: second, duplicateId: first }))).toBe('insufficient_scope');
    await all.people.delete({ id: managerId });
    const { id: webhookId } = await all.webhooks.create({
      url: 'https://hooks.example/offices',
      types: ['office.updated'],
      officeIds: [first],
    });
    expect(await codeOf(editor.offices.merge({ id: second, duplicateId: first }))).toBe('insufficient_scope');
    await all.webhooks.delete({ id: webhookId });
    await all.people.invite({ name: 'Ida', email: 'ida@example.com', grants: [role('viewer', first)] });
    expect(await editor.offices.merge({ id: second, duplicateId: first })).toMatchObject({ id: second });
  });

  it('counts who is limited to an office that was merged into the duplicate before', async () => {
    await all.keys.create({ ...adminKey, officeIds: [first] });
    await all.offices.merge({ id: second, duplicateId: first });
    const editor = await (await person(role('editor')))();
    const pair = { id: scene.offices.other, duplicateId: second };
    expect(await codeOf(editor.offices.merge(pair))).toBe('insufficient_scope');
    expect(await all.offices.merge(pair)).toMatchObject({ id: scene.offices.other });
  });

  it('does not count rights that others have over the survivor already', async () => {
    await all.keys.create({ ...adminKey, officeIds: [first, second] });
    await person(role('admin', first), role('admin', second));
    await all.people.invite({ name: 'Eva', email: 'eva@example.com', grants: [role('admin')] });
    const editor = await (await person(role('editor')))();
    expect(await editor.offices.merge({ id: second, duplicateId: first })).toMatchObject({ id: second });
  });

  it('is possible with one key for both, and with one role', async () => {
    const key = await all.keys.create({ ...adminKey, scopes: ['offices:write'], officeIds: [first, second] });
    const limited = scene.as({ ...(await limitedTo(scene.db, [first, second])), id: key.id });
    expect(await limited.offices.merge({ id: second, duplicateId: first })).toMatchObject({ id: second });
  });

  it('is not undone by who would get rights over what it moves back', async () => {
    const { main, branch } = scene.offices;
    await all.offices.merge({ id: second, duplicateId: branch, fields: { mainOfficeId: 'survivor' } });
    const grants = [role('editor', second), role('admin', main)];
    const caller = await (await person(...grants))();
    const error = await rejected(caller.offices.unmerge({ id: branch }));
    expect(error).toMatchObject({ errorCode: 'insufficient_scope' });
    expect(error.message).toContain(`only have these over ${branch}`);
    const equal = await (await person(role('editor', second, main)))();
    expect(await equal.offices.unmerge({ id: branch })).toMatchObject({ id: branch });
  });
});

describe('the move of an office in the tree', () => {
  it('gives nobody who makes it rights over it, by any operation', async () => {
    const caller = await (await person(role('admin', first), role('manager', second)))();
    const source = { name: 'CRM', key: 'belem' };
    await all.offices.update({ id: second, source, mainOfficeId: first });
    await all.offices.update({ id: second, mainOfficeId: null });
    const move = rejected(caller.offices.update({ id: second, mainOfficeId: first }));
    expect(await move).toMatchObject({
      errorCode: 'insufficient_scope',
      errors: [{ pointer: '#/mainOfficeId', code: 'more_rights' }],
    });
    expect(await codeOf(caller.offices.revert({ id: second, toVersion: 2 }))).toBe('insufficient_scope');
    const records = [{ name: 'Belem', source, mainOfficeId: first }];
    expect(await codeOf(caller.imports.offices({ records, mode: 'upsert' }))).toBe('insufficient_scope');
    await all.offices.update({ id: second, mlsId: 'LX2' });
    const preview = await caller.offices.bulk({
      filter: { mlsId: ['LX2'] },
      change: { type: 'update', patch: { mainOfficeId: first } },
      dryRun: true,
    });
    expect(preview).toMatchObject({ count: 1, rejected: 1, errors: [{ code: 'insufficient_scope' }] });
    expect((await all.offices.get({ id: second })).mainOfficeId).toBeNull();
  });

  it('is possible to an office over which the rights are not more, and away from one over which they are', async () => {
    const calling = await person(role('admin', first), role('editor', second));
    const caller = await calling();
    expect(await caller.offices.update({ id: first, mainOfficeId: second })).toMatchObject({
      mainOfficeId: second,
    });
    const third = await all.offices.create({ name: 'Chiado', mainOfficeId: first });
    const again = await calling();
    expect(await again.offices.update({ id: third.id, mainOfficeId: second })).toMatchObject({
      mainOfficeId: second,
    });
    // What was given up does not come back.
    expect(await codeOf((await calling()).offices.update({ id: third.id, mainOfficeId: first }))).toBe(
      'insufficient_scope',
    );
  });
});
