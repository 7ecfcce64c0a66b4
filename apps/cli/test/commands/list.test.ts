import { describe, expect, it } from 'vitest';
import { type Case, useTestService } from '../support/test-service.ts';

const lines = (...texts: string[]) => texts.map((text) => `${text}\n`).join('');

const service = useTestService(async ({ client, name }) => {
  const { offices, agents } = client();
  const lisboa = await offices.create.mutate({
    name: 'Atlântico',
    email: 'lx@a.example',
    phone: '+351210000001',
    address: { city: 'Lisboa' },
  });
  const tokyo = await offices.create.mutate({
    name: '東京オフィス',
    address: { city: '東京', country: 'JP' },
  });
  await offices.deactivate.mutate({ id: tokyo.id, reason: 'Moved' });
  const ana = await agents.create.mutate({
    firstName: 'Ana',
    lastName: 'Reis',
    officeId: lisboa.id,
    email: 'ana@a.example',
  });
  const kenji = await agents.create.mutate({ firstName: '健二', lastName: '田中' });
  for (const [key, record] of Object.entries({ lisboa, tokyo, ana, kenji })) name(key, record);
});

const id = (name: string) => `<${name}>`.padEnd(36, '-');
const officeHeader = 'id\tname\tstatus\taddress.city\temail\tphone';
const lisboaLine = `${id('lisboa')}\tAtlântico\tactive\tLisboa\tlx@a.example\t+351210000001`;
const tokyoLine = `${id('tokyo')}\t東京オフィス\tinactive\t東京\t\t`;

const more = 'Showing 1 office; there are more (--all, --limit).\n';
const both = 'Showing 2 of 2 offices.\n';

const cases: Case[] = [
  [['offices', 'list'], 'pipe', 0, lines(officeHeader, tokyoLine, lisboaLine), ''],
  [['offices', 'list', '--sort', 'name'], 'pipe', 0, lines(officeHeader, lisboaLine, tokyoLine), ''],
  [['offices', 'list', '--status', 'active'], 'pipe', 0, lines(officeHeader, lisboaLine), ''],
  [
    ['offices', 'list', '--status', 'active', '--status', 'inactive', '--include-total'],
    'pipe',
    0,
    lines(officeHeader, tokyoLine, lisboaLine),
    both,
  ],
  [['offices', 'list', '--q', 'lisb'], 'pipe', 0, lines(officeHeader, lisboaLine), ''],
  [['offices', 'list', '--country', 'JP'], 'pipe', 0, lines(officeHeader, tokyoLine), ''],
  [['offices', 'list', '--city', 'LISBOA'], 'pipe', 0, lines(officeHeader, lisboaLine), ''],
  [['offices', 'list', '--id', '<lisboa>'], 'pipe', 0, lines(officeHeader, lisboaLine), ''],
  [['offices', 'list', '--limit', '1'], 'pipe', 0, lines(officeHeader, tokyoLine), more],
  [['offices', 'list', '--limit', '1', '--all'], 'pipe', 0, lines(officeHeader, tokyoLine, lisboaLine), ''],
  [['offices', 'list', '--q', 'nowhere'], 'pipe', 0, lines(officeHeader), 'No offices match.\n'],
  [['offices', 'list', '--q', 'nowhere'], 'terminal', 0, '', 'No offices match.\n'],
  [
    ['offices', 'list', '--limit', '1', '--include-total'],
    'terminal',
    0,
    lines(
      'NAME          ID                                    STATUS    CITY  EMAIL  PHONE',
      `東京オフィス  ${id('tokyo')}  inactive  東京`,
    ),
    'Showing 1 of 2 offices (--all, --limit).\n',
  ],
  [
    ['offices', 'list', '--sort', 'name'],
    'terminal',
    0,
    lines(
      'NAME          ID                                    STATUS    CITY    EMAIL         PHONE',
      `Atlântico     ${id('lisboa')}  active    Lisboa  lx@a.example  +351 21 000 0001`,
      `東京オフィス  ${id('tokyo')}  inactive  東京`,
    ),
    both,
  ],
  [
    [
      'offices',
      'list',
      '--json',
      'name,status',
      '--include-total',
      '--limit',
      '1',
      '--sort',
      'name',
      '--all',
    ],
    'pipe',
    0,
    `${JSON.stringify(
      {
        items: [
          { name: 'Atlântico', status: 'active' },
          { name: '東京オフィス', status: 'inactive' },
        ],
        total: 2,
      },
      undefined,
      2,
    )}\n`,
    '',
  ],
  [
    ['offices', 'list', '--jsonl', 'name, status', '--sort', 'name'],
    'terminal',
    0,
    lines('{"name":"Atlântico","status":"active"}', '{"name":"東京オフィス","status":"inactive"}'),
    '',
  ],
  [['offices', 'list', '--jsonl', 'name', '--limit', '1'], 'pipe', 0, lines('{"name":"東京オフィス"}'), more],
  [['offices', 'list', '--jsonl', '--q', 'nowhere'], 'pipe', 0, '', 'No offices match.\n'],
  [
    ['offices', 'list', '--limit', '0'],
    'pipe',
    2,
    '',
    lines(
      'roster: offices list: --limit must be at least 1',
      'roster offices list --help --all describes each field.',
      'Request ID: <id>',
    ),
  ],
  [
    ['offices', 'list', '--cursor', 'x'],
    'pipe',
    2,
    '',
    lines(
      'roster: offices list: The cursor is not one that this list returned',
      'Leave --cursor out to start at the first page.',
      'Request ID: <id>',
    ),
  ],
  [
    ['agents', 'list', '--sort', 'lastName'],
    'pipe',
    0,
    lines(
      'id\tdisplayName\tstatus\temail\tphone\tofficeId',
      `${id('ana')}\tAna Reis\tactive\tana@a.example\t\t${id('lisboa')}`,
      `${id('kenji')}\t健二 田中\tactive\t\t\t`,
    ),
    '',
  ],
  [
    ['agents', 'list', '--sort', 'lastName'],
    'terminal',
    0,
    lines(
      'NAME       ID                                    STATUS  OFFICE     CITY    EMAIL          PHONE',
      `Ana Reis   ${id('ana')}  active  Atlântico  Lisboa  ana@a.example`,
      `健二 田中  ${id('kenji')}  active`,
    ),
    'Showing 2 of 2 agents.\n',
  ],
  [
    ['agents', 'list', '--office-id', '<lisboa>', '--json', 'displayName'],
    'pipe',
    0,
    `${JSON.stringify({ items: [{ displayName: 'Ana Reis' }] }, undefined, 2)}\n`,
    '',
  ],
];

describe('list', () => {
  it.each(cases)('%j on a %s exits with %i', async (argv, output, exit, stdout, stderr) => {
    expect(await service.at(output, argv)).toEqual({ exit, stdout, stderr });
  });

  it('prints the response of the API with --json', async () => {
    const { stdout } = await service.at('pipe', [
      'agents',
      'list',
      '--expand',
      'office',
      '--limit',
      '1',
      '--include-total',
      '--json',
    ]);
    const page = await service.client().agents.list.query({ expand: 'office', limit: 1, includeTotal: true });
    expect(Object.keys(JSON.parse(stdout))).toEqual(Object.keys(page));
    expect(Object.keys(JSON.parse(stdout).items[0])).toEqual(Object.keys(page.items[0] ?? {}));
  });

  it.each([
    [['--json', 'name,address.city']],
    [['--json', 'name,', 'address.city']],
    [['--json=name,address.city']],
  ])('takes parts of fields, as they are typed: %j', async (option) => {
    const { stdout } = await service.at('pipe', ['offices', 'list', '--status', 'active', ...option]);
    expect(JSON.parse(stdout)).toEqual({ items: [{ name: 'Atlântico', address: { city: 'Lisboa' } }] });
  });

  it.each([
    [['--json', 'name,address.cty'], /--json: there is no field address.cty\nDid you mean address.city\?/],
    [['--columns', 'address.cty'], /--columns: there is no field address.cty\nDid you mean address.city\?/],
    [['--jsonl', 'address[0]'], /--jsonl: there is no field address\[0\]\nDid you mean address\?/],
  ])('rejects a part that no record has: %j', async (option, message) => {
    const { exit, stdout, stderr } = await service.at('pipe', ['offices', 'list', ...option]);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('continues from a cursor', async () => {
    const { nextCursor = '' } = await service.client().offices.list.query({ limit: 1 });
    const { stdout } = await service.at('pipe', ['offices', 'list', '--limit', '1', '--cursor', nextCursor]);
    expect(stdout).toBe(lines(officeHeader, lisboaLine));
  });

  it('goes back to the page before, and begins at a value of the sort', async () => {
    const list = ['offices', 'list', '--sort', 'name', '--limit', '1'];
    const start = await service.at('pipe', [...list, '--start-at', '東']);
    expect(start.stdout).toBe(lines(officeHeader, tokyoLine));
    expect(start.stderr).toBe('There are earlier ones: --json has their prevCursor.\n');
    const page = await service.client().offices.list.query({ sort: 'name', limit: 1, startAt: '東' });
    const back = await service.at('pipe', [
      ...[...list, '--start-at', '東'],
      ...['--cursor', page.prevCursor ?? ''],
    ]);
    expect(back.stdout).toBe(lines(officeHeader, lisboaLine));
    expect(back.stderr).toBe(more);
  });

  it('says with --all what is before the first page, not the last', async () => {
    const list = ['offices', 'list', '--sort', 'name', '--limit', '1', '--all'];
    const all = await service.at('pipe', [...list, '--json', 'name']);
    expect(JSON.parse(all.stdout)).toEqual({ items: [{ name: 'Atlântico' }, { name: '東京オフィス' }] });
    const { stderr } = await service.at('pipe', [...list, '--start-at', 'B']);
    expect(stderr).toBe('There are earlier ones: --json has their prevCursor.\n');
  });

  it('shows the matches of a search in bold, and says that they are similar', async () => {
    const args = ['offices', 'list', '--q', 'atlantcio', '--highlight', '--sort', 'relevance'];
    const piped = await service.at('pipe', args);
    expect(piped.stdout).toBe(lines(officeHeader, lisboaLine));
    expect(piped.stderr).toBe('No offices have these words; similar ones match.\n');
    const { stdout } = await service.at('pipe', [...args, '--json', 'name', '--all']);
    expect(JSON.parse(stdout)).toEqual({
      items: [{ name: 'Atlântico' }],
      isSimilar: true,
      highlights: [[{ field: 'name', start: 0, end: 9 }]],
    });
  });

  it('lists the records with an empty field', async () => {
    const { stdout } = await service.at('pipe', [
      'offices',
      'list',
      '--empty',
      'email',
      '--not-empty',
      'address',
    ]);
    expect(stdout).toBe(lines(officeHeader, tokyoLine));
  });

  it('keeps the total of the first page with --all', async () => {
    const outcome = await service.at('pipe', ['offices', 'list', '--all', '--limit', '1', '--include-total']);
    expect(outcome.stderr).toBe(both);
  });

  it('omits columns on a narrow terminal, and the name last, and says which', async () => {
    const { stdout, stderr } = await service.at('terminal', ['offices', 'list'], { columns: 60 });
    expect(stdout.split('\n')[0]).toBe('NAME          ID                                    STATUS');
    expect(stderr).toBe(`There is no room for CITY, EMAIL, PHONE: see --columns.\n${both}`);
  });

  it('drops a phone number for which there is no room, and shows what is narrower', async () => {
    const { stdout, stderr } = await service.at(
      'terminal',
      ['offices', 'list', '--columns', 'name,phone,status'],
      {
        columns: 22,
      },
    );
    expect(stdout).toBe(lines('NAME          STATUS', '東京オフィス  inactive', 'Atlântico     active'));
    expect(stderr).toContain('There is no room for PHONE: see --columns.');
  });

  it('shows the office of an agent by its id, whole, to a key that may not read offices', async () => {
    const { secret } = await service.client().keys.create.mutate({ name: 'Agents', scopes: ['agents:read'] });
    const argv = ['agents', 'list', '--id', '<ana>'];
    const { stdout } = await service.at('terminal', argv, { columns: 160, key: secret });
    expect(stdout).toContain(`${id('ana')}  active  ${id('lisboa')}  Lisboa  ana@a.example`);
    const narrow = await service.at('terminal', argv, { columns: 60, key: secret });
    expect(narrow.stdout).toBe(
      lines('NAME      ID                                    STATUS', `Ana Reis  ${id('ana')}  active`),
    );
  });
});
