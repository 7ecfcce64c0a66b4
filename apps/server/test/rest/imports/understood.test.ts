import type { ImportPreview } from '@roster/api';
import { describe, expect, it } from 'vitest';
import { errorsOf, imported, rowsOf, upload, written } from '../../support/file-imports.ts';
import { bodyOf, directoryOf } from '../../support/fixtures.ts';
import { useServer } from '../../support/use-server.ts';

const server = useServer();

const read = async <Body>(path: string) => bodyOf<Body>(await server().request('GET', path));
const list = async (path: string) => (await read<{ items: Record<string, unknown>[] }>(path)).items;
const check = (body: string | Uint8Array, query = '', resource = 'agents') =>
  imported(server(), body, { path: `/imports/${resource}/file?ignoreUnknown=true${query}` });

async function preview(csv: string, more: object = {}): Promise<ImportPreview> {
  const beginning = Buffer.from(csv).toString('base64');
  return bodyOf(await server().request('PUT', '/imports/preview', { beginning, ...more }));
}

const fieldsOf = ({ columns }: ImportPreview) => columns.map(({ field }) => field);

describe('a whole name', () => {
  it('has fields for its prefix, suffix and designations', async () => {
    const { id } = await check(
      'Name,Email\n"SMITH, BOB, JR",bob@understood.example\nDr. Jane Doe CRS,jane@understood.example\n',
    );
    expect(await written(server(), id)).toMatchObject({ created: 2 });
    expect(
      await list('/agents?sort=lastName&email=bob@understood.example&email=jane@understood.example'),
    ).toMatchObject([
      { namePrefix: 'Dr.', firstName: 'Jane', lastName: 'Doe', designations: ['CRS'] },
      { firstName: 'BOB', lastName: 'SMITH', nameSuffix: 'JR' },
    ]);
  });

  it.each(['ACME REALTY, LLC', 'João & Maria Silva', 'Jane Doe (Smith)', 'Doe, Jane, Marie'])(
    'that may not be one of a person is a warning: %s',
    async (name) => {
      const { id, warnings, findings } = await check(`Name,Email\n"${name}",\n`);
      expect({ warnings, kinds: findings?.warnings }).toEqual({ warnings: 1, kinds: ['guessed'] });
      expect(await rowsOf(server(), id)).toMatchObject([
        { outcome: 'warning', notes: [{ column: 'Name', kind: 'guessed' }] },
      ]);
    },
  );

  it.each([
    [
      'by source',
      '&sourceName=Names&keyColumn=Key',
      'Key,Name\n1,Jane Q Done\n',
      { source: { name: 'Names', key: '1' } },
    ],
  ])('that renames a record is a warning, also %s', async (_, query, csv, own) => {
    const names = { firstName: 'Jane Q', lastName: 'Done III' };
    const { id: agentId } = await directoryOf(server()).agent({ ...names, ...own });
    const { id, findings } = await check(csv, query);
    expect(findings).toMatchObject({ warnings: ['renames'], renames: 1 });
    await written(server(), id, { skip: ['renames'] });
    expect(await read(`/agents/${agentId}`)).toMatchObject(names);
  });

  it.each([
    ['Full Name,Last Name', ['displayName', 'lastName']],
    ['MemberFullName,MemberLastName', ['displayName', 'lastName']],
    ['Nome completo,Apelido', ['displayName', 'lastName']],
    ['Agent name,First name', ['displayName', 'firstName']],
    ['Nome,Apelido', ['firstName', 'lastName']],
    ['Name,Surname', ['firstName', 'lastName']],
  ])(
    'beside a first or last name is the display name, and a name that may be a first name is that: %s',
    async (header, fields) => {
      expect(fieldsOf(await preview(`${header}\nJane Doe,Doe\n`, { resource: 'agents' }))).toEqual(fields);
    },
  );
});

describe('what is read in one of several ways', () => {
  it.each([
    [
      'a year of two digits far from today',
      'First name,Licence no.,Licence valid until\nAna,L1,12/31/65\n',
      'guessed',
    ],
    ['a total', 'First name,Last name,Email\nTotal records: 1,,\n', 'notRecord'],
    ['an end of a report', 'First name,Last name,Email\n*** END OF REPORT ***,,\n', 'notRecord'],
    ['the header again', 'First name,Last name,Job title\nFirst name,Last name,Job title\n', 'notRecord'],
    ['signs', 'First name,Last name,Email\n-----,-----,\n', 'notRecord'],
    ['an error of a formula in Portuguese', 'First name,Last name\nAna,#VALOR!\n', 'damaged'],
    ['a text in a wrong encoding', 'First name,Last name\nJoÃ£o,Reis\n', 'damaged'],
    ['two phone numbers', 'First name,Mobile,Country\nAna,912345678 / 913456789,Portugal\n', 'guessed'],
  ])('is a warning: %s', async (_, csv, kind) => {
    const dates = encodeURIComponent(
      JSON.stringify({ dates: csv.includes('valid until') ? { 'Licence valid until': 'month-first' } : {} }),
    );
    const { id, findings } = await check(csv, `&mapping=${dates}`);
    expect(findings?.warnings).toEqual([kind]);
    expect(await rowsOf(server(), id)).toMatchObject([{ outcome: 'warning', notes: [{ kind }] }]);
    expect(await written(server(), id, { acceptWarnings: [kind] })).toMatchObject({ created: 1 });
  });

  it('an expiry of two digits is the nearest to today', async () => {
    const mapping = encodeURIComponent(JSON.stringify({ dates: { Expires: 'month-first' } }));
    const { id } = await check('First name,License #,Expires\nNearest,L98,12/31/98\n', `&mapping=${mapping}`);
    await written(server(), id);
    expect(await list('/agents?q=nearest')).toMatchObject([{ licenses: [{ expiresOn: '1998-12-31' }] }]);
  });
});

it('a quote that is never closed hides no row: each is in a number, and the others are written', async () => {
  const rows = Array.from({ length: 41 }, (_, index) => `Quoted${index},Row`).with(21, '"Quoted21,Row');
  const path = '/imports/agents/file?mode=write&skip=errors';
  const ended = await imported(server(), `First name,Last name\n${rows.join('\n')}\n`, { path });
  expect(ended).toMatchObject({ total: 41, created: 40, errors: 1 });
  expect(await errorsOf(server(), ended.id)).toMatchObject([{ row: 23, code: 'unreadable' }]);
});

describe('a phone number', () => {
  const phoneOf = async (mobile: string) => {
    const body = { firstName: 'Ana', mobilePhone: mobile, address: { country: 'PT' } };
    return bodyOf<{ mobilePhone?: string; detail?: string }>(await server().request('POST', '/agents', body));
  };

  it.each([
    ['(+351) 933-220-168', '+351933220168'],
    ['(00351) 933220168', '+351933220168'],
    ['+351 (0) 931 930 700', '+351931930700'],
    ['+44 (0)20 7946 0018', '+442079460018'],
    ['tel: 931930700', '+351931930700'],
    ['Tel.: +351 931 930 700', '+351931930700'],
    ['tel:+351931930700', '+351931930700'],
    ['+351931930700 (home)', '+351931930700'],
    ['931 930 700 (casa)', '+351931930700'],
    ['(+351) 213 000 555', '+351213000555'],
  ])('%s is %s', async (text, number) => {
    expect(await phoneOf(text)).toMatchObject({ mobilePhone: number });
  });

  it.each([
    ['929 201 84', 'is too short for Portugal'],
    ['9292018455', 'is too long for Portugal'],
    ['+351 12', 'is too short'],
    ['929 201 84 / 913456789', 'is too long for Portugal'],
  ])('%s says what is wrong', async (text, why) => {
    const { detail } = await phoneOf(text);
    expect(detail).toContain(why);
    if (text.startsWith('+')) expect(detail).not.toContain('Start with +');
  });

  it('of two in a cell is the first, which a record of JSON may not have', async () => {
    const csv = 'First name,Email,Mobile,Country\nAna,two@phones.example,912345678 / 913456789,Portugal\n';
    const { id } = await check(csv);
    await written(server(), id, { acceptWarnings: ['guessed'] });
    expect(await list('/agents?email=two@phones.example')).toMatchObject([{ mobilePhone: '+351912345678' }]);
    expect(await phoneOf('912345678 / 913456789')).toMatchObject({ status: 422 });
  });
});

describe('the columns of a file', () => {
  it.each([
    ['Licence no.,Licence expiry date', ['licenses[0].number', 'licenses[0].expiresOn']],
    ['Lic. #,Valid until', ['licenses[0].number', 'licenses[0].expiresOn']],
    ['N.º Licença,Válida até', ['licenses[0].number', 'licenses[0].expiresOn']],
    ['Nº de licencia,Fecha de caducidad', ['licenses[0].number', 'licenses[0].expiresOn']],
    ['Agent First Name,Member Last Name', ['firstName', 'lastName']],
    ['First Name [Required],Cell #', ['firstName', 'mobilePhone']],
    ['Staff e-mail,Address 1 - Zip', ['email', 'address.postalCode']],
    ['Móvil,Correo electrónico', ['mobilePhone', 'email']],
  ])('are known by their words: %s', async (header, fields) => {
    expect(fieldsOf(await preview(`${header}\nx,y\n`, { resource: 'agents' }))).toEqual(fields);
  });

  it.each([
    'Licence status',
    'Emergency contact phone',
    'Manager email',
    'Email 2',
    'Staff no.',
    'Team leader',
  ])('are not known by a part of their words: %s', async (header) => {
    expect(fieldsOf(await preview(`${header},First name\nx,y\n`, { resource: 'agents' }))[0]).toBeNull();
  });

  it('say which one lacks another, and which ignored one it may be', async () => {
    const csv = 'First name,Licence code no.,Licence expiry date\nAna,L-1,2030-01-01\n';
    const mapping = { columns: { 'Licence code no.': '' } };
    expect(await preview(csv, { resource: 'agents', mapping })).toMatchObject({
      lacking: [
        {
          column: 'Licence expiry date',
          field: 'licenses[0].expiresOn',
          needs: 'licenses[0].number',
          unused: ['Licence code no.'],
        },
      ],
    });
  });

  it.each([
    [',First name,Last name', '0,Ana,Reis'],
    ['First name,,Last name', 'Ana,,Reis'],
    ['First name,,Last name', 'Ana,7,Reis'],
    ['First name,Last name,', 'Ana,Reis,'],
  ])('without a name are left out, wherever they are: %j', async (header, row) => {
    const { id } = await imported(server(), `${header}\n${row}\n`, { path: '/imports/agents/file' });
    expect(await written(server(), id)).toMatchObject({ created: 1, errors: 0 });
    const [{ recordId } = { recordId: '' }] = await rowsOf(server(), id);
    expect(await read(`/agents/${recordId}`)).toMatchObject({ firstName: 'Ana', lastName: 'Reis' });
  });

  it('with one name are the same problem in the preview and in the import', async () => {
    const csv = 'First name,Phone,Phone\nAna,+351912345678,+351913456789\n';
    expect(await preview(csv, { resource: 'agents' })).toMatchObject({
      problems: [{ code: 'repeated', columns: ['Phone', 'Phone (2)'] }],
    });
    const response = await upload(server(), csv, { path: '/imports/agents/file?ignoreUnknown=true' });
    expect([response.status, await bodyOf(response)]).toMatchObject([
      422,
      { errors: [{ code: 'repeated' }] },
    ]);
    expect(
      await preview(csv, { resource: 'agents', mapping: { columns: { 'Phone (2)': '' } } }),
    ).toMatchObject({ problems: [] });
  });

  it.each([
    ['Office name,Phone', 'offices'],
    ['Branch,Address,Phone', 'offices'],
    ['Company name,Email,City', 'offices'],
    ['First name,Last name,Office', 'agents'],
    ['Agent name,Office,Phone', 'agents'],
  ])('decide between resources by what these need: %s', async (header, resource) => {
    expect(await preview(`${header}\nx,y,z\n`)).toMatchObject({ resource, missing: [] });
  });
});

describe('words of a file', () => {
  it.each(['TRUE', 'Y', '1', 'Sim', 'Sí', 'Activo', 'verdadeiro'])(
    'the status %s is active',
    async (status) => {
      expect(await preview(`First name,Status\nAna,${status}\n`, { resource: 'agents' })).toMatchObject({
        columns: [{}, { values: [{ choice: 'active' }] }],
      });
    },
  );

  it.each(['FALSE', 'N', '0', 'Não', 'No', 'Inactivo', 'Suspended'])(
    'the status %s is inactive',
    async (status) => {
      expect(await preview(`First name,Status\nAna,${status}\n`, { resource: 'agents' })).toMatchObject({
        columns: [{}, { values: [{ choice: 'inactive' }] }],
      });
    },
  );

  it('an office is found whatever the number of blanks and the letter case of its name', async () => {
    const { id: officeId } = await directoryOf(server()).office({ name: 'Blank  Office Lisboa' });
    const { id } = await check('First name,Office\nAna,blank office   LISBOA\n');
    expect(await written(server(), id)).toMatchObject({ created: 1, errors: 0 });
    expect(await list(`/agents?officeId=${officeId}`)).toHaveLength(1);
  });

  it('a region is known by its short form and its English name', async () => {
    const { id } = await check('First name,State,Country\nRegional,Fla.,EUA\nRegional,Lisbon,PRT\n');
    expect(await written(server(), id)).toMatchObject({ created: 2, errors: 0 });
    const found = (await list('/agents?q=regional')).map(({ address }) => address);
    expect(found).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ region: 'FL', country: 'US' }),
        expect.objectContaining({ region: '11', country: 'PT' }),
      ]),
    );
  });
});

describe('the same list again', () => {
  const csv = 'First name,Last name,MLS ID,Licence no.,Mobile,Job title,Country\n';
  const rows = ['Again,Silva,M-1,L-1,912000001,Broker,PT', 'Again,Costa,M-2,L-2,912000002,Broker,PT'];

  it('updates the records that rows certainly are, if that is chosen, and creates no one twice', async () => {
    const first = await check(csv + rows.join('\n'));
    expect(await written(server(), first.id)).toMatchObject({ created: 2 });
    await expect
      .poll(async () => (await check(csv + rows.join('\n'))).findings?.certainLookAlikes, { timeout: 20_000 })
      .toBe(2);
    const changed = rows.with(0, 'Again,Silva,M-1,L-1,912000001,Manager,PT').join('\n');
    const again = await check(csv + changed);
    expect(again).toMatchObject({ created: 2, findings: { lookAlikes: 2, isUpdateSuggested: true } });
    expect((await rowsOf(server(), again.id))[0]).toMatchObject({ lookAlikes: [{ isCertain: true }] });
    expect(await written(server(), again.id, { updateLookAlikes: true })).toMatchObject({
      step: 'write',
      created: 0,
      updated: 1,
      unchanged: 1,
      errors: 0,
    });
    expect((await rowsOf(server(), again.id)).map(({ matchedBy }) => matchedBy)).toEqual([
      'likeness',
      'likeness',
    ]);
    expect(await list('/agents?q=again&sort=lastName')).toMatchObject([
      { title: 'Broker' },
      { title: 'Manager' },
    ]);
    const path = '/imports/agents/file?mode=write&updateLookAlikes=true';
    expect(await imported(server(), csv + rows.join('\n'), { path })).toMatchObject({
      created: 0,
      updated: 1,
      unchanged: 1,
    });
  });
});

it('addresses in letters and in their ASCII form are one mailbox', async () => {
  const { id } = await check('First name,Email\nAna,ana@bücher.example\nRui,ANA@xn--bcher-kva.example\n');
  expect(await errorsOf(server(), id)).toMatchObject([{ row: 3, code: 'repeated' }]);
  const body = { firstName: 'Ana', email: 'idn@xn--bcher-kva.example' };
  expect((await server().request('POST', '/agents', body)).status).toBe(201);
  const again = await server().request('POST', '/agents', { firstName: 'Rui', email: 'idn@bücher.example' });
  expect([again.status, await bodyOf(again)]).toMatchObject([409, { code: 'email_taken' }]);
});

it.each([
  [
    { number: 'A1', region: 'FL' },
    { number: 'A1', region: 'FL' },
  ],
  [
    { number: 'a-1', region: 'fl' },
    { number: 'A1', region: 'FL' },
  ],
  [{ number: 'A1' }, { number: 'A1', region: 'FL' }],
])('one licence twice in a record is rejected, also by PATCH: %j %j', async (one, other) => {
  const licenses = [one, other];
  const created = await server().request('POST', '/agents', { firstName: 'Ana', licenses });
  const pointer = '#/licenses/1/number';
  expect([created.status, await bodyOf(created)]).toMatchObject([
    422,
    { errors: [{ pointer, code: 'repeated' }] },
  ]);
  const { id } = await directoryOf(server()).agent({ licenses: [one] });
  const patched = await server().request('PATCH', `/agents/${id}`, { licenses });
  expect([patched.status, await bodyOf(patched)]).toMatchObject([
    422,
    { errors: [{ pointer, code: 'repeated' }] },
  ]);
  const { id: officeId } = await directoryOf(server()).office({});
  expect((await server().request('PATCH', `/offices/${officeId}`, { licenses })).status).toBe(422);
});

it('a row of a merged duplicate that says something else is not called unchanged', async () => {
  const agents = directoryOf(server());
  const source = (key: string) => ({ source: { name: 'Merged', key } });
  const one = await agents.agent({ firstName: 'Ana', lastName: 'Merged', title: 'Broker', ...source('1') });
  const two = await agents.agent({ firstName: 'Anna', lastName: 'Merged', title: 'Broker', ...source('2') });
  const merged = await server().request('POST', `/agents/${one.id}/merge`, { duplicateId: two.id });
  expect(merged.status).toBeLessThan(300);
  const file = (title: string) =>
    `Key,First name,Last name,Job title\n1,Ana,Merged,Broker\n2,Anna,Merged,${title}\n`;
  const query = '&sourceName=Merged&keyColumn=Key';
  expect(await check(file('Broker'), query)).toMatchObject({ unchanged: 2, errors: 0 });
  expect(await check(file('Manager'), query)).toMatchObject({ unchanged: 1, errors: 1 });
});

describe('a file whose encoding is in doubt', () => {
  it('is asked about in the preview, and rejected without an answer', async () => {
    const bytes = Buffer.from('First name,Last name\rJo\x8bo,Sim\x9bes\r', 'latin1');
    const previewed = await server().request('PUT', '/imports/preview', {
      beginning: bytes.toString('base64'),
    });
    expect(await bodyOf(previewed)).toMatchObject({
      encodingDoubt: {
        choices: expect.arrayContaining([{ encoding: 'macintosh', sample: 'João Simões' }]),
      },
    });
    const response = await upload(server(), bytes, { path: '/imports/agents/file' });
    expect([response.status, await bodyOf(response)]).toMatchObject([
      422,
      { errors: [{ code: 'ambiguous_encoding' }] },
    ]);
    const { id } = await imported(server(), bytes, { path: '/imports/agents/file?encoding=macintosh' });
    const [row] = await rowsOf(server(), id);
    expect(row).toMatchObject({ cells: ['João', 'Simões'] });
  });
});
