import type { ImportPreview, ImportRow } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorsOf, imported, rowsOf, upload, written } from '../../support/file-imports.ts';
import { startTestServer, type TestServer } from '../../support/index.ts';
import { expectProblem } from '../../support/problems.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const full = {
  firstName: 'Inês',
  lastName: 'Figueiredo',
  phone: '+351213000123',
  title: 'Consultant',
  languages: ['pt'],
  address: { line1: 'Rua 1', city: 'Lisboa' },
  metadata: { floor: '1' },
  licenses: [{ number: 'L1', type: 'Broker', expiresOn: '2031-12-31' }],
};
const header =
  'email,firstName,lastName,phone,title,languages,address.line1,address.city,metadata.floor,licenses[0].number,licenses[0].type,licenses[0].expiresOn';
/** A row that has a name, a street and the number of a licence; all else is empty. */
const rowOf = (email: string) => `${email},Inês,Figueiredo,,,,Rua 2,,,L1,Broker,`;

let count = 0;
/** An agent of whom everything is known; resolves to a file of what is mostly empty, and to how the agent is read. */
async function agentWithFile() {
  count += 1;
  const email = `ines${count}@empty.example`;
  const { id } = (await (await server.request('POST', '/agents', { ...full, email })).json()) as {
    id: string;
  };
  const read = async () => (await server.request('GET', `/agents/${id}`)).json();
  return { file: `${header}\n${rowOf(email)}\n`, email, id, read };
}

/** Sends a file of agents, with what is said of its empty cells. */
function send(file: string, { mode = 'check', emptyCells, mapping }: Sent = {}) {
  const said = {
    mode,
    ...(emptyCells && { emptyCells }),
    ...(mapping && { mapping: JSON.stringify(mapping) }),
  };
  return imported(server, file, { path: `/imports/agents/file?${new URLSearchParams(said)}` });
}
interface Sent {
  mode?: 'check' | 'write';
  emptyCells?: 'keep' | 'clear';
  mapping?: object;
}

describe('an empty cell of a CSV file', () => {
  it.each([undefined, 'keep'] as const)('leaves the field as it is (%s)', async (emptyCells) => {
    const { file, read } = await agentWithFile();
    const sent = await send(file, { mode: 'write', ...(emptyCells && { emptyCells }) });
    expect(sent).toMatchObject({ step: 'write', status: 'completed', updated: 1, warnings: 0 });
    expect(sent.findings).toMatchObject({ clears: 0, clearedFields: {} });
    expect(await read()).toMatchObject({
      ...full,
      address: { line1: 'Rua 2', city: 'Lisboa' },
      licenses: [{ number: 'L1', type: 'Broker', expiresOn: '2031-12-31' }],
    });
    // Nothing is left that it would change.
    expect(await send(file)).toMatchObject({ unchanged: 1 });
  });

  it('clears the field if that is said of the file, and accepted', async () => {
    const { file, id: recordId, read } = await agentWithFile();
    const before = await read();
    const { id, ...checked } = await send(file, { mode: 'write', emptyCells: 'clear' });
    const cleared = [
      'phone',
      'title',
      'languages',
      'address.city',
      'metadata.floor',
      'licenses[0].expiresOn',
    ];
    expect(checked).toMatchObject({ step: 'check', warnings: 1, findings: { warnings: ['clears'] } });
    expect(checked.findings).toMatchObject({
      clears: 1,
      clearedFields: Object.fromEntries(cleared.map((field) => [field, 1])),
    });
    const [row] = (await rowsOf(server, id)) as [ImportRow];
    expect(row).toMatchObject({ recordId, outcome: 'warning', warnings: ['clears'] });
    expect(new Set(row.cleared)).toEqual(new Set(cleared));
    await expectProblem(await server.request('PUT', `/imports/${id}/write`, {}), 'import_not_accepted');
    expect(await read()).toEqual(before);
    expect(await written(server, id, { acceptWarnings: ['clears'] })).toMatchObject({ updated: 1 });
    expect(await read()).toMatchObject({
      phone: null,
      title: null,
      languages: [],
      address: { line1: 'Rua 2', city: null },
      metadata: {},
      licenses: [{ number: 'L1', type: 'Broker', expiresOn: null }],
    });
  });

  it('of a column does what is said of that column, by its name in any letter case', async () => {
    const { file, read } = await agentWithFile();
    const clearing = await send(file, { mapping: { emptyCells: { PHONE: 'clear' } } });
    expect(clearing.findings?.clearedFields).toEqual({ phone: 1 });
    const keeping = await send(file, { emptyCells: 'clear', mapping: { emptyCells: { phone: 'keep' } } });
    expect(Object.keys(keeping.findings?.clearedFields ?? {})).not.toContain('phone');
    await written(server, clearing.id, { acceptWarnings: ['clears'] });
    expect(await read()).toMatchObject({ phone: null, title: 'Consultant' });
  });

  it('clears nothing where the rows that would are skipped', async () => {
    const { file, email, read } = await agentWithFile();
    const other = `Nova,Pessoa,+351213000199,,,,,,,,`;
    const { id } = await send(`${file}nova.${email},${other}\n`, { emptyCells: 'clear' });
    expect(await written(server, id, { skip: ['clears'] })).toMatchObject({ created: 1, updated: 0 });
    expect(await read()).toMatchObject({ phone: full.phone });
  });

  it('keeps a text that stands for nothing a way to clear one field', async () => {
    const { email, read } = await agentWithFile();
    const file = `email,firstName,lastName,phone,title\n${email},Inês,Figueiredo,,none\n`;
    const sent = await send(file, { mapping: { values: { title: { none: '' } } } });
    expect(sent.findings?.clearedFields).toEqual({ title: 1 });
    await written(server, sent.id, { acceptWarnings: ['clears'] });
    expect(await read()).toMatchObject({ title: null, phone: full.phone });
  });

  it('gives a row without a key the same key, whatever it does', async () => {
    const file = 'firstName,lastName,phone,address.city\nZé,Ninguém,,\n';
    const path = (emptyCells: string) =>
      `/imports/agents/file?mode=write&sourceName=Keys&emptyCells=${emptyCells}`;
    expect(await imported(server, file, { path: path('keep') })).toMatchObject({ created: 1 });
    expect(await imported(server, file, { path: path('clear') })).toMatchObject({ created: 0, unchanged: 1 });
  });

  it('of one name is none of a new agent; of both it is an error', async () => {
    const { id } = await send('firstName,lastName,title\nAna,,Broker\n,,Broker\n');
    expect(await errorsOf(server, id)).toMatchObject([{ row: 3, column: 'firstName', code: 'required' }]);
  });

  it('of a reference to an office keeps the office, or takes it away', async () => {
    const office = (await (await server.request('POST', '/offices', { name: 'Empty' })).json()) as {
      id: string;
    };
    const { email, id, read } = await agentWithFile();
    await server.request('PATCH', `/agents/${id}`, { officeId: office.id });
    const file = `email,firstName,lastName,officeName\n${email},Inês,Figueiredo,\n`;
    await send(file, { mode: 'write' });
    expect(await read()).toMatchObject({ officeId: office.id });
    const { id: clearing, findings } = await send(file, { emptyCells: 'clear' });
    expect(findings?.clearedFields).toEqual({ officeId: 1 });
    await written(server, clearing, { acceptWarnings: ['clears'] });
    expect(await read()).toMatchObject({ officeId: null });
  });
});

describe('null in NDJSON', () => {
  it('clears the field without a question, and an absent member keeps it', async () => {
    const { email, read } = await agentWithFile();
    const file = `${JSON.stringify({ email, firstName: 'Inês', lastName: 'Figueiredo', phone: null })}\n`;
    const sent = await imported(server, file, {
      path: '/imports/agents/file?mode=write',
      headers: { 'Content-Type': 'application/x-ndjson' },
    });
    expect(sent).toMatchObject({ step: 'write', updated: 1, warnings: 0 });
    expect(await read()).toMatchObject({ phone: null, title: 'Consultant' });
  });

  it.each([{ emptyCells: 'clear' }, { mapping: JSON.stringify({ emptyCells: { phone: 'keep' } }) }])(
    'takes no choice of empty cells: %j',
    async (said) => {
      const query = new URLSearchParams({ format: 'ndjson', ...said });
      const path = `/imports/agents/file?${query}`;
      const headers = { 'Content-Type': 'application/x-ndjson' };
      const response = await upload(server, '{"email":"a@b.example"}\n', { path, headers });
      await expectProblem(response, 'validation_failed');
    },
  );
});

it('a preview says how many cells of each column are empty', async () => {
  const beginning = Buffer.from('firstName,phone\nAna,\nEva, \nRui,+351213000123\n').toString('base64');
  const preview = await server.request('PUT', '/imports/preview', { beginning, resource: 'agents' });
  const { columns } = (await preview.json()) as ImportPreview;
  expect(columns.map(({ name, empty }) => [name, empty])).toEqual([
    ['firstName', 0],
    ['phone', 2],
  ]);
});
