import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { type Entity, resoOf } from '../support/http/reso.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
let reso: ReturnType<typeof resoOf>;
let directory: ReturnType<typeof directoryOf>;
beforeAll(async () => {
  server = await startTestServer();
  reso = resoOf(server);
  directory = directoryOf(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const found = async (set: string, filter: string) => {
  const path = `/${set}?$filter=${encodeURIComponent(filter)}&$select=${set}Key`;
  const { value } = await reso.get<{ value: Entity[] }>(path);
  return value.map((entity) => entity[`${set}Key`]);
};

describe('a filter', () => {
  it('finds a record typed on a Mac, and what is asked on one', async () => {
    const city = 'Nações-Évora';
    const { id } = await directory.office({ address: { city: city.normalize('NFD') } });
    for (const form of ['NFC', 'NFD'])
      for (const filter of [
        `OfficeCity eq '${city}'`,
        `OfficeCity in ('${city}')`,
        `contains(OfficeCity, 'ções-É')`,
        `startswith(tolower(OfficeCity), 'nações')`,
        `tolower(OfficeCity) eq '${city.toLowerCase()}'`,
        `not (OfficeCity ne '${city}')`,
      ])
        expect([filter, await found('Office', filter.normalize(form))]).toEqual([filter, [id]]);
  });

  it('finds licences, email addresses and codes however they are written', async () => {
    const { id } = await directory.agent({
      email: 'Spelt@reso.example',
      licenses: [{ number: 'RS-777', region: 'FL' }],
      address: { country: 'US', region: 'FL', city: 'Tampa' },
      languages: ['pt-BR'],
    });
    for (const filter of [
      `MemberStateLicense eq 'rs777'`,
      `MemberStateLicense in ('x', 'Rs.777')`,
      `MemberEmail eq 'spelt@RESO.example'`,
      `MemberCountry eq 'us' and MemberCity eq 'Tampa'`,
      `MemberStateOrProvince eq 'fl' and MemberCity eq 'Tampa'`,
      `MemberStateLicenseState in ('fl') and MemberCity eq 'Tampa'`,
      `MemberLanguages/any(l: l eq 'PT-br') and MemberCity eq 'Tampa'`,
      `MemberStatus eq 'ACTIVE' and MemberCity eq 'Tampa'`,
    ])
      expect([filter, await found('Member', filter)]).toEqual([filter, [id]]);
    expect(await found('Member', `MemberStateLicense ne 'rs777' and MemberCity eq 'Tampa'`)).toEqual([]);
  });
});

it('a body names codes and words of a lookup in any letter case', async () => {
  const body = {
    OfficeName: 'Spelt',
    OfficeBranchType: 'STAND alone',
    OfficeCountry: 'us',
    OfficeStateOrProvince: 'fl',
  };
  const response = await reso.send('POST', '/Office', body);
  expect(await bodyOf<Entity>(response)).toMatchObject({
    OfficeBranchType: 'Stand Alone',
    OfficeCountry: 'US',
    OfficeStateOrProvince: 'FL',
  });
});
