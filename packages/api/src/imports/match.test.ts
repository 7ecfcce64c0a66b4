import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { fieldErrorsOf, rejected } from '../../test/support/rejected.ts';

let database: TestDatabase;
let caller: Caller;
let count = 0;

beforeAll(async () => {
  database = await createTestDatabase({ requiresEvents: true });
  caller = callerIn(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

const email = () => {
  count += 1;
  return `match-${count}@roster.example`;
};
const ana = { firstName: 'Ana', lastName: 'Silva' };
const match = { mode: 'match' as const };

const faultsIn = async (call: Promise<unknown>) => fieldErrorsOf(await rejected(call));

describe('with mode match, a record without a source', () => {
  it('changes the agent that has its e-mail address, in any letter case, and is created if no agent has', async () => {
    const address = email();
    const first = await caller.imports.agents({
      ...match,
      records: [{ ...ana, email: address, title: 'Broker' }, ana],
    });
    expect(first).toMatchObject({ created: 2, updated: 0 });
    const again = await caller.imports.agents({
      ...match,
      records: [{ ...ana, email: address.toUpperCase(), phoneExt: '1' }, ana],
    });
    expect(again.results.map(({ status }) => status)).toEqual(['updated', 'created']);
    const id = first.results[0]?.id ?? '';
    expect(again.results[0]).toEqual({ index: 0, status: 'updated', id, version: 2, matchedBy: 'email' });
    expect(await caller.agents.get({ id })).toMatchObject({ phoneExt: '1', title: 'Broker' });
    const same = { ...ana, email: address.toUpperCase(), phoneExt: '1' };
    expect(await caller.imports.agents({ ...match, records: [same] })).toMatchObject({ unchanged: 1 });
  });

  it('leaves alone where a matched record came from, and finds its office by name', async () => {
    const [address, source] = [email(), { name: 'Match', key: '1' }];
    const { id: officeId } = await caller.offices.create({ name: 'Match Office' });
    await caller.agents.create({ ...ana, email: address, source });
    const records = [{ ...ana, email: address, officeName: 'match office' }];
    const { results } = await caller.imports.agents({ ...match, records });
    expect(await caller.agents.get({ id: results[0]?.id ?? '' })).toMatchObject({ source, officeId });
  });

  it('changes the office that has its e-mail address and its name, where one office alone has both', async () => {
    const address = email();
    const office = (name: string, phoneExt: string) => ({ name, email: address, phoneExt });
    const importing = async (...records: ReturnType<typeof office>[]) =>
      (await caller.imports.offices({ ...match, records })).results.map(({ status }) => status);
    expect(await importing(office('Porto', '1'), office('Faro', '1'))).toEqual(['created', 'created']);
    expect(await importing(office('PORTO', '2'), office('Braga', '2'))).toEqual(['updated', 'created']);
    await caller.offices.create({ name: 'Faro', email: address });
    expect(await importing(office('Faro', '3'))).toEqual(['created']);
  });

  it('is still found by its source where it has one', async () => {
    const source = { name: 'Match', key: 'sourced' };
    await caller.imports.agents({ ...match, records: [{ ...ana, source }] });
    const records = [
      { ...ana, source, bio: 'x' },
      { ...ana, email: email() },
    ];
    const { results } = await caller.imports.agents({ ...match, records });
    expect(results.map(({ status }) => status)).toEqual(['updated', 'created']);
  });

  it('is rejected if another record of the call leads to the same one', async () => {
    const [address, source] = [email(), { name: 'Match', key: 'same' }];
    await caller.agents.create({ ...ana, email: address, source });
    const records = [
      { ...ana, source },
      { ...ana, email: address },
    ];
    expect(await faultsIn(caller.imports.agents({ ...match, records }))).toEqual([
      '#/records/1/email repeated',
    ]);
    const twice = [
      { ...ana, email: address },
      { ...ana, email: address.toUpperCase() },
    ];
    expect(await faultsIn(caller.imports.agents({ ...match, records: twice }))).toEqual([
      '#/records/1/email repeated',
    ]);
    const name = 'Match Twice';
    await caller.offices.create({ name, email: address });
    const offices = [
      { name, email: address },
      { name, email: address },
    ];
    expect(await faultsIn(caller.imports.offices({ ...match, records: offices }))).toEqual([
      '#/records/1/email repeated',
    ]);
  });

  it('says in a dry run what would become of it', async () => {
    const address = email();
    await caller.agents.create({ ...ana, email: address });
    const records = [{ ...ana, email: address, bio: 'x' }, ana];
    const { results } = await caller.imports.agents({ ...match, records, dryRun: true });
    expect(results.map(({ status }) => status)).toEqual(['updated', 'created']);
  });
});

describe('a record that its e-mail address alone leads to an agent with another name', () => {
  const rui = { firstName: 'Rui', lastName: 'Costa' };

  it('is rejected with the id, the old and the new name, and changes nothing, also in a dry run', async () => {
    const address = email();
    const { id } = await caller.agents.create({ ...ana, email: address, phone: '+351 910 000 001' });
    const records = [{ ...rui, email: address, phone: '+351 910 000 002' }, rui];
    for (const dryRun of [true, false]) {
      const { results } = await caller.imports.agents({ ...match, records, isAtomic: false, dryRun });
      expect(results).toMatchObject([
        { status: 'error', id: null, matchedBy: 'email', error: { code: 'validation_failed' } },
        { status: 'created', matchedBy: null },
      ]);
      const detail = expect.stringMatching(new RegExp(`"Ana Silva" .*${id}.*"Rui Costa"`));
      expect(results[0]?.error?.errors).toEqual([
        { pointer: '#/records/0/email', code: 'name_differs', detail },
      ]);
    }
    expect(await caller.agents.get({ id })).toMatchObject({ ...ana, version: 1 });
    expect(await faultsIn(caller.imports.agents({ ...match, records }))).toEqual([
      '#/records/0/email name_differs',
    ]);
  });

  it('renames the agent if the caller accepts renames', async () => {
    const address = email();
    const { id } = await caller.agents.create({ ...ana, email: address });
    const records = [{ ...rui, email: address }];
    const response = await caller.imports.agents({ ...match, acceptWarnings: ['renames'], records });
    expect(response.results).toEqual([{ index: 0, status: 'updated', id, version: 2, matchedBy: 'email' }]);
    expect(await caller.agents.get({ id })).toMatchObject(rui);
  });

  it.each([
    ['case and accents', { firstName: 'ANA LUÍSA', lastName: 'Gonçalves' }],
    ['white space', { firstName: ' Ana   Luisa', lastName: 'GONCALVES ' }],
    ['where the first name ends', { firstName: 'Ana', lastName: 'Luisa Gonçalves' }],
  ])('does not count as another name by %s', async (_, name) => {
    const address = email();
    await caller.agents.create({ firstName: 'Ana Luisa', lastName: 'Goncalves', email: address });
    const records = [{ ...name, email: address, bio: 'x' }];
    expect(await caller.imports.agents({ ...match, records })).toMatchObject({ updated: 1 });
  });

  it('is found by its source, and then renamed, if it has one', async () => {
    const source = { name: 'Match', key: 'renamed' };
    await caller.agents.create({ ...ana, source });
    const { results } = await caller.imports.agents({ ...match, records: [{ ...rui, source }] });
    expect(results).toMatchObject([{ status: 'updated', matchedBy: 'source' }]);
  });

  it('does not exist among offices: they are matched by address and name, and another name is another office', async () => {
    const address = email();
    const { id } = await caller.offices.create({ name: 'Match Évora', email: address });
    const records = [
      { name: 'MATCH ÉVORA', email: address },
      { name: 'Match Beja', email: address },
    ];
    const { results } = await caller.imports.offices({ ...match, records });
    expect(results).toMatchObject([
      { id, status: 'updated', matchedBy: 'emailAndName' },
      { status: 'created', matchedBy: null },
    ]);
  });
});
