import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServiceProcess } from '../support/index.ts';

/** No locale but that of `LANG`. */
const locale = (LANG: string) => ({ LC_ALL: '', LC_TELEPHONE: '', LANG });

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

  it('stays open without a terminal and a locale with a country, which the start says', async () => {
    await using service = await start(locale('C.UTF-8'));
    expect(await settingsOf(service)).toMatchObject({ defaultCountry: null, updatedAt: null });
    expect(service.output()).toContain('Phone numbers       need + and a country code');
    const agent = { firstName: 'Ana', lastName: 'Reis', phone: '213 000 555' };
    const rejected = await service.request('POST', '/agents', agent);
    expect(await rejected.json()).toMatchObject({
      code: 'validation_failed',
      detail: expect.stringContaining('Start with + and the country code'),
    });
  });

  it('is that of the locale of the first start that has one, which says so', async () => {
    await using service = await start(locale('pt_PT.UTF-8'));
    expect(await settingsOf(service)).toMatchObject({ defaultCountry: 'PT', isDefaultCountryFixed: false });
    expect(service.output()).toContain('without a country code are from Portugal');
    const agent = { firstName: 'Ana', lastName: 'Reis', phone: '213 000 555' };
    expect(await (await service.request('POST', '/agents', agent)).json()).toMatchObject({
      phone: '+351213000555',
    });
  });

  it('stays what it is at a later start in another locale, also if someone chose none', async () => {
    await using service = await start(locale('en_US.UTF-8'));
    expect(await settingsOf(service)).toMatchObject({ defaultCountry: 'PT' });
    expect(service.output()).not.toContain('Phone numbers');
    await service.request('PATCH', '/settings', { defaultCountry: null });
    await service.end('SIGTERM');
    await using later = await start(locale('en_US.UTF-8'));
    expect(await settingsOf(later)).toMatchObject({ defaultCountry: null });
  });

  it('of the environment overrides it, for two servers of one database each on its own', async () => {
    await using service = await start({ ...locale('pt_PT.UTF-8'), ROSTER_DEFAULT_COUNTRY: 'br' });
    expect(await settingsOf(service)).toMatchObject({ defaultCountry: 'BR', isDefaultCountryFixed: true });
    expect((await service.request('PATCH', '/settings', { defaultCountry: 'US' })).status).toBe(409);
    await using other = await start(locale('C'));
    await other.request('PATCH', '/settings', { defaultCountry: 'ES' });
    expect(await settingsOf(other)).toMatchObject({ defaultCountry: 'ES' });
    expect(await settingsOf(service)).toMatchObject({ defaultCountry: 'BR' });
  });
});
