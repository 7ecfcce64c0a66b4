import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServiceProcess } from '../support/index.ts';

describe('the default country of phone numbers', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const start = (settings: Record<string, string>) =>
    startServiceProcess({ databaseUrl: database.url, settings });
  const settingsOf = async (service: Awaited<ReturnType<typeof start>>) =>
    (await service.request('GET', '/settings')).json();

  it('stays open at the first start, whatever the locale, until a number needs it: the error says what to do', async () => {
    await using service = await start({ LC_ALL: 'pt_PT.UTF-8' });
    expect(await settingsOf(service)).toMatchObject({ defaultCountry: null, updatedAt: null });
    expect(service.output()).not.toContain('Phone numbers');
    const agent = { firstName: 'Ana', lastName: 'Reis', phone: '213 000 555' };
    const rejected = await service.request('POST', '/agents', agent);
    expect(await rejected.json()).toMatchObject({
      code: 'validation_failed',
      detail: expect.stringMatching(
        /Start with \+ and the country code, .*, or set the default country in the settings/,
      ),
    });
    await service.request('PATCH', '/settings', { defaultCountry: 'PT' });
    expect(await (await service.request('POST', '/agents', agent)).json()).toMatchObject({
      phone: '+351213000555',
    });
  });

  it('of the environment overrides it, for two servers of one database each on its own', async () => {
    await using service = await start({ ROSTER_DEFAULT_COUNTRY: 'br' });
    expect(await settingsOf(service)).toMatchObject({ defaultCountry: 'BR', isDefaultCountryFixed: true });
    expect((await service.request('PATCH', '/settings', { defaultCountry: 'US' })).status).toBe(409);
    await using other = await start({});
    await other.request('PATCH', '/settings', { defaultCountry: 'ES' });
    expect(await settingsOf(other)).toMatchObject({ defaultCountry: 'ES' });
    expect(await settingsOf(service)).toMatchObject({ defaultCountry: 'BR' });
  });
});
