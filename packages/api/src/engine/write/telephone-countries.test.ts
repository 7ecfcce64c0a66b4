import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { countries } from '@roster/fields/countries';
import { getCountries } from 'libphonenumber-js/max';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../../test/support/caller.ts';
import { keyOf, limitedTo } from '../../../test/support/context.ts';
import { acceptBulk, runJobs } from '../../../test/support/jobs.ts';
import { fieldErrorsOf, rejected } from '../../../test/support/rejected.ts';
import { phoneCountries } from '../fields/countries.ts';

let database: TestDatabase;
/** A caller of a service whose environment sets no country. */
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase({ requiresEvents: true });
  caller = callerIn(database.db, { settings: { defaultCountry: undefined } });
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await caller.settings.update({ defaultCountry: 'US' });
});

const paulo = { firstName: 'Paulo', lastName: 'Lins' };
const [inRio, inLisbon] = [{ country: 'BR' }, { country: 'PT' }];
/** A number of Rio that is one of New York as well, and a number of Lisbon that is none of the United States. */
const [ofRio, ofLisbon] = ['21 2555-0143', '213 000 555'];

const office = (input: object = {}) => caller.offices.create({ name: 'Casa', ...input });
const agent = (input: object) => caller.agents.create({ ...paulo, ...input });

describe('the country of a phone number without a country code', () => {
  it('is that of the address, else of the office, else of the nearest main office with one, else of the settings', async () => {
    const rio = await office({ address: inRio });
    const branch = await office({ mainOfficeId: rio.id, phone: ofRio });
    const below = await office({ mainOfficeId: branch.id, address: { country: 'AQ' } });
    expect(branch).toMatchObject({ phone: '+552125550143' });
    for (const { id } of [rio, branch, below])
      expect(await agent({ officeId: id, phone: ofRio })).toMatchObject({ phone: '+552125550143' });
    expect(await agent({ officeId: rio.id, address: inLisbon, phone: ofLisbon })).toMatchObject({
      phone: '+351213000555',
    });
    expect(await agent({ officeId: (await office()).id, phone: ofRio })).toMatchObject({
      phone: '+12125550143',
    });
    expect(
      await caller.teams.create({ name: 'Sul', officeId: below.id, mobilePhone: '21 98765-4321' }),
    ).toMatchObject({ mobilePhone: '+5521987654321' });
  });

  it('is found by the record as a patch leaves it', async () => {
    const [rio, lisbon] = [await office({ address: inRio }), await office({ address: inLisbon })];
    const { id } = await agent({ officeId: rio.id });
    expect(await caller.agents.update({ id, fax: ofRio })).toMatchObject({ fax: '+552125550143' });
    expect(await caller.agents.update({ id, phone: ofLisbon, officeId: lisbon.id })).toMatchObject({
      phone: '+351213000555',
      fax: '+552125550143',
    });
    expect(await caller.agents.update({ id, fax: ofRio, address: inRio })).toMatchObject({
      fax: '+552125550143',
    });
    const without = { id, directPhone: ofRio, address: null, officeId: null };
    expect(await caller.agents.update(without)).toMatchObject({ directPhone: '+12125550143' });
  });

  it('is that of each record in a change of many', async () => {
    const [rio, lisbon] = [await office({ address: inRio }), await office({ address: inLisbon })];
    const [one, other] = [await agent({ officeId: rio.id }), await agent({ officeId: lisbon.id })];
    const ids = [one.id, other.id];
    const update = { type: 'update' as const, patch: { phone: ofRio } };
    const job = await acceptBulk(caller, { filter: { ids }, change: update });
    await runJobs(database.db);
    expect(await caller.jobs.get({ id: job.id })).toMatchObject({ changed: 1, rejected: 1 });
    expect(await caller.agents.get({ id: one.id })).toMatchObject({ phone: '+552125550143' });
    const moved = { type: 'update' as const, patch: { officeId: rio.id, phone: ofRio } };
    await acceptBulk(caller, { filter: { ids }, change: moved });
    await runJobs(database.db);
    expect(await caller.agents.get({ id: other.id })).toMatchObject({ phone: '+552125550143' });
  });

  it('is the same for the records that a new one is compared with', async () => {
    const rio = await office({ address: inRio });
    const record = { ...paulo, officeId: rio.id, phone: ofRio };
    await expect(caller.agents.checkDuplicates(record)).resolves.toBeDefined();
    const error = await rejected(caller.agents.checkDuplicates({ ...record, phone: ofLisbon }));
    expect(error.message).toContain('for Brazil');
  });

  it('is never that of an office that the caller may not see', async () => {
    const rio = await office({ address: inRio });
    const branch = await office({ mainOfficeId: rio.id });
    const limited = await limitedTo(database.db, [branch.id]);
    const manager = callerIn(database.db, {
      request: { authenticate: async () => limited },
      settings: { defaultCountry: undefined },
    });
    expect(await manager.agents.create({ ...paulo, officeId: branch.id, phone: ofRio })).toMatchObject({
      phone: '+12125550143',
    });
  });

  it('never changes a number that is stored', async () => {
    const lisbon = await office({ address: inLisbon });
    const { id, phone } = await agent({ phone: ofRio });
    for (const change of [{ officeId: lisbon.id }, { address: inRio }, { phone }])
      expect(await caller.agents.update({ id, ...change })).toMatchObject({ phone: '+12125550143' });
    await caller.settings.update({ defaultCountry: 'BR' });
    expect(await caller.agents.get({ id })).toMatchObject({ phone: '+12125550143' });
  });
});

describe('a phone number', () => {
  it('that begins with 00 is read like one that begins with +', async () => {
    await caller.settings.update({ defaultCountry: 'BR' });
    expect(await agent({ phone: '00351 213 000 555', fax: ' 00 44 20 7946 0018' })).toMatchObject({
      phone: '+351213000555',
      fax: '+442079460018',
    });
    // There, 0011 leads abroad, and +1 1687 … would have the length of a number.
    const inSydney = { address: { country: 'AU' }, phone: '0011 687 26 12 34' };
    expect(await agent(inSydney)).toMatchObject({ phone: '+687261234' });
    expect(fieldErrorsOf(await rejected(agent({ phone: '00 351 21' })))).toEqual(['#/phone invalid_format']);
  });

  it('that has the length of one, and is none of the country, is rejected with advice and not guessed', async () => {
    await caller.settings.update({ defaultCountry: 'PT' });
    const error = await rejected(agent({ phone: '(21) 2512-3456' }));
    expect(error.message).toContain('phone is too long for Portugal: "(21) 2512-3456"');
    await caller.settings.update({ defaultCountry: 'US' });
    expect(fieldErrorsOf(await rejected(agent({ phone: '(999) 555-0143' })))).toEqual([
      '#/phone invalid_format',
    ]);
  });

  it('is rejected with advice if no country is known', async () => {
    await caller.settings.update({ defaultCountry: null });
    const error = await rejected(agent({ phone: '213 000 555' }));
    expect(fieldErrorsOf(error)).toEqual(['#/phone invalid_format']);
    expect(error.message).toContain('phone has no country code');
    expect(error.message).toContain('Start with + and the country code');
    expect(await agent({ phone: '+351 213 000 555' })).toMatchObject({ phone: '+351213000555' });
  });

  it('can be of the same countries as those that the library for phone numbers knows', () => {
    const known = new Set<string>(getCountries());
    expect([...phoneCountries]).toEqual([...countries].filter((country) => known.has(country)));
  });
});

describe('an import', () => {
  const source = (key: string) => ({ name: 'Countries', key });
  const importing = (records: object[], options: object = {}) =>
    caller.imports.agents({
      records: records.map((record) => ({ ...paulo, ...record })),
      mode: 'upsert',
      ...options,
    });

  it('reads a number by the address, else the country that it names for all, else the office, else the settings', async () => {
    const rio = await office({ address: inRio });
    const by = async (record: object, options: object = {}) => {
      const key = crypto.randomUUID();
      const { results } = await importing([{ source: source(key), ...record }], options);
      return (await caller.agents.get({ id: results[0]?.id ?? '' })).phone;
    };
    expect(await by({ officeId: rio.id, phone: ofRio })).toBe('+552125550143');
    expect(await by({ phone: ofRio })).toBe('+12125550143');
    const named = { phoneCountry: 'pt' };
    expect(await by({ officeId: rio.id, phone: ofLisbon }, named)).toBe('+351213000555');
    expect(await by({ address: inRio, phone: ofRio }, named)).toBe('+552125550143');
    const unknown = await rejected(importing([{ source: source('x') }], { phoneCountry: 'AQ' }));
    expect(fieldErrorsOf(unknown)).toEqual(['#/phoneCountry invalid_format']);
  });

  it('reads a number by the stored office of its record, and by the office that it moves to', async () => {
    const [rio, lisbon] = [await office({ address: inRio }), await office({ address: inLisbon })];
    const { id } = await agent({ officeId: rio.id, source: source('moved') });
    await importing([{ source: source('moved'), phone: ofRio }]);
    expect(await caller.agents.get({ id })).toMatchObject({ phone: '+552125550143' });
    await importing([{ source: source('moved'), officeId: lisbon.id, fax: ofLisbon }]);
    expect(await caller.agents.get({ id })).toMatchObject({ fax: '+351213000555' });
  });

  it('of offices reads the number of a branch by the main office that it creates or changes with it', async () => {
    const below = (key: string, mainKey: string) => ({
      name: key,
      source: source(key),
      mainOfficeSource: source(mainKey),
    });
    const records = [
      { ...below('low', 'mid'), phone: ofRio },
      below('mid', 'top'),
      { name: 'top', source: source('top'), address: inRio },
    ];
    const { results } = await caller.imports.offices({ records, mode: 'upsert' });
    expect(await caller.offices.get({ id: results[0]?.id ?? '' })).toMatchObject({ phone: '+552125550143' });
    await office({ name: 'known', source: source('known') });
    const changed = [
      { ...below('new', 'known'), phone: ofRio },
      { name: 'known', source: source('known'), address: inRio },
    ];
    const again = await caller.imports.offices({ records: changed, mode: 'upsert' });
    expect(await caller.offices.get({ id: again.results[0]?.id ?? '' })).toMatchObject({
      phone: '+552125550143',
    });
  });
});

describe('the default country', () => {
  it('of the environment overrides that of the settings, which cannot be changed then', async () => {
    const fixed = callerIn(database.db, { settings: { defaultCountry: 'BR' } });
    expect(await fixed.settings.get({})).toMatchObject({ defaultCountry: 'BR', isDefaultCountryFixed: true });
    expect(await rejected(fixed.settings.update({ defaultCountry: 'PT' }))).toMatchObject({
      errorCode: 'setting_fixed',
    });
    expect(await fixed.agents.create({ ...paulo, phone: ofRio })).toMatchObject({ phone: '+552125550143' });
    expect(await caller.settings.get({})).toMatchObject({
      defaultCountry: 'US',
      isDefaultCountryFixed: false,
    });
  });

  it('is read by every caller, and changed by one with people:manage for everything', async () => {
    const callerOf = (authenticated: Awaited<ReturnType<typeof limitedTo>>) =>
      callerIn(database.db, {
        request: { authenticate: async () => authenticated },
        settings: { defaultCountry: undefined },
      });
    const limited = callerOf(await limitedTo(database.db, [(await office()).id]));
    const reader = callerOf(keyOf(['offices:read']));
    for (const one of [limited, reader]) {
      expect(await one.settings.get({})).toMatchObject({ defaultCountry: 'US' });
      expect(await rejected(one.settings.update({ defaultCountry: 'PT' }))).toMatchObject({
        errorCode: 'insufficient_scope',
      });
    }
    const admin = callerOf(keyOf(['people:manage']));
    const changed = await admin.settings.update({ defaultCountry: 'pt' });
    expect(changed).toMatchObject({ defaultCountry: 'PT' });
    expect(await admin.settings.update({ defaultCountry: 'PT' })).toEqual(changed);
    expect(await admin.settings.update({})).toEqual(changed);
    expect(fieldErrorsOf(await rejected(admin.settings.update({ defaultCountry: 'XX' })))).toEqual([
      '#/defaultCountry invalid_format',
    ]);
  });
});
