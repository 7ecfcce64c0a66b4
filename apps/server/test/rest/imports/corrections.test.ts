import type { Import, ImportCorrected, ImportErrorGroups, ImportPreview, ImportRow } from '@roster/api';
import { describe, expect, it } from 'vitest';
import { ended, imported, rowsOf, written } from '../../support/file-imports.ts';
import { bodyOf, directoryOf } from '../../support/fixtures.ts';
import { useServer } from '../../support/use-server.ts';

const server = useServer();

const read = async <Body>(path: string) => bodyOf<Body>(await server().request('GET', path));
const groupsOf = (id: string) => read<ImportErrorGroups>(`/imports/${id}/error-groups`);

/** Checks a file of agents. */
const check = (body: string, query = '') =>
  imported(server(), body, { path: `/imports/agents/file?ignoreUnknown=true${query}` });

/** Corrects cells, and waits for the end of the check of their rows. */
async function correct(id: string, corrections: object[]): Promise<Import> {
  const response = await server().request('PUT', `/imports/${id}/corrections`, { corrections });
  if (response.status !== 200) throw new Error(await response.text());
  return ended(server(), `/imports/${id}`);
}

const office = (name: string) => directoryOf(server()).office({ name });

describe('the errors of an import', () => {
  it('are grouped by column and kind, with their numbers and what was probably meant', async () => {
    await office('Foz Norte Lisboa Baixa');
    await office('Foz Norte Porto');
    const rows = [
      'Ana,One,Foz Norte Lisbao Baixa,a1@groups.example,2030-01-01',
      'Rui,Two,Foz Norte Lisbao Baixa,a2@groups.example,2030-02-31',
      'Eva,Three,foz norte  porto,a3@groups.example,soon',
      'Zé,Four,Somewhere Else Entirely,a4(at)groups.example,2030-01-01',
      'Leo,Five,Foz Norte Porto,a1@groups.example,2030-01-01',
    ];
    const { id, errors } = await check(
      `First name,Last name,Office,Email,Member until,Licence valid until,Cédula\n${rows.map((row) => `${row},,L1`).join('\n')}\n`,
      `&mapping=${encodeURIComponent(JSON.stringify({ columns: { Cédula: '', 'Member until': 'licenses[0].expiresOn' } }))}`,
    );
    expect(errors).toBe(5);
    const { rows: total, groups } = await groupsOf(id);
    expect(total).toBe(5);
    const byColumn = Object.groupBy(groups, ({ column, code }) => `${column} ${code}`);
    expect(byColumn['Office not_found']).toMatchObject([
      {
        field: 'officeName',
        rows: 3,
        valuesCount: 2,
        values: [
          { value: 'Foz Norte Lisbao Baixa', rows: 2, suggestions: ['Foz Norte Lisboa Baixa'] },
          { value: 'Somewhere Else Entirely', rows: 1, suggestions: [] },
        ],
      },
    ]);
    expect(byColumn['Email invalid_format']).toMatchObject([
      { values: [{ value: 'a4(at)groups.example', suggestions: ['a4@groups.example'] }] },
    ]);
    expect(byColumn['Email repeated']).toMatchObject([{ rows: 1, values: [{ value: 'a1@groups.example' }] }]);
  });

  it('name an ignored column that may have the missing value', async () => {
    const mapping = encodeURIComponent(JSON.stringify({ columns: { 'Licence no.': '' } }));
    const body =
      'First name,Last name,Licence no.,Licence expiry date\nAna,Lack,L-1,2030-01-01\nRui,Lack,L-2,2030-01-01\n';
    const { id } = await check(body, `&mapping=${mapping}`);
    const { groups } = await groupsOf(id);
    expect(groups).toMatchObject([
      {
        field: 'licenses[0].number',
        code: 'required',
        rows: 2,
        unused: [{ column: 'Licence no.', rows: 2 }],
      },
    ]);
  });
});

describe('a correction', () => {
  it('mends every row with that text, or some, checks these again alone, and is kept with the import', async () => {
    await office('Vale Corrected');
    const rows = [
      'Ana,One,Vale Corected',
      'Rui,Two,Vale Corected',
      'Eva,Three,Vale Corected',
      'Zé,Four,Vale Corrected',
    ];
    const { id } = await check(`First name,Last name,Office\n${rows.join('\n')}\n`);
    const before = await rowsOf(server(), id);
    expect(before.map(({ outcome }) => outcome)).toEqual(['error', 'error', 'error', 'created']);
    const value = 'Vale Corected';
    const some = await correct(id, [{ column: 'Office', value, text: 'Vale Corrected', rows: [2] }]);
    expect(some).toMatchObject({ errors: 2, created: 2, status: 'completed_with_errors', findings: {} });
    const all = await correct(id, [{ column: 'Office', value, text: 'Vale Corrected' }]);
    expect(all).toMatchObject({ errors: 0, created: 4, status: 'completed', total: 4 });
    expect(await groupsOf(id)).toEqual({ rows: 0, groups: [] });
    const correction = { column: 'Office', value, text: 'Vale Corrected' };
    expect(await read<ImportCorrected>(`/imports/${id}/corrections`)).toEqual({
      corrections: [{ ...correction, rows: 3 }],
    });
    expect((await rowsOf(server(), id))[0]).toMatchObject({
      cells: ['Ana', 'One', value],
      corrections: [{ column: 'Office', text: 'Vale Corrected' }],
    });
    expect(await correct(id, [correction])).toMatchObject({ errors: 0, created: 4 });
    expect(await correct(id, [{ ...correction, text: null, rows: [3] }])).toMatchObject({
      errors: 1,
      created: 3,
    });
    expect(await correct(id, [correction])).toMatchObject({ errors: 0, created: 4 });
    expect(await written(server(), id)).toMatchObject({ created: 4, errors: 0, status: 'completed' });
    const response = await server().request('PUT', `/imports/${id}/corrections`, {
      corrections: [correction],
    });
    expect([response.status, await bodyOf(response)]).toMatchObject([409, { code: 'import_written' }]);
  });

  it('mends what two rows have in common, and makes a row an error that has the same as another one then', async () => {
    const rows = ['Ana,One,one@same.example', 'Rui,Two,ONE@same.example', 'Eva,Three,three@same.example'];
    const { id } = await check(`First name,Last name,Email\n${rows.join('\n')}\n`);
    const email = (row: number, value: string, text: string) => ({
      column: 'Email',
      value,
      text,
      rows: [row],
    });
    expect(await correct(id, [email(3, 'ONE@same.example', 'two@same.example')])).toMatchObject({
      errors: 0,
      created: 3,
    });
    expect(await correct(id, [email(2, 'one@same.example', 'three@same.example')])).toMatchObject({
      errors: 1,
      created: 2,
    });
    expect((await rowsOf(server(), id)).map(({ outcome }) => outcome)).toEqual([
      'created',
      'created',
      'error',
    ]);
    expect(await correct(id, [{ ...email(2, 'one@same.example', ''), text: null }])).toMatchObject({
      errors: 0,
      created: 3,
    });
    expect(await written(server(), id)).toMatchObject({ created: 3 });
  });

  it('of the office above others lets these be written, in the order of the offices', async () => {
    const body =
      'source.key,Name,Main office key,Email\nB,Branch B,A,\nA,Main A,,not an address\nC,Branch C,B,\n';
    const mapping = encodeURIComponent(
      JSON.stringify({ columns: { 'Main office key': 'mainOfficeSource.key' } }),
    );
    const path = `/imports/offices/file?sourceName=Corrected&mapping=${mapping}`;
    const { id, errors } = await imported(server(), body, { path });
    expect(errors).toBeGreaterThan(0);
    const mended = await correct(id, [{ column: 'Email', value: 'not an address', text: 'main@a.example' }]);
    expect(mended).toMatchObject({ errors: 0, created: 3 });
    expect(await written(server(), id)).toMatchObject({ created: 3, errors: 0 });
  });

  it('mends a member of NDJSON', async () => {
    const lines = [
      { firstName: 'Ana', lastName: 'Json', email: 'ana at json.example' },
      { firstName: 'Rui', lastName: 'Json', email: 'rui@json.example' },
    ].map((line) => JSON.stringify(line));
    const { id } = await imported(server(), lines.join('\n'), {
      path: '/imports/agents/file',
      headers: { 'Content-Type': 'application/x-ndjson' },
    });
    const value = 'ana at json.example';
    expect(await groupsOf(id)).toMatchObject({
      groups: [{ values: [{ value, suggestions: ['ana@json.example'] }] }],
    });
    expect(await correct(id, [{ column: 'email', value, text: 'ana@json.example' }])).toMatchObject({
      errors: 0,
      created: 2,
    });
    expect(await written(server(), id)).toMatchObject({ created: 2 });
  });

  it.each([
    [{ column: 'Shoe size', value: 'x', text: 'y' }, '#/corrections/0/column'],
    [{ column: 'Email', value: 'nobody has it', text: 'y' }, '#/corrections/0/value'],
  ])('of what the file does not have is rejected: %j', async (correction, pointer) => {
    const { id } = await check('First name,Email\nAna,ana@none.example\n');
    const response = await server().request('PUT', `/imports/${id}/corrections`, {
      corrections: [correction],
    });
    expect([response.status, await bodyOf(response)]).toMatchObject([422, { errors: [{ pointer }] }]);
    expect(await read(`/imports/${id}`)).toMatchObject({ created: 1, status: 'completed' });
  });

  it('lists the rows with an error of one column, code and text', async () => {
    const { id } = await check('First name,Office\nAna,None\nRui,Other\nEva,None\n');
    const query = new URLSearchParams({ errorColumn: 'Office', errorCode: 'not_found', errorValue: 'None' });
    const { items } = await read<{ items: ImportRow[] }>(`/imports/${id}/rows?${query}`);
    expect(items.map(({ row }) => row)).toEqual([2, 4]);
  });
});

it('the mapping of the last import with the same columns is in the preview of the next file, in any order of these', async () => {
  const preview = async (csv: string) =>
    bodyOf<ImportPreview>(
      await server().request('PUT', '/imports/preview', { beginning: Buffer.from(csv).toString('base64') }),
    );
  const csv = 'Vorname,Nachname,Zustand\nAna,Last,an\n';
  expect(await preview(csv)).toMatchObject({ last: null });
  const mapping = {
    columns: { Vorname: 'firstName', Nachname: 'lastName', Zustand: 'status' },
    values: { Zustand: { an: 'active' } },
    phoneCountry: 'DE',
  };
  const { id } = await check(csv, `&emptyCells=clear&mapping=${encodeURIComponent(JSON.stringify(mapping))}`);
  expect(await preview('What to correct,Nachname,Zustand,VORNAME\n,Last,an,Ana\n')).toMatchObject({
    last: { id, resource: 'agents', mapping, emptyCells: 'clear', sourceName: null, keyColumn: null },
  });
});
