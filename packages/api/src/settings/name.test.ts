import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { fieldErrorsOf, rejected } from '../../test/support/rejected.ts';

let database: TestDatabase;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase({ requiresEvents: true });
  caller = callerIn(database.db, { settings: { defaultCountry: undefined } });
});
afterAll(() => database[Symbol.asyncDispose]());

describe('the name of the directory', () => {
  it('is Roster until it is set, and again once it is cleared', async () => {
    expect(await caller.settings.get({})).toMatchObject({ name: 'Roster', updatedAt: null });
    const named = await caller.settings.update({ name: ' Casa Clara ' });
    expect(named).toMatchObject({ name: 'Casa Clara', defaultCountry: null });
    expect(await caller.settings.update({ name: 'Casa Clara' })).toEqual(named);
    expect(await caller.settings.update({ defaultCountry: 'PT' })).toMatchObject({ name: 'Casa Clara' });
    expect(await caller.settings.update({ name: null })).toMatchObject({
      name: 'Roster',
      defaultCountry: 'PT',
    });
  });

  it('has 1 to 100 characters', async () => {
    for (const [name, code] of [
      [' ', 'required'],
      ['a'.repeat(101), 'too_long'],
    ] as const)
      expect(fieldErrorsOf(await rejected(caller.settings.update({ name })))).toEqual([`#/name ${code}`]);
  });

  it('can be changed where the environment sets the default country', async () => {
    const fixed = callerIn(database.db, { settings: { defaultCountry: 'BR' } });
    expect(await fixed.settings.update({ name: 'Porto' })).toMatchObject({
      name: 'Porto',
      defaultCountry: 'BR',
      isDefaultCountryFixed: true,
    });
  });
});
