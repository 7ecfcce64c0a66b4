import { describe, expect, it } from 'vitest';
import { type Case, useTestService } from '../support/test-service.ts';

const lines = (...texts: string[]) => texts.map((text) => `${text}\n`).join('');

const service = useTestService(async ({ client, name }) => {
  const { offices, agents, keys } = client();
  const office = await offices.create.mutate({
    name: 'Atlântico',
    phoneExt: '1',
    address: { city: 'Lisboa' },
  });
  const gone = await agents.create.mutate({ firstName: 'Rui', lastName: 'Costa' });
  await agents.delete.mutate({ id: gone.id });
  const key = await keys.create.mutate({ name: 'Website', scopes: ['offices:read'] });
  for (const [called, record] of Object.entries({ office, gone, key })) name(called, record);
});
const { at, client } = service;

const id = (name: string) => `<${name}>`.padEnd(36, '-');
const nothing = 'Nothing was sent; rules that depend on other records were not checked.';
const header = 'field\tnow\tthen';

const cases: Case[] = [
  [
    ['offices', 'create', '--name', 'Nova', '--address-city', 'Porto', '--dry-run'],
    'pipe',
    0,
    lines(header, 'name\t\tNova', 'address.city\t\tPorto'),
    lines(`Would create the office. ${nothing}`),
  ],
  [
    [
      'offices',
      'update',
      '<office>',
      '--phone-ext',
      '2',
      '--address-city',
      '',
      '--name',
      'Atlântico',
      '--dry-run',
    ],
    'pipe',
    0,
    lines(header, 'phoneExt\t1\t2', 'address.city\tLisboa\t'),
    lines(`Would update the office "Atlântico" (version 1). ${nothing}`),
  ],
  [
    ['offices', 'update', '<office>', '--phone-ext', '2', '--dry-run'],
    'terminal',
    0,
    lines('FIELD     NOW  THEN', 'phoneExt  1    2'),
    lines(`Would update the office "Atlântico" (version 1). ${nothing}`),
  ],
  [
    ['offices', 'update', '<office>', '--phone-ext', '1', '--dry-run'],
    'terminal',
    0,
    '',
    lines(`Would update the office "Atlântico" (version 1), which would change nothing. ${nothing}`),
  ],
  [
    ['offices', 'deactivate', '<office>', '--reason', 'Moved', '--dry-run'],
    'pipe',
    0,
    lines(header, 'status\tactive\tinactive', 'reason\t\tMoved'),
    lines(`Would deactivate the office "Atlântico" (version 1). ${nothing}`),
  ],
  [
    ['offices', 'reactivate', '<office>', '--dry-run'],
    'terminal',
    0,
    '',
    lines(`Would reactivate the office "Atlântico" (version 1), which would change nothing. ${nothing}`),
  ],
  [
    ['offices', 'delete', '<office>', '--dry-run'],
    'terminal',
    0,
    '',
    lines(`Would delete the office "Atlântico" (version 1). ${nothing}`),
  ],
  [
    ['agents', 'restore', '<gone>', '--dry-run'],
    'terminal',
    0,
    '',
    lines(`Would restore the agent ${id('gone')}. ${nothing}`),
  ],
  [
    ['keys', 'revoke', '<key>', '--dry-run'],
    'terminal',
    0,
    '',
    lines(`Would revoke the key "Website". ${nothing}`),
  ],
  [
    ['agents', 'create', '--first-name', ' ', '--email', 'no-address', '--dry-run'],
    'pipe',
    2,
    '',
    lines(
      'roster: agents create: The body is not valid',
      '  --first-name must not be empty',
      '  --last-name is required',
      '  --email must be an e-mail address such as ana@example.com',
      'roster agents create --help describes each field.',
    ),
  ],
  [
    ['offices', 'update', '<office>', '--phone-ext', '2', '--if-version', '7', '--dry-run'],
    'pipe',
    1,
    '',
    lines(
      'roster: offices update: The record has version 1, not 7',
      'Read the current version with: roster offices get <id>, and repeat with --if-version and that version.',
    ),
  ],
  [
    ['agents', 'delete', '<gone>', '--dry-run'],
    'pipe',
    1,
    '',
    lines(
      `roster: agents delete: No agent has the id ${id('gone')}`,
      'Find the id with: roster agents list. Restore a deleted one with: roster agents restore <id>',
      'Request id: <id>',
    ),
  ],
  [
    ['offices', 'create', '--name', 'Nova', '--json', 'name', '--dry-run'],
    'pipe',
    2,
    '',
    lines('roster: offices create: --json takes no fields with --dry-run', 'It prints the whole request.'),
  ],
];

describe('--dry-run', () => {
  it.each(cases)('%j on a %s exits with %i', async (argv, output, exit, stdout, stderr) => {
    expect(await at(output, argv)).toEqual({ exit, stdout, stderr });
  });

  it('prints the request and the current record with --json', async () => {
    const { stdout } = await at('pipe', [
      'offices',
      'update',
      '<office>',
      '--phone-ext',
      '2',
      '--dry-run',
      '--json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      procedure: 'offices.update',
      input: { phoneExt: '2' },
      current: { name: 'Atlântico', phoneExt: '1', version: 1 },
    });
  });

  it('changes nothing', async () => {
    const { items } = await client().offices.list.query({});
    expect(items).toMatchObject([{ name: 'Atlântico', phoneExt: '1', status: 'active', version: 1 }]);
    expect((await client().agents.list.query({})).items).toEqual([]);
    expect((await client().keys.list.query({})).items).toMatchObject([{ revokedAt: null }]);
  });
});
