import { describe, expect, it } from 'vitest';
import { acceptBulk, runJobs } from '../../test/support/jobs.ts';
import { fieldErrorsOf, rejected } from '../../test/support/rejected.ts';
import { useDatabase } from '../../test/support/use-database.ts';

const { database, caller } = useDatabase({ requiresEvents: true });

const bothMissing = {
  errorCode: 'validation_failed',
  message: 'firstName is required unless lastName is set.',
  errors: [{ pointer: '#/firstName', code: 'required', detail: 'is required unless lastName is set' }],
};

describe('an agent with one name', () => {
  it.each([
    [{ firstName: 'Pelé' }, { firstName: 'Pelé', lastName: null }],
    [{ lastName: 'Pelé' }, { firstName: null, lastName: 'Pelé' }],
    [
      { firstName: ' ', lastName: 'Pelé' },
      { firstName: null, lastName: 'Pelé' },
    ],
  ])('is created from %j, with that name as the display name', async (names, stored) => {
    const { id } = await caller().agents.create(names);
    expect(await caller().agents.get({ id })).toMatchObject({ ...stored, displayName: 'Pelé' });
  });

  it('is found by the name, as a whole and by its beginning', async () => {
    const { id } = await caller().agents.create({ lastName: 'Ronaldinho' });
    for (const q of ['ronaldinho', 'RONALD'])
      expect((await caller().agents.list({ q, sort: 'relevance' })).items).toMatchObject([{ id }]);
  });

  it('gets the other name, and has a display name of both', async () => {
    const { id } = await caller().agents.create({ firstName: 'Edson' });
    expect(await caller().agents.update({ id, lastName: 'Nascimento' })).toMatchObject({
      displayName: 'Edson Nascimento',
    });
    expect(await caller().agents.update({ id, firstName: null })).toMatchObject({
      displayName: 'Nascimento',
    });
  });

  it('has a display name that follows, unless a different one is set', async () => {
    const { id } = await caller().agents.create({ firstName: 'Edson', displayName: 'Edson' });
    expect(await caller().agents.update({ id, firstName: 'Zico' })).toMatchObject({ displayName: 'Zico' });
    const changed = { firstName: null, lastName: 'Coimbra', displayName: 'Coimbra' };
    await caller().agents.update({ id, ...changed });
    expect(await caller().agents.update({ id, lastName: 'Antunes' })).toMatchObject({
      displayName: 'Antunes',
    });
    await caller().agents.update({ id, displayName: 'Galinho' });
    expect(await caller().agents.update({ id, lastName: 'Zico' })).toMatchObject({ displayName: 'Galinho' });
  });

  it('is reverted to the one name it had, with the display name', async () => {
    const { id } = await caller().agents.create({ firstName: 'Cafu' });
    await caller().agents.update({ id, lastName: 'Evangelista' });
    expect(await caller().agents.revert({ id, toVersion: 1 })).toMatchObject({
      firstName: 'Cafu',
      lastName: null,
      displayName: 'Cafu',
    });
  });

  it('is deleted and restored', async () => {
    const { id } = await caller().agents.create({ lastName: 'Kaká' });
    await caller().agents.delete({ id });
    await caller().agents.restore({ id });
    expect(await caller().agents.get({ id })).toMatchObject({ firstName: null, displayName: 'Kaká' });
  });

  it('gets the other name from a duplicate that is merged into it', async () => {
    const survivor = await caller().agents.create({ firstName: 'Rivaldo' });
    const duplicate = await caller().agents.create({ lastName: 'Ferreira' });
    const merged = await caller().agents.merge({ id: survivor.id, duplicateId: duplicate.id });
    expect(merged).toMatchObject({
      firstName: 'Rivaldo',
      lastName: 'Ferreira',
      displayName: 'Rivaldo Ferreira',
    });
  });
});

describe('an agent without a name', () => {
  it.each([{}, { firstName: null }, { firstName: '', lastName: ' ' }, { displayName: 'Pelé' }])(
    'is not created: %j',
    async (names) => {
      expect(await rejected(caller().agents.create(names))).toMatchObject(bothMissing);
    },
  );

  it('is rejected together with all else that is wrong', async () => {
    const error = await rejected(caller().agents.create({ email: 'none' }));
    expect(fieldErrorsOf(error).toSorted()).toEqual(['#/email invalid_format', '#/firstName required']);
  });

  it('is not what an update makes, whether it clears both names or the last one', async () => {
    const { id } = await caller().agents.create({ firstName: 'Ana', lastName: 'Reis' });
    const clear = (names: object) => rejected(caller().agents.update({ id, ...names }));
    expect(await clear({ firstName: null, lastName: '' })).toMatchObject(bothMissing);
    await caller().agents.update({ id, firstName: null });
    expect(await clear({ lastName: null })).toMatchObject(bothMissing);
    expect(await clear({ lastName: null, displayName: 'Ana' })).toMatchObject(bothMissing);
    expect(await caller().agents.get({ id })).toMatchObject({ lastName: 'Reis', version: 2 });
  });

  it('is not what a change of many makes: the others are changed', async () => {
    const office = await caller().offices.create({ name: 'Bulk' });
    const agents = [{ firstName: 'Ana', lastName: 'Reis' }, { lastName: 'Sá' }];
    for (const agent of agents) await caller().agents.create({ ...agent, officeId: office.id });
    const { id } = await acceptBulk(caller(), {
      filter: { officeId: [office.id] },
      change: { type: 'update', patch: { lastName: null } },
    });
    await runJobs(database().db);
    expect(await caller().jobs.get({ id })).toMatchObject({ changed: 1, rejected: 1 });
    const { items } = await caller().agents.list({ officeId: office.id, sort: 'lastName' });
    expect(items.map(({ displayName }) => displayName)).toEqual(['Ana', 'Sá']);
  });
});

describe('an import', () => {
  const match = { mode: 'match' as const };

  it('creates agents with one name, and rejects those without', async () => {
    const records = [{ firstName: 'Didi' }, { lastName: 'Vavá' }, { title: 'Broker' }, { firstName: ' ' }];
    const request = { records, isAtomic: false };
    for (const dryRun of [true, false]) {
      const { results } = await caller().imports.agents({ ...request, dryRun });
      expect(results.map(({ status }) => status)).toEqual(['created', 'created', 'error', 'error']);
      expect(results[2]?.error).toMatchObject({
        code: 'validation_failed',
        errors: [
          {
            pointer: '#/records/2/firstName',
            code: 'required',
            detail: 'is required unless lastName is set',
          },
        ],
      });
    }
  });

  it('keeps the name that a record leaves out, and rejects one that would clear the last', async () => {
    const source = { name: 'One', key: '1' };
    const { id } = await caller().agents.create({ firstName: 'Ana', lastName: 'Reis', source });
    const upsert = (names: object) =>
      caller().imports.agents({ mode: 'upsert', isAtomic: false, records: [{ source, ...names }] });
    expect(await upsert({ firstName: 'Eva' })).toMatchObject({ updated: 1 });
    expect(await caller().agents.get({ id })).toMatchObject({ displayName: 'Eva Reis' });
    expect(await upsert({ firstName: null })).toMatchObject({ updated: 1 });
    expect(await upsert({ lastName: null })).toMatchObject({ errors: 1 });
    expect(await upsert({ title: 'Broker' })).toMatchObject({ updated: 1 });
    expect(await caller().agents.get({ id })).toMatchObject({ displayName: 'Reis', title: 'Broker' });
  });

  it('tells that an email address leads to an agent of a different name only if the name would change', async () => {
    const email = 'one.name@roster.example';
    await caller().agents.create({ lastName: 'Garrincha', email });
    const importing = (names: object) =>
      caller().imports.agents({ ...match, isAtomic: false, records: [{ email, ...names }] });
    expect(await importing({ lastName: 'GARRINCHA' })).toMatchObject({ updated: 1 });
    expect(await importing({ firstName: 'Garrincha', lastName: null })).toMatchObject({ updated: 1 });
    expect(await importing({ title: 'Broker' })).toMatchObject({ updated: 1 });
    const { results } = await importing({ lastName: 'Santos' });
    expect(results[0]?.error?.errors[0]?.detail).toMatch(
      /^is in use by the agent "Garrincha" .* name in this file is "Garrincha Santos"/,
    );
  });
});
