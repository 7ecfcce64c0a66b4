import type { Import } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorsOf, imported, rowsOf, upload } from '../../support/file-imports.ts';
import { startTestServer, type TestServer } from '../../support/index.ts';
import { expectFault, expectProblem } from '../../support/problems.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const json = async <Body>(path: string) => (await (await server.request('GET', path)).json()) as Body;

describe('an upload', () => {
  it.each([
    [
      'a new workbook',
      'PK\u0003\u0004',
      'save its sheet as CSV, and import that file (Excel: File, Save As, "CSV UTF-8"',
    ],
    [
      'an old workbook',
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0]).toString('latin1'),
      'save its sheet as CSV, and import that file (Excel: File, Save As, "CSV UTF-8"',
    ],
    ['a vCard', 'BEGIN:VCARD\r\nFN:Ana', 'export the contacts as CSV'],
    ['a JSON array', '[\n {"name":"A"}]', 'NDJSON'],
    ['a page of HTML', '<!DOCTYPE html><html>', 'the download may have failed'],
    ['a PDF', '%PDF-1.7', 'export the table as CSV'],
  ])('of %s says what it is and what to do, and so does its preview', async (_, head, advice) => {
    const file = Buffer.from(`${head}\u0000\u0001`, 'latin1');
    const response = await upload(server, file);
    const { detail } = await expectProblem(response, 'validation_failed');
    expect(detail).toContain(advice);
    const preview = await server.request('PUT', '/imports/preview', { beginning: file.toString('base64') });
    expect((await expectProblem(preview, 'validation_failed')).detail).toBe(detail);
  });

  it('is received once for its Idempotency-Key, and rejected with another file', async () => {
    const headers = { 'Idempotency-Key': 'one-file' };
    const first = (await (await upload(server, 'name\nOnce\n', { headers })).json()) as Import;
    const second = await upload(server, 'name\nOnce\n', { headers });
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await second.json()).toMatchObject({ id: first.id });
    await expectProblem(await upload(server, 'name\nTwice\n', { headers }), 'idempotency_key_reused');
  });

  it('with a header that fits no field names the nearest ones, and keeps nothing', async () => {
    const before = (await json<{ items: unknown[] }>('/imports')).items.length;
    const response = await upload(server, 'name,fone\nA,1\n');
    const problem = await expectProblem(response, 'validation_failed');
    expect(problem.detail).toContain('"fone"');
    expect((await json<{ items: unknown[] }>('/imports')).items).toHaveLength(before);
  });

  it('leaves rows out that are blank, as spreadsheets have them at their ends, and counts them in the numbers of rows', async () => {
    const file = 'name;phone;bio\n;;\nFilled;;\n  ; ;\n\nShort\n;;;;\nLong;;;x\n';
    const { id, total } = await imported(server, file);
    expect(total).toBe(3);
    expect(await errorsOf(server, id)).toMatchObject([
      { row: 8, line: 8, code: 'cell_count', detail: 'has 4 cells, but the header has 3' },
    ]);
    expect(await rowsOf(server, id)).toMatchObject([
      { row: 3, outcome: 'created' },
      { row: 6, outcome: 'created' },
      { row: 8, outcome: 'error' },
    ]);
  });

  it('of NDJSON says of a row which name an object of it has twice, and writes none of the two', async () => {
    const { id } = await imported(server, '{"name":"One","name":"Two"}\n{"name":"Three"}\n', {
      path: '/imports/offices/file?mode=write',
      headers: { 'Content-Type': 'application/x-ndjson' },
    });
    expect(await errorsOf(server, id)).toMatchObject([
      { row: 1, column: 'name', code: 'repeated', detail: 'is there twice in its object' },
    ]);
  });

  it('takes NDJSON, and what its mapping says of columns, values and days', async () => {
    const mapping = { columns: { Nome: 'name', Nota: '' }, values: { type: { Sede: 'main' } } };
    const file = '{"Nome":"Mapeada","Nota":"x","type":"Sede"}\n';
    const path = `/imports/offices/file?mode=write&mapping=${encodeURIComponent(JSON.stringify(mapping))}`;
    const { id } = await imported(server, file, {
      path,
      headers: { 'Content-Type': 'application/x-ndjson' },
    });
    const [row] = await rowsOf(server, id);
    expect(await json(`/offices/${row?.recordId}`)).toMatchObject({ name: 'Mapeada' });
  });

  it.each([
    ['charset=shift_jis', '', 'shift_jis', [0x93, 0x8c, 0x8b, 0x9e], '東京'],
    ['charset="UTF-8"', '', 'utf-8', [0xc3, 0xa9], 'é'],
    ['charset=shift_jis', 'encoding=windows-1252&', 'windows-1252', [0xe9], 'é'],
    ['header=present', '', 'windows-1252', [0xe9], 'é'],
  ])(
    'with %s in its media type, and the parameter "%s", is read as %s',
    async (parameter, query, encoding, bytes, name) => {
      const file = Buffer.concat([Buffer.from('name\n'), Buffer.from(bytes)]);
      const { id, ...read } = await imported(server, file, {
        path: `/imports/offices/file?${query}mode=write`,
        headers: { 'Content-Type': `text/csv; ${parameter}` },
      });
      expect(read.encoding).toBe(encoding);
      const [row] = await rowsOf(server, id);
      expect(await json(`/offices/${row?.recordId}`)).toMatchObject({ name });
    },
  );

  it.each([
    [
      'its media type',
      { headers: { 'Content-Type': 'text/csv; charset=utf-8' } },
      'Name\nCaf\xe9\n',
      'at byte 8 (line 2)',
    ],
    ['its byte order mark', {}, '\xef\xbb\xbfName\nCaf\xe9\n', 'at byte 11 (line 2)'],
    [
      'its byte order mark',
      { path: '/imports/offices/file?ignoreUnknown=true' },
      '\xef\xbb\xbfName\nCaf\xe9\n',
      'at byte 11 (line 2)',
    ],
  ])('that is not the UTF-8 which %s says is rejected with the place', async (_, options, text, place) => {
    const response = await upload(server, Buffer.from(text, 'latin1'), options);
    const fault = { pointer: '#', code: 'invalid_encoding', detail: `is not utf-8 ${place}` };
    await expectFault(response, 'validation_failed', fault);
  });

  it.each([
    ['after other characters', '1,João\n2,Zo', 'at byte 23 (line 3)'],
    ['before other characters', '1,Zo', 'at byte 15 (line 2)'],
  ])(
    'in UTF-8 with one wrong byte %s is rejected with its place, and so is its preview',
    async (_, text, place) => {
      const more = `ë,Ng\n3,Simões\n`;
      const file = Buffer.concat([
        Buffer.from(`mlsId,name\n${text}`),
        Buffer.from([0xeb]),
        Buffer.from(more.slice(1)),
      ]);
      const fault = { pointer: '#', code: 'invalid_encoding', detail: `is not utf-8 ${place}` };
      await expectFault(await upload(server, file), 'validation_failed', fault);
      const preview = await server.request('PUT', '/imports/preview', { beginning: file.toString('base64') });
      await expectFault(preview, 'validation_failed', fault);
    },
  );

  it('is one encoding however it is cut: a wrong byte far behind the beginning makes all of it windows-1252', async () => {
    const lines = Array.from({ length: 4 }, (_, n) => `Office ${n},${'x'.repeat(100_000)}`);
    const file = Buffer.from(`name,bio\n${lines.join('\n')}\nCaf\xe9,\n`, 'latin1');
    const { id, encoding } = await imported(server, file);
    expect(encoding).toBe('windows-1252');
    expect((await rowsOf(server, id)).at(-1)?.cells[0]).toBe('Café');
  });

  it.each(['text/plain', 'application/vnd.ms-excel', 'text/tab-separated-values'])(
    'as %s is read as the CSV that browsers send as such',
    async (type) => {
      const { format } = await imported(server, 'name\tphone\nTabbed\t\n', {
        headers: { 'Content-Type': type },
      });
      expect(format).toBe('csv');
    },
  );

  it.each([
    ['charset=nonsense', 'shift_jis'],
    ['header=absent', 'needs a header'],
  ])('with %s in its media type is rejected', async (parameter, hint) => {
    const response = await upload(server, 'name\nA\n', {
      headers: { 'Content-Type': `text/csv; ${parameter}` },
    });
    expect((await expectProblem(response, 'unsupported_media_type')).detail).toContain(hint);
  });

  it('without a body is one without a header', async () => {
    const response = await server.request('POST', '/imports/offices/file');
    await expectProblem(response, 'validation_failed');
  });

  it('of another media type is rejected with those that are accepted', async () => {
    const response = await upload(server, 'name\nA\n', { headers: { 'Content-Type': 'application/json' } });
    await expectProblem(response, 'unsupported_media_type');
    expect(response.headers.get('Accept-Post')).toBe(
      'text/csv, application/x-ndjson, application/octet-stream, application/csv, application/vnd.ms-excel, ' +
        'text/tab-separated-values, text/plain',
    );
  });
});
