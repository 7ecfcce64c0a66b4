import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorsOf, imported, upload } from '../../support/file-imports.ts';
import { directoryOf } from '../../support/fixtures.ts';
import { startTestServer, type TestServer } from '../../support/index.ts';
import { expectProblem } from '../../support/problems.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** An e-mail address that no other agent has. */
const newEmail = () => `${randomUUID()}@lost.example`;

const read = async <Body>(path: string) => (await (await server.request('GET', path)).json()) as Body;

/** Writes a file, and returns what became of its rows: the columns with a fault and its code. */
async function faultsOf(resource: string, body: string, { type = 'text/csv', query = '' } = {}) {
  const path = `/imports/${resource}/file?mode=write${query}`;
  const { id, created, updated } = await imported(server, body, { path, headers: { 'Content-Type': type } });
  const errors = await errorsOf(server, id);
  return { written: created + updated, faults: errors.map(({ column, code }) => `${column} ${code}`).sort() };
}

const ndjson = { type: 'application/x-ndjson' };

describe('a row of NDJSON', () => {
  it.each([
    [{ officeId: 42 }, 'officeId invalid_type'],
    [{ officeId: ['one'] }, 'officeId invalid_type'],
    [{ officeName: true }, 'officeName invalid_type'],
    [{ officeSource: { name: 'MLS', key: 42 } }, 'officeSource.key invalid_type'],
    [{ officeSource: { name: 'MLS', id: '42' } }, 'officeSource.id unknown_field'],
    [{ officeSource: { name: 'MLS' } }, 'officeSource required'],
    [{ officeSource: 17 }, 'officeSource invalid_type'],
    [{ 'officeSource.key': 42 }, 'officeSource.key invalid_type'],
  ])('leaves an agent in the office if it names another one in no text: %j', async (named, fault) => {
    const directory = directoryOf(server);
    const { id: officeId } = await directory.office({});
    const email = newEmail();
    const { id, firstName, lastName } = await directory.agent({ officeId, email });
    const row = JSON.stringify({ firstName, lastName, email, ...named });
    expect(await faultsOf('agents', row, ndjson)).toEqual({ written: 0, faults: [fault] });
    expect(await read(`/agents/${id}`)).toMatchObject({ officeId, version: 1 });
  });

  it.each([
    [{ id: 42 }, '', 'id invalid_type'],
    [{ id: 17 }, '&sourceName=S', 'id invalid_type'],
    [{ 'source.key': 17 }, '&sourceName=S', 'source.key invalid_type'],
    [{ source: { name: 'S', key: 17 } }, '', 'source.key invalid_type'],
    [{ source: { name: 'S', key: 'k', more: 1 } }, '', 'source.more unknown_field'],
    [{ nr: 9_007_199_254_740_992 }, '&sourceName=S&keyColumn=nr', 'nr invalid_type'],
    [{ nr: { a: 1 } }, '&sourceName=S&keyColumn=nr', 'nr invalid_type'],
    [{ nr: 'k' }, '&keyColumn=nr', 'source required'],
  ])('is rejected if its key is no text that the record can have: %j', async (key, query, fault) => {
    const row = JSON.stringify({ name: 'Keyed', ...key });
    expect(await faultsOf('offices', row, { ...ndjson, query })).toEqual({ written: 0, faults: [fault] });
  });

  it('has its key from a whole number', async () => {
    const query = '&sourceName=Numbers&keyColumn=nr';
    expect(await faultsOf('offices', '{"name":"Numbered","nr":17}', { ...ndjson, query })).toMatchObject({
      written: 1,
    });
    const { items } = await read<{ items: unknown[] }>('/offices?sourceName=Numbers');
    expect(items).toMatchObject([{ source: { name: 'Numbers', key: '17' } }]);
  });

  it.each([
    ['{"name":"x","address.city":"Porto","address":{"line1":"R"}}', 'address repeated'],
    ['{"name":"x","address":{"line1":"R"},"address.city":"Porto"}', 'address.city repeated'],
    ['{"name":"x","metadata.a":"1","metadata":{"b":"2"}}', 'metadata repeated'],
    ['{"name":"x","source.name":"S","source.key":"k","source":{"name":"T","key":"l"}}', 'source repeated'],
    ['{"name":"x","metadata":"{\\"a\\":\\"1\\",\\"a\\":\\"2\\"}"}', 'metadata repeated'],
    ['{"name":"x","metadata":{"__proto__":"1"}}', 'metadata.__proto__ not_allowed'],
  ])('is rejected if one member takes the value of another: %s', async (row, fault) => {
    expect(await faultsOf('offices', row, ndjson)).toEqual({ written: 0, faults: [fault] });
  });

  it('is rejected if it names a member of a team in no text', async () => {
    for (const members of [{ agentId: 42 }, { agentSource: 17 }, { agentSource: { name: 'S' } }]) {
      const { written, faults } = await faultsOf('teams', JSON.stringify({ name: 'Team', members }), ndjson);
      expect({ members, written, faults: faults.length > 0 }).toEqual({ members, written: 0, faults: true });
    }
  });
});

describe('a cell of CSV', () => {
  it.each([
    ['name,metadata\nx,"{""a"":""1"",""a"":""2""}"\n', 'metadata repeated'],
    ['name,metadata\nx,"{""__proto__"":""1""}"\n', 'metadata not_allowed'],
    ['name,address.postalCodePlus4\nx,1234\n', 'address.postalCodePlus4 required'],
    ['name,mainOfficeSource.name\nx,MLS\n', 'mainOfficeSource.name required'],
  ])('is a fault if it would be dropped: %j', async (file, fault) => {
    expect(await faultsOf('offices', file)).toEqual({ written: 0, faults: [fault] });
  });

  it('has the suffix of a postal code once, if it is in two columns', async () => {
    const file = 'name,address.postalCode,address.postalCodePlus4\nSuffix,90210-1234,1234\n';
    expect(await faultsOf('offices', file)).toEqual({ written: 1, faults: [] });
    const { items } = await read<{ items: unknown[] }>('/offices?q=Suffix');
    expect(items).toMatchObject([{ address: { postalCode: '90210-1234' } }]);
  });

  it.each(['31/12/2031 or later', '1/2/203'])('is no day if more is written beside it: %s', async (text) => {
    const mapping = { dates: { exp: 'day-first' }, columns: { EXP: 'licenses[0].expiresOn' } };
    const file = `First name,Last name,License #,Exp\nAna,Day,A1,${text}\n`;
    const query = `&mapping=${encodeURIComponent(JSON.stringify(mapping))}`;
    expect(await faultsOf('agents', file, { query })).toEqual({ written: 0, faults: ['Exp invalid_format'] });
  });
});

describe('the header of a file', () => {
  it('is its first row that is not blank', async () => {
    for (const [file, name] of [
      ['\n\nName;Bio\nBelow blank lines;b\n', 'Below blank lines'],
      [',,\nName,Bio,\nBelow delimiters,b,\n', 'Below delimiters'],
    ] as const) {
      expect(await faultsOf('offices', file, { query: '&ignoreUnknown=true' })).toEqual({
        written: 1,
        faults: [],
      });
      const { items } = await read<{ items: unknown[] }>(`/offices?q=${encodeURIComponent(name)}`);
      expect(items).toMatchObject([{ name, bio: 'b' }]);
    }
  });

  it('is rejected if it has a name twice, also if unknown columns are left out', async () => {
    const file = 'Name,Bio,Name\nOne,b,Two\n';
    const response = await upload(server, file, { path: '/imports/offices/file?ignoreUnknown=true' });
    const { detail } = await expectProblem(response, 'validation_failed');
    expect(detail).toContain('"Name" and "Name (2)" set the same field (name)');
  });

  it('is compared with a mapping without letter case', async () => {
    const mapping = { values: { estado: { A: 'inactive' } }, columns: { ESTADO: 'status' } };
    const file = 'Name,Estado\nMapped,A\n';
    const query = `&mapping=${encodeURIComponent(JSON.stringify(mapping))}`;
    expect(await faultsOf('offices', file, { query })).toEqual({ written: 1, faults: [] });
    const { items } = await read<{ items: unknown[] }>('/offices?q=Mapped');
    expect(items).toMatchObject([{ status: 'inactive' }]);
  });

  it.each([{ values: { Estado: { A: 'inactive' } } }, { dates: { Validade: 'day-first' } }])(
    'has every column that a mapping speaks of: %j',
    async (mapping) => {
      const path = `/imports/offices/file?mapping=${encodeURIComponent(JSON.stringify(mapping))}`;
      const response = await upload(server, 'Name\nx\n', { path });
      const { detail } = await expectProblem(response, 'validation_failed');
      expect(detail).toContain('has no column');
    },
  );
});

describe('a row with columns for the parts of a licence', () => {
  const first = { number: 'A1', region: '11', type: 'Broker', expiresOn: '2030-01-01' };
  const second = { number: 'B2', region: null, type: null, expiresOn: '2031-01-01' };

  it.each([
    ['License #,License expires\nA1,2032-01-01\n', [{ ...first, expiresOn: '2032-01-01' }, second]],
    ['License #,licenses[0].type\nB2,Manager\n', [first, { ...second, type: 'Manager' }]],
    ['License #,licenses[0].type\nA1,\n', [first, second]],
    ['License #\nC3\n', [first, second, { ...second, number: 'C3', expiresOn: null }]],
    [
      'License #,licenses[0].region\nA1,12\n',
      [first, second, { ...second, number: 'A1', region: '12', expiresOn: null }],
    ],
    ['License #\n\u00a0\n', [first, second]],
  ])('changes the one of its number, or adds it, and leaves the others: %j', async (file, licenses) => {
    const directory = directoryOf(server);
    const { id: officeId } = await directory.office({});
    const email = newEmail();
    const { id, firstName, lastName } = await directory.agent({
      officeId,
      email,
      licenses: [first, second],
    });
    const [header, row] = file.split('\n');
    const body = `First name,Last name,Email,${header}\n${firstName},${lastName},${email},${row}\n`;
    expect(await faultsOf('agents', body)).toMatchObject({ faults: [] });
    expect(await read(`/agents/${id}`)).toMatchObject({ officeId, licenses });
  });

  const licensesOf = (length: number) => Array.from({ length }, (_, index) => ({ number: `N${index}` }));

  it.each([49, 50])('is rejected only if the agent has as many licences as one may: %i', async (count) => {
    const directory = directoryOf(server);
    const { id: officeId } = await directory.office({});
    const email = newEmail();
    const { firstName, lastName } = await directory.agent({ officeId, email, licenses: licensesOf(count) });
    const body = `First name,Last name,Email,License #\n${firstName},${lastName},${email},More\n`;
    const rejected = { written: 0, faults: ['License # too_many'] };
    expect(await faultsOf('agents', body)).toEqual(count === 50 ? rejected : { written: 1, faults: [] });
  });

  it('is rejected if the office has as many licences as one may', async () => {
    const { id } = await directoryOf(server).office({ name: 'Licensed', licenses: licensesOf(20) });
    const body = `id,Name,License #\n${id},Licensed,More\n`;
    expect(await faultsOf('offices', body)).toEqual({ written: 0, faults: ['License # too_many'] });
  });
});
