import { setTimeout } from 'node:timers/promises';
import type { Import, ImportPreview, ImportRow, Job } from '@roster/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareAll } from '../../support/comparison.ts';
import { ended, errorsOf, imported, rowsOf, upload, written } from '../../support/file-imports.ts';
import { directoryOf } from '../../support/fixtures.ts';
import { startTestServer, type TestServer } from '../../support/index.ts';
import { requestsThatWait, workersThatWait } from '../../support/locks.ts';
import { expectProblem } from '../../support/problems.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const json = async <Body>(path: string) => (await (await server.request('GET', path)).json()) as Body;
const agentsFile = (query = '') => ({ path: `/imports/agents/file${query}` });

describe('a check', () => {
  it('says of each row what it would do, and writes nothing', async () => {
    const { id: officeId } = await directoryOf(server).office({ name: 'Check', phone: '+351210000001' });
    const file = `id,name,phone\n${officeId},Check,+351 210 000 002\n,New,\n${officeId}x,Absent,\n,,+351210000003\n`;
    const { id, status, step, ...counts } = await imported(server, file);
    expect({ status, step }).toEqual({ status: 'completed_with_errors', step: 'check' });
    expect(counts).toMatchObject({
      created: 1,
      updated: 1,
      unchanged: 0,
      errors: 2,
      warnings: 0,
      skipped: 0,
    });
    expect(await rowsOf(server, id)).toMatchObject([
      {
        row: 2,
        outcome: 'updated',
        recordId: officeId,
        matchedBy: 'id',
        changes: [{ field: 'phone', from: '+351210000001', to: '+351210000002' }],
      },
      { row: 3, outcome: 'created', recordId: null },
      { row: 4, outcome: 'error' },
      { row: 5, outcome: 'error' },
    ]);
    expect(await errorsOf(server, id)).toMatchObject([
      { row: 4, line: 4, column: 'id', value: `${officeId}x`, code: 'not_found' },
      { row: 5, line: 5, column: 'name', value: null, code: 'required', detail: 'is required' },
    ]);
    expect(await json(`/offices/${officeId}`)).toMatchObject({ version: 1 });
    // Its job, which ends with errors too, says that it was a check.
    const stepOf = async () => (await json<Job>(`/jobs/${id}`)).change?.step;
    expect(await stepOf()).toBe('check');
    await written(server, id, { skip: ['errors'] });
    expect(await stepOf()).toBe('write');
  });

  it('rejects rows that repeat a key, and offices that are above themselves', async () => {
    const file = 'source.key,name,mainOfficeSource.key\n1,A,2\n2,B,1\n3,C,\n3,D,\n4,E,5\n5,F,\n';
    const { id } = await imported(server, file, { path: '/imports/offices/file?sourceName=Circles' });
    const found = (await errorsOf(server, id)).map(({ row, code }) => [row, code]);
    expect(found).toEqual([
      [2, 'cycle'],
      [3, 'cycle'],
      [5, 'repeated'],
    ]);
    const result = await written(server, id, { skip: ['errors'] });
    expect(result).toMatchObject({ status: 'completed_with_errors', step: 'write', created: 3, errors: 3 });
  });
});

describe('a row with errors', () => {
  it('has all its errors, however many other rows of its batch have several', async () => {
    const wrong = `Ana,Reis,no address,no web address,${'x'.repeat(300)}`;
    const rows = Array.from({ length: 450 }, () => wrong).join('\n');
    const file = `firstName,lastName,email,website,title\n${rows}\n`;
    const { id, errors } = await imported(server, file, agentsFile());
    expect(errors).toBe(450);
    const { rows: found } = await sql`
      select "column", count(*)::int as errors from import_error where import_id = ${id} group by "column" order by "column"`.execute(
      server.database.db,
    );
    expect(found).toEqual(['email', 'title', 'website'].map((column) => ({ column, errors: 450 })));
  });

  it('says all that is wrong with it, whenever that is found, beside its cells and the columns of the file', async () => {
    const file = [
      'First name;Surname;E-mail;Office;Status;Shoe size',
      ';Um;not an address;Nowhere;on leave;38',
      'Rui;Dois;rui@faults.example;;;44',
      ';;RUI@faults.example;Nowhere;;41',
    ].join('\n');
    const { id, columns, delimiter } = await imported(server, file, agentsFile('?ignoreUnknown=true'));
    expect(delimiter).toBe(';');
    expect(columns).toMatchObject([{}, {}, {}, { name: 'Office', field: 'officeName' }, {}, { field: null }]);
    const { items } = await json<{ items: ImportRow[] }>(`/imports/${id}/rows?outcome=error`);
    const faults = items.map(({ row, cells, errors }) => {
      return { row, first: cells?.[1], codes: errors.map(({ column, code }) => `${column} ${code}`).sort() };
    });
    expect(faults).toEqual([
      {
        row: 2,
        first: 'Um',
        codes: ['E-mail invalid_format', 'Office not_found', 'Status invalid_choice'],
      },
      { row: 4, first: '', codes: ['E-mail repeated', 'First name required', 'Office not_found'] },
    ]);
  });

  it('has the value of each cell that is wrong, also of metadata with a name of any characters', async () => {
    const text = 'x'.repeat(600);
    const { id } = await imported(server, `name,metadata.price [EUR]\nOne,${text}\n`);
    expect(await errorsOf(server, id)).toMatchObject([
      { row: 2, column: 'metadata.price [EUR]', code: 'too_long', value: text.slice(0, 500) },
    ]);
  });
});

describe('a preview', () => {
  const preview = async (beginning: Buffer | string, input: object = {}) => {
    const body = { beginning: Buffer.from(beginning).toString('base64'), ...input };
    return (await (await server.request('PUT', '/imports/preview', body)).json()) as ImportPreview;
  };

  it('says how a file is read and what its columns, words and days are, in English and Portuguese', async () => {
    const lines = [
      'Nome próprio;Apelido;Telemóvel;Estado;Validade;Escritório;Sapatos;What to correct',
      'Inês;Três;912 000 001;Ativo;31/12/2031;Baixa;38;wrong',
      'Rui;Dois;912 000 002;de baixa;2031-02-01;Baixa;44;',
      'Zé;Um;912 000 003;Ativo;01/02/2031;;41;',
    ];
    const found = await preview(Buffer.from(lines.join('\r\n'), 'latin1'), { name: 'equipa.csv' });
    expect(found).toMatchObject({
      resource: 'agents',
      format: 'csv',
      encoding: 'windows-1252',
      delimiter: ';',
      problems: [],
    });
    expect(found.columns.map(({ name, field }) => [name, field])).toEqual([
      ['Nome próprio', 'firstName'],
      ['Apelido', 'lastName'],
      ['Telemóvel', 'mobilePhone'],
      ['Estado', 'status'],
      ['Validade', 'licenses[0].expiresOn'],
      ['Escritório', 'officeName'],
      ['Sapatos', null],
      ['What to correct', null],
    ]);
    expect(found.columns[3]?.values).toEqual([
      { text: 'Ativo', count: 2, choice: 'active' },
      { text: 'de baixa', count: 1, choice: null },
    ]);
    expect(found.columns[4]).toMatchObject({
      dates: 'day-first',
      samples: ['31/12/2031', expect.any(String), '01/02/2031'],
    });
    expect(
      (await json<{ items: Import[] }>('/imports')).items.filter(({ name }) => name === 'equipa.csv'),
    ).toEqual([]);
  });

  it('takes what the mapping says, and names two columns that set one field', async () => {
    const file = 'Given;Forename;Region\nAna;Rui;x\n';
    const guessed = await preview(file, { resource: 'agents', mapping: { columns: { Given: 'firstName' } } });
    expect(guessed.columns.map(({ field }) => field)).toEqual(['firstName', null, 'address.region']);
    const columns = { Given: 'firstName', Forename: 'firstName', Region: '' };
    expect(await preview(file, { resource: 'agents', mapping: { columns } })).toMatchObject({
      columns: [{ field: 'firstName' }, { field: 'firstName' }, { field: null }],
      problems: [{ code: 'repeated', columns: ['Given', 'Forename'] }],
    });
  });

  it('takes a name beside a surname for the first name, unless somebody says what it is', async () => {
    const fieldsOf = async (file: string, columns = {}) =>
      (await preview(file, { resource: 'agents', mapping: { columns } })).columns.map(({ field }) => field);
    expect(await fieldsOf('Nome;Apelido\n')).toEqual(['firstName', 'lastName']);
    expect(await fieldsOf('Nome;E-mail\n')).toEqual(['wholeName', 'email']);
    expect(await fieldsOf('Name,First,Surname\n')).toEqual(['displayName', 'firstName', 'lastName']);
    expect(await fieldsOf('Name,Surname\n', { Name: 'displayName' })).toEqual(['displayName', 'lastName']);
  });

  it('finds offices by their columns or the name of the file, and reads NDJSON', async () => {
    expect(await preview('Legal name,Phone\n')).toMatchObject({ resource: 'offices' });
    expect(await preview('Phone\n', { name: 'Our offices.csv' })).toMatchObject({ resource: 'offices' });
    expect(
      await preview('{"Nome":"Baixa","type":"main"}\n{"Extra":1}\n', { resource: 'offices' }),
    ).toMatchObject({
      format: 'ndjson',
      columns: [
        { name: 'Nome', field: 'name', samples: ['Baixa'] },
        { name: 'type' },
        { name: 'Extra', field: null },
      ],
    });
  });

  it('of an empty file, or with a mapping to no field, is rejected', async () => {
    const send = (body: object) => server.request('PUT', '/imports/preview', body);
    await expectProblem(await send({ beginning: '' }), 'validation_failed');
    const beginning = Buffer.from('a\n1\n').toString('base64');
    const mapping = { columns: { a: 'nothing' } };
    await expectProblem(await send({ beginning, resource: 'agents', mapping }), 'validation_failed');
  });
});

it('a check names the records that new rows look like, which holds nothing up and can be left out', async () => {
  const known = { firstName: 'Marta', lastName: 'Vilhena', phone: '+351910000120' };
  const created = await server.request('POST', '/agents', known);
  const { id: recordId } = (await created.json()) as { id: string };
  expect(created.headers.get('link')).toBe(`</agents/duplicates?recordId=${recordId}>; rel="related"`);
  await compareAll(server.database.db);
  const file =
    'firstName,lastName,phone\nMarta,Vilhena,+351 910 000 120\nAlguém,Outro,+351 910 000 121\nAlguém,Outro,+351 910 000 121\n';
  const { id, findings, ...counts } = await imported(server, file, agentsFile());
  expect(counts.created).toBe(3);
  expect(findings).toMatchObject({ lookAlikes: 1, warnings: [] });
  const found = { recordId, name: 'Marta Vilhena', score: expect.any(Number) };
  const alike = await json<{ items: object[] }>(`/imports/${id}/rows?looksLike=true`);
  expect(alike.items).toMatchObject([{ row: 2, outcome: 'created', lookAlikes: [found] }]);
  const others = await json<{ items: object[] }>(`/imports/${id}/rows?looksLike=false`);
  expect(others.items).toMatchObject([3, 4].map((row) => ({ row, lookAlikes: [] })));
  expect(await written(server, id, { skip: ['lookAlikes'] })).toMatchObject({
    status: 'completed',
    created: 2,
  });
  const rows = await rowsOf(server, id);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['skipped', 'created', 'created']);
});

describe('an import', () => {
  it('is written after its check, with the status of each row, if nothing is in the way', async () => {
    const file =
      'First name;E-mail;Last name;Status\nAna;ana@file.example;Reis;\nRui;rui@file.example;Sá;inactive\n';
    const { id, ...result } = await imported(
      server,
      Buffer.from(file, 'latin1'),
      agentsFile('?mode=write&name=staff.csv'),
    );
    expect(result).toMatchObject({
      status: 'completed',
      step: 'write',
      name: 'staff.csv',
      created: 2,
      errors: 0,
    });
    const { items } = await json<{ items: object[] }>('/agents?email=rui@file.example');
    expect(items).toMatchObject([{ lastName: 'Sá', status: 'inactive', version: 2 }]);
    const again = await imported(server, Buffer.from(file, 'latin1'), agentsFile('?mode=write'));
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
    expect((await json<{ items: Import[] }>('/imports')).items.map((one) => one.id)).toEqual(
      expect.arrayContaining([id, again.id]),
    );
  });

  it('counts each row once: by what it would do, as one with errors or warnings, or as skipped', async () => {
    const known =
      'id,firstName,lastName,email,title\n,Iva,Um,iva@count.example,\n,Noa,Dois,noa@count.example,\n';
    await imported(server, known, agentsFile('?mode=write'));
    const file =
      'firstName,lastName,email,title\nIva,Um,iva@count.example,Dr\nNoa,Dois,noa@count.example,\nNew,One,,\n' +
      'Other,Name,noa@count.example,\nOther,Person,iva@count.example,#REF!\nBad,Row,no address,\n';
    const repeated = await imported(server, file, agentsFile());
    expect(repeated).toMatchObject({ created: 1, updated: 1, unchanged: 1, errors: 3, warnings: 0 });
    const renaming = file.replace(/Iva.*\nNoa.*\n/, '');
    const { id, ...checked } = await imported(server, renaming, agentsFile());
    expect(checked).toMatchObject({
      created: 1,
      updated: 0,
      unchanged: 0,
      errors: 1,
      warnings: 2,
      skipped: 0,
    });
    expect(checked).toMatchObject({ total: 4, processed: 4, findings: { renames: 2, damaged: 1 } });
    const said = { acceptWarnings: ['renames'], skip: ['errors', 'damaged'] };
    const result = await written(server, id, said);
    expect(result).toMatchObject({
      created: 1,
      updated: 1,
      unchanged: 0,
      errors: 1,
      warnings: 0,
      skipped: 1,
    });
    expect(result).toMatchObject({ total: 4, processed: 4 });
    expect((await rowsOf(server, id)).map(({ outcome }) => outcome)).toEqual([
      'created',
      'updated',
      'skipped',
      'error',
    ]);
  });

  it('that renames who an e-mail address alone leads to must be accepted', async () => {
    await imported(server, 'firstName,lastName,email\nEva,Luz,eva@file.example\n', agentsFile('?mode=write'));
    const other = 'firstName,lastName,email\nIda,Mar,eva@file.example\n';
    const { id, ...result } = await imported(server, other, agentsFile('?mode=write'));
    expect(result).toMatchObject({
      step: 'check',
      warnings: 1,
      updated: 0,
      findings: { warnings: ['renames'] },
    });
    expect(await rowsOf(server, id)).toMatchObject([{ outcome: 'warning', warnings: ['renames'] }]);
    await expectProblem(await server.request('PUT', `/imports/${id}/write`, {}), 'import_not_accepted');
    expect(await written(server, id, { acceptWarnings: ['renames'] })).toMatchObject({
      step: 'write',
      updated: 1,
    });
  });

  it('with values that a spreadsheet has destroyed must be accepted, or skips these rows', async () => {
    const file = 'firstName,lastName,mlsId\nEva,Rounded,1.23457E+11\nIda,#REF!,\nRui,Whole,123457000000\n';
    const { id, ...result } = await imported(server, file, agentsFile('?mode=write'));
    expect(result).toMatchObject({
      step: 'check',
      warnings: 2,
      findings: { warnings: ['damaged'], damaged: 2 },
    });
    expect((await rowsOf(server, id)).map(({ warnings }) => warnings)).toEqual([
      ['damaged'],
      ['damaged'],
      [],
    ]);
    await expectProblem(await server.request('PUT', `/imports/${id}/write`, {}), 'import_not_accepted');
    expect(await written(server, id, { skip: ['damaged'] })).toMatchObject({ step: 'write', created: 1 });
  });

  it('is undone: what it created is deleted, and what it changed is put back, but for what was changed since', async () => {
    const { id: changed } = await directoryOf(server).office({ name: 'Before' });
    const { id: touched } = await directoryOf(server).office({ name: 'Touched' });
    const { id: renamed } = await directoryOf(server).office({ name: 'Renamed' });
    const file = `id,name,status\n${changed},After,inactive\n${touched},Other,\n${renamed},Another,\n,Made,\n`;
    const { id } = await imported(server, file, { path: '/imports/offices/file?mode=write' });
    await server.request('PATCH', `/offices/${touched}`, { phone: '+351210000009' });
    await server.request('PATCH', `/offices/${renamed}`, { name: 'Mine' });
    const preview = await (await server.request('PUT', `/jobs/${id}/undo/preview`)).json();
    expect(preview).toMatchObject({ count: 4, changed: 3, rejected: 1, errors: [{ id: renamed }] });
    expect(await json(`/offices/${changed}`)).toMatchObject({ name: 'After', status: 'inactive' });
    const undo = (await (await server.request('PUT', `/imports/${id}/undo`, {})).json()) as Job;
    const job = await ended<Job>(server, `/jobs/${undo.id}`);
    expect(job).toMatchObject({ status: 'completed_with_errors', changed: 3, rejected: 1 });
    expect(job.errors).toMatchObject([
      { id: renamed, code: 'version_conflict', fields: [{ field: 'name', set: 'Another', current: 'Mine' }] },
    ]);
    expect(await json(`/offices/${changed}`)).toMatchObject({ name: 'Before', status: 'active' });
    expect(await json(`/offices/${touched}`)).toMatchObject({ name: 'Touched', phone: '+351210000009' });
    const made = (await rowsOf(server, id))[3]?.recordId;
    expect((await server.request('GET', `/offices/${made}`)).status).toBe(404);
    expect(await json(`/imports/${id}`)).toMatchObject({ undoneBy: undo.id });
  });
});

describe('an import that is cancelled', () => {
  it('goes on where it was when it is written again, so that each row is written once', async () => {
    // The second connection holds a record of the last batch, so that the job cannot end before it is cancelled.
    const { id: held } = await directoryOf(server).office({ name: 'Held' });
    const rows = Array.from({ length: 600 }, (_, n) => `,Cancelled ${n}`);
    const { id } = await imported(server, `id,name\n${rows.join('\n')}\n${held},Held on\n`);
    await server.database.db.transaction().execute(async (trx) => {
      await sql`select from office where id = ${held} for update`.execute(trx);
      await server.request('PUT', `/imports/${id}/write`, {});
      while ((await json<Import>(`/imports/${id}`)).created < 500) await setTimeout(20);
      void server.request('PUT', `/imports/${id}/cancel`, {});
    });
    const cancelled = await ended(server, `/imports/${id}`);
    const { created, total } = await written(server, id);
    expect({ created, total }).toEqual({ created: 600, total: 601 });
    expect(['cancelled', 'completed']).toContain(cancelled.status);
    const { total: offices } = await json<{ total: number }>(
      '/offices?q=cancelled&includeTotal=true&limit=1',
    );
    expect(offices).toBe(600);
  });
});

it('a check that was cancelled goes on as a check, and writes nothing', async () => {
  // A record of the second batch is held until the cancellation waits for its end; the job may begin some more of the twelve before it.
  const { id: held } = await directoryOf(server).office({ name: 'Held in a check' });
  const rows = Array.from({ length: 6_000 }, (_, n) => `,Resumed ${n}`);
  rows[700] = `${held},Held in a check on`;
  const { path, response } = await server.database.db.transaction().execute(async (trx) => {
    await sql`select from office where id = ${held} for update`.execute(trx);
    const begun = (await (await upload(server, `id,name\n${rows.join('\n')}\n`)).json()) as Import;
    const path = `/imports/${begun.id}`;
    while ((await json<Import>(path)).processed < 500) await setTimeout(20);
    while ((await workersThatWait(trx)) === 0) await setTimeout(20);
    const cancelled = { response: server.request('PUT', `${path}/cancel`, {}) };
    while ((await requestsThatWait(trx)) === 0) await setTimeout(20);
    return { path, ...cancelled };
  });
  expect(await (await response).json()).toMatchObject({ status: 'cancelled', step: 'check' });
  expect((await server.request('PUT', `${path}/resume`)).status).toBe(200);
  const counts = { created: 5_999, updated: 1 };
  expect(await ended(server, path)).toMatchObject({ status: 'completed', step: 'check', ...counts });
  expect((await json<{ items: unknown[] }>('/offices?q=Resumed')).items).toEqual([]);
});
