import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorsOf, imported } from '../../support/file-imports.ts';
import { directoryOf } from '../../support/fixtures.ts';
import { startTestServer, type TestServer } from '../../support/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const read = async <Body>(path: string) => (await (await server.request('GET', path)).json()) as Body;

const write = (resource: string, body: string, query = '', type = 'text/csv') =>
  imported(server, body, {
    path: `/imports/${resource}/file?mode=write${query}`,
    headers: { 'Content-Type': type },
  });

describe('a file in another Unicode form, with what is not seen', () => {
  const csv = 'Name,Código,address.city\nAtlântico São João,Évora-1,Évora\n';
  const ndjson = '{"name":"Nações","source":{"name":"Açores","key":"Évora-2"},"address":{"city":"Évora"}}';
  const otherwise = (text: string) => text.normalize('NFD').replace(/(?<=Name,|Atl|"Na)/, '\u00ad');

  it.each([
    ['CSV with a key', csv, '&sourceName=Keyed&keyColumn=Código', 'text/csv'],
    ['CSV with a hash as the key', csv.replace('Código', 'bio'), '&sourceName=Hashed', 'text/csv'],
    ['NDJSON', ndjson, '', 'application/x-ndjson'],
  ])('changes nothing: %s', async (_, text, query, type) => {
    expect(await write('offices', text, query, type)).toMatchObject({ created: 1, errors: 0 });
    const again = await write('offices', otherwise(text), query.normalize('NFD'), type);
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 1, errors: 0 });
  });

  it('repeats a row if it has the same key or email address', async () => {
    const key = 'name,source.name,source.key\n';
    const keyed = await write('offices', `${key}A,Twice,é\nB,Twice,e\u0301\u200b\n`);
    expect(keyed).toMatchObject({ errors: 1 });
    const email = 'firstName,lastName,email\n';
    const addressed = await write(
      'agents',
      `${email}A,B,jos\u00e9@twice.example\nA,B,JOSE\u0301@twice.example\n`,
    );
    expect(addressed).toMatchObject({ errors: 1 });
  });
});

it('a licence in a file is that of the record, however its number and region are written', async () => {
  const agents = directoryOf(server);
  const licenses = [{ number: 'SL-777', region: 'FL', type: 'Broker' }];
  const { id, firstName, lastName } = await agents.agent({ email: 'licence@spellings.example', licenses });
  const header = 'firstName,lastName,email,licenses[0].number,licenses[0].region,licenses[0].expiresOn\n';
  const row = `${firstName},${lastName},licence@spellings.example,sl777,fl,2030-12-31\n`;
  expect(await write('agents', header + row)).toMatchObject({ updated: 1 });
  expect(await read(`/agents/${id}`)).toMatchObject({
    licenses: [{ number: 'sl777', region: 'FL', type: 'Broker', expiresOn: '2030-12-31' }],
  });
});

describe('a column of whole names', () => {
  const previewOf = async (csv: string) => {
    const body = { resource: 'agents', beginning: Buffer.from(csv).toString('base64') };
    return (await server.request('PUT', '/imports/preview', body)).json();
  };

  it('with one word has one name, in a check and when it is written', async () => {
    const csv =
      'Name,E-mail\nPelé,pele@whole.example\n"REIS,",reis@whole.example\nAna Reis,ana@whole.example\n';
    expect(await previewOf(csv)).toMatchObject({
      missing: [],
      columns: [{ field: 'wholeName', names: [{ firstName: 'Pelé', lastName: null }, {}, {}] }, {}],
    });
    expect(await write('agents', csv)).toMatchObject({ created: 3, errors: 0 });
    const { items } = await read<{ items: unknown[] }>(
      '/agents?sort=lastName&email=pele@whole.example&email=reis@whole.example',
    );
    expect(items).toMatchObject([
      { firstName: 'Pelé', lastName: null, displayName: 'Pelé' },
      { firstName: null, lastName: 'REIS', displayName: 'REIS' },
    ]);
    expect(await write('agents', csv)).toMatchObject({ unchanged: 3 });
  });

  it('may be missing if a first or a last name is there; a row with neither is rejected', async () => {
    expect(await write('agents', 'firstName,title\nZico,Broker\n')).toMatchObject({ created: 1 });
    const rows = 'Last Name,title\n,Broker\nZito,Broker\n';
    const partly = await write('agents', rows, '&skip=errors');
    expect(partly).toMatchObject({ created: 1, errors: 1 });
    expect(await errorsOf(server, partly.id)).toMatchObject([
      { row: 2, column: 'firstName', code: 'required', detail: 'is required unless lastName is set' },
    ]);
    expect(await previewOf('title\nBroker\n')).toMatchObject({ missing: ['firstName', 'lastName'] });
  });
});

it('codes in a file are read in any letter case', async () => {
  const header = 'name,branchType,status,address.country,address.region\n';
  expect(await write('offices', `${header}Codes,MAIN,Inactive,us,fl\n`)).toMatchObject({ created: 1 });
  const { items } = await read<{ items: unknown[] }>('/offices?q=codes&country=us&region=Fl&status=INACTIVE');
  expect(items).toMatchObject([{ branchType: 'main', address: { country: 'US', region: 'FL' } }]);
});
