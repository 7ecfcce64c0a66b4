import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../../test/support/caller.ts';
import { acceptBulk, runJobs } from '../../../test/support/jobs.ts';
import { fieldErrorsOf, rejected } from '../../../test/support/rejected.ts';
import { agents } from '../../directory/agents/definition.ts';
import { agentFields } from '../../directory/agents/schemas.ts';
import { officeFields } from '../../directory/offices/schemas.ts';
import { telephoneNames } from '../fields/field.ts';
import { byId, changeRecords } from './mutations.ts';

let database: TestDatabase;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase({ requiresEvents: true });
  caller = callerIn(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

const ana = { firstName: 'Ana', lastName: 'Reis' };
const inLisbon = { city: 'Lisboa', country: 'PT' };

/** An agent with a telephone of the time before telephones were read. */
async function agentWithOld(phone: string, input: object = {}) {
  const agent = await caller.agents.create({ ...ana, ...input });
  await changeRecords(database.db, agents, {
    selection: byId(agent.id),
    columns: { phone: { value: phone } },
    verb: 'updated',
    cause: { now: new Date(), actorId: null, requestId: null },
    limit: undefined,
  });
  return agent;
}

describe('a new telephone', () => {
  it('is stored in E.164, in every field that is a telephone', async () => {
    expect(telephoneNames({ fields: agentFields })).toEqual(['phone', 'mobilePhone', 'directPhone', 'fax']);
    expect(telephoneNames({ fields: officeFields })).toEqual(['phone', 'fax']);
    const agent = await caller.agents.create({
      ...ana,
      phone: '305-555-0123',
      mobilePhone: '(305) 555 0123',
      directPhone: '+351 210 000 007',
      fax: '1 305 555 0123',
    });
    const number = '+13055550123';
    expect(agent).toMatchObject({
      phone: number,
      mobilePhone: number,
      directPhone: '+351210000007',
      fax: number,
    });
    expect(await caller.offices.create({ name: 'Baixa', fax: '305.555.0123' })).toMatchObject({
      fax: number,
    });
  });

  it('without a country code is of the country of the address after the change, else of the setting', async () => {
    const { id } = await caller.agents.create({ ...ana, phone: '210 000 042', address: inLisbon });
    expect(await caller.agents.get({ id })).toMatchObject({ phone: '+351210000042' });
    const moved = { id, fax: '020 7946 0018', address: { country: 'GB' } };
    expect(await caller.agents.update(moved)).toMatchObject({ fax: '+442079460018', phone: '+351210000042' });
    expect(await caller.agents.update({ id, fax: '020 7946 0019' })).toMatchObject({ fax: '+442079460019' });
    const nowhere = { id, fax: '305-555-0123', address: null };
    expect(await caller.agents.update(nowhere)).toMatchObject({ fax: '+13055550123' });
    const without = { id, fax: '305-555-0124', address: { city: 'Vostok', country: 'AQ' } };
    expect(await caller.agents.update(without)).toMatchObject({ fax: '+13055550124' });
    const portuguese = callerIn(database.db, { settings: { defaultCountry: 'PT' } });
    expect(await portuguese.agents.create({ ...ana, phone: '910 000 001' })).toMatchObject({
      phone: '+351910000001',
    });
  });

  it.each([
    'abc',
    '5550123',
    '1-800-FLOWERS',
    '+1 305 555',
    '+999 1234 5678',
    'call 305-555-0123',
    '0176 123456',
  ])('that cannot be read is rejected, with the field and the value: %s', async (phone) => {
    const error = await rejected(caller.agents.create({ ...ana, phone, fax: '305-555-0123' }));
    expect(fieldErrorsOf(error)).toEqual(['#/phone invalid_format']);
    expect(error.message).toContain(phone);
    const { id } = await caller.agents.create(ana);
    expect(fieldErrorsOf(await rejected(caller.agents.update({ id, phone })))).toEqual([
      '#/phone invalid_format',
    ]);
    expect(await caller.agents.get({ id })).toMatchObject({ phone: null, version: 1 });
  });

  it('with an extension is rejected, and the error names the field for it if there is one', async () => {
    const error = await rejected(
      caller.agents.create({ ...ana, phone: '305-555-0123 x12', mobilePhone: '305-555-0123 ext. 7' }),
    );
    expect(error.message).toContain('phone must not contain an extension, which belongs in phoneExt');
    expect(error.message).toContain('mobilePhone must not contain an extension: ');
  });
});

describe('a telephone that was stored before', () => {
  it('stays as it is if an update repeats it or changes other fields, and is read if it is changed', async () => {
    const { id } = await agentWithOld('5550123');
    expect(await caller.agents.update({ id, title: 'Broker' })).toMatchObject({ phone: '5550123' });
    expect(await caller.agents.update({ id, phone: '5550123', title: 'Agent' })).toMatchObject({
      phone: '5550123',
      title: 'Agent',
    });
    expect(fieldErrorsOf(await rejected(caller.agents.update({ id, phone: '5550124' })))).toEqual([
      '#/phone invalid_format',
    ]);
  });

  it('comes back as it was by a revert, a restore and an undo', async () => {
    const { id } = await agentWithOld('abc');
    await caller.agents.update({ id, title: 'Broker' });
    await caller.agents.update({ id, phone: '305-555-0123' });
    expect(await caller.agents.revert({ id, toVersion: 3 })).toMatchObject({ phone: 'abc' });
    const patch = { phone: '+13055550124' };
    const job = await acceptBulk(caller, { filter: { ids: [id] }, change: { type: 'update', patch } });
    await runJobs(database.db);
    await caller.jobs.undo({ id: job.id });
    await runJobs(database.db);
    expect(await caller.agents.get({ id })).toMatchObject({ phone: 'abc' });
    await caller.agents.delete({ id });
    expect(await caller.agents.restore({ id })).toMatchObject({ phone: 'abc' });
  });

  it('does not hide that the record has another version, or is not there', async () => {
    const { id } = await caller.agents.create(ana);
    const stale = caller.agents.update({ id, phone: 'abc', ifVersion: 7 });
    expect(await rejected(stale)).toMatchObject({ errorCode: 'version_conflict' });
    await caller.agents.delete({ id });
    const gone = caller.agents.update({ id, phone: 'abc' });
    expect(await rejected(gone)).toMatchObject({ errorCode: 'not_found' });
  });
});

describe('an import', () => {
  const source = (key: string) => ({ name: 'Telephones', key });
  const records = (phones: string[]) =>
    phones.map((phone, index) => ({ ...ana, source: source(String(index)), phone }));

  it('stores telephones in E.164, and repeated changes nothing', async () => {
    const given = { records: records(['305-555-0123', '+351 210 000 042']), mode: 'upsert' as const };
    const { results } = await caller.imports.agents(given);
    const phones = await Promise.all(results.map(({ id }) => caller.agents.get({ id: id ?? '' })));
    expect(phones.map(({ phone }) => phone)).toEqual(['+13055550123', '+351210000042']);
    expect(await caller.imports.agents(given)).toMatchObject({ unchanged: 2 });
  });

  it('rejects the row of a telephone that cannot be read, and writes the others', async () => {
    const response = await caller.imports.agents({
      records: [{ ...ana, fax: 'abc' }, { ...ana, phone: '210 000 042', address: inLisbon }, ana],
      mode: 'create',
      isAtomic: false,
    });
    expect(response.results.map(({ status }) => status)).toEqual(['error', 'created', 'created']);
    expect(response.results[0]?.error?.errors).toEqual([
      { pointer: '#/records/0/fax', code: 'invalid_format', detail: expect.stringContaining('"abc"') },
    ]);
  });

  it('leaves alone what a record has already, and reads a new value by the country of the record', async () => {
    const { id } = await agentWithOld('5550123', { source: source('old'), address: inLisbon });
    const importing = (fields: object) =>
      caller.imports.agents({ records: [{ ...ana, source: source('old'), ...fields }], mode: 'upsert' });
    expect(await importing({ phone: '5550123' })).toMatchObject({ unchanged: 1 });
    expect(await importing({ phone: '5550123', fax: '210 000 042' })).toMatchObject({ updated: 1 });
    expect(await caller.agents.get({ id })).toMatchObject({ phone: '5550123', fax: '+351210000042' });
    expect(fieldErrorsOf(await rejected(importing({ phone: '5550124' })))).toEqual([
      '#/records/0/phone invalid_format',
    ]);
  });
});

describe('a change of many records', () => {
  it('reads a telephone by the country of each, and rejects the records for which it cannot be read', async () => {
    const lisbon = await caller.agents.create({ ...ana, address: inLisbon });
    const nowhere = await caller.agents.create(ana);
    const old = await agentWithOld('210 000 042');
    const ids = [lisbon.id, nowhere.id, old.id];
    const change = { type: 'update' as const, patch: { phone: '210 000 042' } };
    const preview = await caller.agents.bulk({ filter: { ids }, change, dryRun: true });
    expect(preview).toMatchObject({ count: 3, changed: 1, unchanged: 1, rejected: 1 });
    const job = await acceptBulk(caller, { filter: { ids }, change });
    await runJobs(database.db);
    expect(await caller.jobs.get({ id: job.id })).toMatchObject({ changed: 1, unchanged: 1, rejected: 1 });
    const { items } = await caller.jobs.errors({ id: job.id });
    expect(items).toEqual([
      {
        id: nowhere.id,
        code: 'validation_failed',
        detail: expect.stringContaining('"210 000 042"'),
        fields: [],
      },
    ]);
    expect(await caller.agents.get({ id: lisbon.id })).toMatchObject({ phone: '+351210000042' });
    expect(await caller.agents.get({ id: old.id })).toMatchObject({ phone: '210 000 042' });
  });
});

describe('a search for a telephone', () => {
  const idsOf = async (q: string, query: object = {}) => {
    const { items } = await caller.agents.list({ q, sort: 'createdAt', ...query });
    return items.map(({ id }) => id);
  };

  it('finds it in E.164 and in the form in which it was stored before, however it is typed', async () => {
    const { id } = await caller.agents.create({ ...ana, directPhone: '(786) 555-0199' });
    const old = await agentWithOld('(786) 555 0199 x12');
    await caller.agents.create({ ...ana, phone: '786-555-0198' });
    await caller.agents.create({ ...ana, phone: '+44 20 7946 0199' });
    for (const q of ['786-555-0199', '(786) 555 0199', '+1 786 555 0199', '17865550199', '001 786 555 0199'])
      expect(await idsOf(q), q).toEqual([id, old.id]);
    expect(await idsOf('786 555 0199', { sort: 'relevance' })).toHaveLength(2);
    expect(await idsOf('+351 786 555 019')).toEqual([]);
  });

  it('of a number without its area code finds the numbers that end so', async () => {
    const { id } = await caller.agents.create({ ...ana, mobilePhone: '212-555-0177' });
    const old = await agentWithOld('5550177');
    expect(await idsOf('5550177')).toEqual([id, old.id]);
    expect(await idsOf('212-555-0177')).toEqual([id, old.id]);
    expect(await idsOf('718-555-0177')).toEqual([old.id]);
  });

  it('needs no country for the zero before a national number, and takes groups of two digits', async () => {
    const { id } = await caller.agents.create({
      ...ana,
      phone: '01 53 45 67 89',
      address: { country: 'FR' },
    });
    const old = await agentWithOld('01.53.45.67.89');
    for (const q of ['01 53 45 67 89', '+33 1 53 45 67 89', '0153456789', '0033 1 53456789'])
      expect(await idsOf(q), q).toContain(id);
    expect(await idsOf('+33 1 53 45 67 89')).toEqual([id, old.id]);
  });

  it('still finds the MLS id that has these digits, and the telephone of an office or a team', async () => {
    const { id } = await caller.agents.create({ ...ana, mlsId: '2025550143' });
    const called = await caller.agents.create({ ...ana, phone: '202-555-0143' });
    expect(await idsOf('2025550143')).toEqual([id, called.id]);
    const office = await caller.offices.create({ name: 'Fax', fax: '202-555-0143' });
    const { items } = await caller.offices.list({ q: '202 555 0143' });
    expect(items.map((item) => item.id)).toEqual([office.id]);
    const team = await caller.teams.create({ name: 'Equipa', mobilePhone: '202-555-0143' });
    const teams = await caller.teams.list({ q: '202 555 0143' });
    expect(teams.items.map((item) => item.id)).toEqual([team.id]);
  });
});
