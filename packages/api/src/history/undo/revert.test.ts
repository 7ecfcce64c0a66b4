import { describe, expect, it } from 'vitest';
import { useScene } from '../../../test/support/agent-steps.ts';

const shared = useScene();

describe('a revert', () => {
  it('keeps the rules of an update, in a dry run too', async () => {
    const { caller } = shared();
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

  it('of one change keeps what has changed since, and says to what', async () => {
    const { caller } = shared();
    const { id } = await caller.offices.create({
      name: 'Baixa',
      website: 'https://one.example',
      address: { line1: 'Rua 1', city: 'Lisboa' },
    });
    const patch = { phone: '+351210000001', website: 'https://two.example', address: { city: 'Porto' } };
    await caller.offices.update({ id, ...patch });
    await caller.offices.update({
      id,
      phone: '+351210000002',
      legalName: 'New',
      address: { line1: 'Rua 2' },
    });
    const undo = { id, toVersion: 1, keepChangesAfter: 2 };
    const expected = {
      website: 'https://one.example',
      address: { line1: 'Rua 2', city: 'Lisboa' },
      phone: '+351210000002',
      legalName: 'New',
      notReverted: [{ field: 'phone', before: '+351210000002', after: null }],
    };
    const tried = await caller.offices.revert({ ...undo, dryRun: true });
    expect(tried).toMatchObject({ version: 3, notReverted: expected.notReverted });
    expect(tried.changes.map(({ field }) => field)).toEqual(['website', 'address.city']);
    expect(await caller.offices.revert(undo)).toMatchObject({ ...expected, version: 4 });
    expect(await caller.offices.revert(undo)).toMatchObject({ ...expected, version: 4, changes: [] });
  });

  it('rejects changes to keep that are those to revert, or of no version', async () => {
    const { caller } = shared();
    const { id } = await caller.offices.create({ name: 'Baixa' });
    await caller.offices.update({ id, name: 'Alta' });
    for (const [keepChangesAfter, detail] of [
      [1, 'must be greater than toVersion, which is 1'],
      [3, 'is 3, and the office is at version 2'],
    ] as const)
      await expect(caller.offices.revert({ id, toVersion: 1, keepChangesAfter })).rejects.toMatchObject({
        errorCode: 'validation_failed',
        errors: [{ pointer: '#/keepChangesAfter', detail }],
      });
  });

  it('says that it leaves the status and the scheduled changes, which have operations of their own', async () => {
    const { caller } = shared();
    const { id } = await caller.offices.create({ name: 'Left' });
    const effectiveAt = new Date(Date.now() + 86_400_000).toISOString();
    const { scheduledChanges: after } = await caller.offices.deactivate({ id, effectiveAt });
    expect(after).toHaveLength(1);
    for (const dryRun of [true, false])
      expect(await caller.offices.revert({ id, toVersion: 1, dryRun })).toMatchObject({
        changes: [],
        notReverted: [{ field: 'scheduledChanges', before: after, after: null }],
        scheduledChanges: after,
      });
    await caller.scheduledChanges.cancel({ id: after[0]?.id ?? '' });
    await caller.offices.deactivate({ id });
    expect(await caller.offices.revert({ id, toVersion: 2 })).toMatchObject({
      notReverted: [
        { field: 'status', before: 'inactive', after: 'active' },
        { field: 'scheduledChanges', before: null, after },
      ],
    });
  });

  it('rejects versions and fields that are not there, and says which', async () => {
    const { caller } = shared();
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
      'The office is deleted. Restore it first.',
    );
  });
});
