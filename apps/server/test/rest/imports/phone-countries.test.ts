import { randomUUID } from 'node:crypto';
import type { ImportPreview } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorsOf, imported, rowsOf, written } from '../../support/file-imports.ts';
import { directoryOf } from '../../support/fixtures.ts';
import { startTestServer, type TestServer } from '../../support/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const [inRio, inLisbon] = [{ country: 'BR' }, { country: 'PT' }];
/** A number of Rio that is one of New York as well. */
const ofRio = '21 2555-0143';

const office = async (input: object) => {
  const name = `Casa ${randomUUID()}`;
  return { ...(await directoryOf(server).office({ name, ...input })), name };
};

/** A file of agents, each with an office by its name, a phone number and the country of the address. */
const agentsOf = (rows: [officeName: string, phone: string, country?: string][]) =>
  [
    'First,Last,officeName,phone,address.country',
    ...rows.map((row) => ['Ana', 'Reis', row[0], row[1], row[2] ?? ''].join(',')),
    '',
  ].join('\n');

const pathOf = (resource: string, mapping: object = {}) =>
  `/imports/${resource}/file?${new URLSearchParams({ mapping: JSON.stringify(mapping) })}`;
const columns = { First: 'firstName', Last: 'lastName' };

const phonesOf = async (id: string) =>
  Promise.all(
    (await rowsOf(server, id)).map(async ({ recordId }) => {
      const agent = (await (await server.request('GET', `/agents/${recordId}`)).json()) as { phone: string };
      return agent.phone;
    }),
  );

async function preview(resource: string, file: string, mapping: object = { columns }) {
  const body = { resource, beginning: Buffer.from(file).toString('base64'), mapping };
  return (await (await server.request('PUT', '/imports/preview', body)).json()) as ImportPreview;
}

describe('a file with phone numbers without a country code', () => {
  it('is read by the address and the office of each row, and its check says how many of which country', async () => {
    const [rio, nowhere] = [await office({ address: inRio }), await office({})];
    const file = agentsOf([
      [rio.name, ofRio],
      [rio.name, ofRio],
      [rio.name, '213 000 555', 'PT'],
      [nowhere.name, '305-555-0123'],
      [nowhere.name, '+351 213 000 556'],
    ]);
    const checked = await imported(server, file, { path: pathOf('agents', { columns }) });
    expect(checked.findings?.phoneCountries).toEqual([
      { country: 'BR', rows: 2 },
      { country: 'PT', rows: 1 },
      { country: 'US', rows: 1 },
    ]);
    // What is written is what the check has shown.
    await server.request('PATCH', '/settings', { defaultCountry: 'AU' });
    await server.request('PATCH', `/offices/${rio.id}`, { address: inLisbon });
    await written(server, checked.id);
    await server.request('PATCH', '/settings', { defaultCountry: 'US' });
    expect(await phonesOf(checked.id)).toEqual([
      '+552125550143',
      '+552125550143',
      '+351213000555',
      '+13055550123',
      '+351213000556',
    ]);
  });

  it('is read by the country that its mapping names, unless an address names one', async () => {
    const lisbon = await office({ address: inLisbon });
    const file = agentsOf([
      [lisbon.name, ofRio],
      [lisbon.name, '213 000 555', 'PT'],
    ]);
    const mapping = { columns, phoneCountry: 'BR' };
    const checked = await imported(server, file, { path: pathOf('agents', mapping) });
    expect(checked.errors).toBe(0);
    expect(checked.findings?.phoneCountries).toEqual([
      { country: 'BR', rows: 1 },
      { country: 'PT', rows: 1 },
    ]);
    await written(server, checked.id);
    expect(await phonesOf(checked.id)).toEqual(['+552125550143', '+351213000555']);
  });

  it('has the same errors in its check as when it is written: the offices above may be in the file', async () => {
    const source = randomUUID();
    await directoryOf(server).office({ name: 'Rio', address: inRio, source: { name: source, key: 'known' } });
    const path = `${pathOf('offices')}&sourceName=${source}`;
    const ofSource = async (key: string) =>
      (await server.request('GET', `/offices?sourceName=${source}&sourceKey=${key}`)).json();
    const created = [
      'source.key,name,mainOfficeSource.key,phone,address.country',
      `low,Low,mid,${ofRio},`,
      'mid,Mid,top,,',
      'top,Top,,,BR',
      'wrong,Wrong,top,305-555-0123,',
      '',
    ].join('\n');
    const checked = await imported(server, created, { path });
    expect((await errorsOf(server, checked.id)).map(({ row, column }) => [row, column])).toEqual([
      [5, 'phone'],
    ]);
    expect(checked.findings?.phoneCountries).toEqual([{ country: 'BR', rows: 2 }]);
    await written(server, checked.id, { skip: ['errors'] });
    expect(await ofSource('low')).toMatchObject({ items: [{ phone: '+552125550143' }] });

    const below = ['source.key,name,mainOfficeSource.key,phone', `new,New,known,${ofRio}`, 'known,Rio,,', ''];
    const known = await imported(server, below.join('\n'), { path });
    expect(known).toMatchObject({ errors: 0, findings: { phoneCountries: [{ country: 'BR', rows: 1 }] } });
    await written(server, known.id);
    expect(await ofSource('new')).toMatchObject({ items: [{ phone: '+552125550143' }] });
  });
});

describe('a preview', () => {
  it('says from which countries the phone numbers without a country code would be', async () => {
    const [rio, nowhere] = [await office({ address: inRio }), await office({})];
    const file = agentsOf([
      [rio.name, ofRio],
      [rio.name, '21 0'],
      [nowhere.name, ofRio],
      [nowhere.name, '00351 213 000 555'],
    ]);
    expect((await preview('agents', file)).phones).toEqual({
      rows: 3,
      countries: [
        { country: 'BR', rows: 2 },
        { country: 'US', rows: 1 },
      ],
    });
    await server.request('PATCH', '/settings', { defaultCountry: null });
    const { phones } = await preview('agents', agentsOf([[nowhere.name, ofRio]]));
    await server.request('PATCH', '/settings', { defaultCountry: 'US' });
    expect(phones).toEqual({ rows: 1, countries: [{ country: null, rows: 1 }] });
  });

  it('says it of rows with the date of a licence, whose number no column sets yet', async () => {
    const { name } = await office({ address: inRio });
    const file = ['lastName,officeName,phone,Validade', `Rio,${name},${ofRio},31/12/2031`].join('\n');
    const { lacking, phones } = await preview('agents', file);
    expect(lacking).toMatchObject([{ needs: 'licenses[0].number' }]);
    expect(phones).toEqual({ rows: 1, countries: [{ country: 'BR', rows: 1 }] });
  });

  it('says nothing of a file without such numbers, or of columns that set no phone number', async () => {
    expect((await preview('agents', agentsOf([['', '+351 213 000 555']]))).phones).toBeNull();
    const ignored = { columns: { ...columns, phone: '' } };
    expect((await preview('agents', agentsOf([['', ofRio]]), ignored)).phones).toBeNull();
    const kept = { columns, values: { Elsewhere: { Ja: 'active' } }, dates: { Nowhere: 'iso' } };
    expect((await preview('agents', agentsOf([['', ofRio]]), kept)).phones).toMatchObject({ rows: 1 });
  });
});
