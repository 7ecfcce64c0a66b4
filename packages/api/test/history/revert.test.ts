import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScene, type Scene } from '../support/agent-steps.ts';

let shared: Scene;
beforeAll(async () => {
  shared = await createScene();
});
afterAll(() => shared[Symbol.asyncDispose]());

describe('a revert', () => {
  it('keeps the rules of an update, in a dry run too', async () => {
    const { caller } = shared;
    const office = await caller.offices.create({ name: 'Closed' });
    const { id } = await caller.agents.create({
      firstName: 'Ana',
      lastName: 'Reis',
      email: 'ana@reverted.example',
      officeId: office.id,
    });
    await caller.agents.update({ id, email: null, officeId: null });
    const other = await caller.agents.create({
      firstName: 'Eva',
      lastName: 'Reis',
      email: 'ANA@reverted.example',
    });
    await caller.offices.deactivate({ id: office.id });
    for (const dryRun of [true, false]) {
      const revert = (fields?: string[]) => caller.agents.revert({ id, toVersion: 1, dryRun, fields });
      await expect(revert(['email'])).rejects.toMatchObject({ errorCode: 'email_taken' });
      await expect(revert(['officeId'])).rejects.toMatchObject({ errorCode: 'office_inactive' });
      await expect(revert()).rejects.toMatchObject({ status: 409 });
    }
    await caller.agents.delete({ id: other.id });
    await caller.offices.reactivate({ id: office.id });
    const reverted = await caller.agents.revert({ id, toVersion: 1, reason: 'By mistake' });
    expect(reverted).toMatchObject({ email: 'ana@reverted.example', officeId: office.id, version: 3 });
    expect((await caller.agents.history({ id })).items[0]).toMatchObject({
      reason: 'By mistake',
      details: { revertedTo: 1 },
    });
  });

  it('rejects versions and fields that are not there, and says which', async () => {
    const { caller } = shared;
    const { id } = await caller.offices.create({ name: 'Baixa' });
    await expect(caller.offices.revert({ id, toVersion: 2 })).rejects.toMatchObject({
      errorCode: 'validation_failed',
      errors: [{ pointer: '#/toVersion', detail: 'is 2, and the office is at version 1' }],
    });
    await expect(
      caller.offices.revert({ id, toVersion: 1, fields: ['phone', 'status', 'nothing'] }),
    ).rejects.toMatchObject({
      errors: [
        { pointer: '#/fields/1', code: 'read_only' },
        { pointer: '#/fields/2', code: 'unknown_field' },
      ],
    });
    await expect(caller.offices.revert({ id, toVersion: 1, ifVersion: 2 })).rejects.toMatchObject({
      errorCode: 'version_conflict',
    });
    await caller.offices.delete({ id });
    await expect(caller.offices.revert({ id, toVersion: 1 })).rejects.toThrow(
      'The office is deleted: restore it first.',
    );
  });
});
