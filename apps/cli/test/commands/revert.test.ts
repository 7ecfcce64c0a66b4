import { compactEvents, directory, purgeTombstones } from '@roster/api/testing';
import { describe, expect, it } from 'vitest';
import { type Case, logged, useTestService } from '../support/test-service.ts';

const lines = (...texts: string[]) => texts.map((text) => `${text}\n`).join('');
const id = (name: string) => `<${name}>`.padEnd(36, '-');

const service = useTestService(async ({ client, name }) => {
  const { offices, agents } = client();
  const office = await offices.create.mutate({ name: 'Atlântico', address: { city: 'Lisboa' } });
  await offices.update.mutate({ id: office.id, phone: '+351210000001', address: { city: 'Porto' } });
  await offices.deactivate.mutate({ id: office.id });
  const gone = await agents.create.mutate({ firstName: 'Rui', lastName: 'Costa' });
  await agents.delete.mutate({ id: gone.id });
  await logged(client(), gone.id, 2);
  for (const [called, record] of Object.entries({ office, gone })) name(called, record);
});
const { at, client } = service;

const status =
  'The status does not change: it is inactive, and was active in version 1. ' +
  `Change it with: roster offices reactivate ${id('office')}`;
const nothing = 'Nothing was changed.';

// Cases without changes come first, so that each starts with the created office.
const cases: Case[] = [
  [
    ['offices', 'revert', '<office>', '--to', '1', '--dry-run'],
    'pipe',
    0,
    lines('field\tbefore\tafter', 'phone\t+351210000001\t', 'address.city\tPorto\tLisboa'),
    lines(status, `Would revert the office "Atlântico" (version 3) to version 1. ${nothing}`),
  ],
  [
    ['offices', 'revert', '<office>', '--to', '2', '--dry-run'],
    'terminal',
    0,
    '',
    lines(
      status.replace('version 1', 'version 2'),
      `Would revert the office "Atlântico" (version 3) to version 2, which would change nothing. ${nothing}`,
    ),
  ],
  [
    ['offices', 'revert', '<office>', '--to', '3', '--json', 'phone,version'],
    'pipe',
    0,
    `${JSON.stringify({ phone: '+351210000001', version: 3 }, undefined, 2)}\n`,
    'The office already equals version 3; nothing was changed.\n',
  ],
  [
    ['offices', 'revert', '<office>', '--to', '4'],
    'pipe',
    2,
    '',
    lines(
      'roster: offices revert: --to is 4, and the office is at version 3',
      'roster offices revert --help --all describes each field.',
      'Request ID: <id>',
    ),
  ],
  [
    ['offices', 'revert', '<office>', '--to', '1', '--if-version', '2'],
    'pipe',
    1,
    '',
    lines(
      'roster: offices revert: The record has version 3, not 2',
      'Read the current version with: roster offices get <id>, then retry with --if-version and that version.',
      'Request ID: <id>',
    ),
  ],
  [
    ['agents', 'revert', '<gone>', '--to', '1'],
    'pipe',
    1,
    '',
    lines(
      'roster: agents revert: The agent is deleted. Restore it first',
      'Find the ID with: roster agents list. Restore a deleted one with: roster agents restore <id>',
      'Request ID: <id>',
    ),
  ],
  [
    ['agents', 'revert', '<office>', '--to', '1'],
    'pipe',
    1,
    '',
    lines(
      `roster: agents revert: No agent has the ID ${id('office')}`,
      'Find the ID with: roster agents list. Restore a deleted one with: roster agents restore <id>',
      'Request ID: <id>',
    ),
  ],
  [
    ['offices', 'revert', '<office>', '--to', 'first'],
    'pipe',
    2,
    '',
    lines(
      'roster: offices revert: --to must be a whole number',
      'roster offices revert --help --all describes each field.',
      'Request ID: <id>',
    ),
  ],
  [
    ['offices', 'revert', '<office>'],
    'terminal',
    2,
    '',
    lines(
      'roster: offices revert: --to is required',
      'roster offices revert --help --all describes each field.',
      'Request ID: <id>',
    ),
  ],
  [
    ['offices', 'revert', '<office>', '--to', '1', '--json', 'phone,version,status'],
    'pipe',
    0,
    `${JSON.stringify({ phone: null, version: 4, status: 'inactive' }, undefined, 2)}\n`,
    lines(status),
  ],
];

describe('revert', () => {
  it.each(cases)('%j on a %s exits with %i', async (argv, output, exit, stdout, stderr) => {
    expect(await at(output, argv)).toEqual({ exit, stdout, stderr });
  });

  it('changes nothing more when it is repeated, and reverts single fields', async () => {
    const { offices } = client();
    const { id: office } = await offices.create.mutate({ name: 'One', phone: '+351210000001' });
    await offices.update.mutate({ id: office, name: 'Two', phone: '+351210000002' });
    await logged(client(), office, 2);
    const argv = [
      'offices',
      'revert',
      office,
      '--to',
      '1',
      '--field',
      'phone',
      '--json',
      'version,name,phone',
    ];
    for (const _ of [1, 2])
      expect((await at('pipe', argv)).stdout).toBe(
        '{\n  "version": 3,\n  "name": "Two",\n  "phone": "+351210000001"\n}\n',
      );
  });

  it('fails without the scope events:read', async () => {
    const { secret } = await client().keys.create.mutate({
      name: 'No events',
      scopes: ['offices:read', 'offices:write'],
    });
    const outcome = await at('pipe', ['offices', 'revert', '<office>', '--to', '1'], { key: secret });
    expect(outcome).toMatchObject({ exit: 4, stdout: '' });
    expect(outcome.stderr).toContain('events:read');
  });

  it('reports a purged record', async () => {
    const { agents } = client();
    const agent = await agents.create.mutate({ firstName: 'Ana', lastName: 'Reis' });
    service.name('purged', agent);
    await agents.delete.mutate({ id: agent.id });
    const now = new Date(Date.now() + 1_000);
    await purgeTombstones(service.database().db, [directory.agents], { now, retentionDays: 0 });
    await logged(client(), agent.id, 3);
    expect(await at('pipe', ['agents', 'revert', '<purged>', '--to', '1'])).toEqual({
      exit: 1,
      stdout: '',
      stderr: lines(
        'roster: agents revert: The agent is permanently deleted',
        'Find the ID with: roster agents list. Restore a deleted one with: roster agents restore <id>',
        'Request ID: <id>',
      ),
    });
    const { stdout } = await at('terminal', ['agents', 'history', '<purged>']);
    expect(stdout).toMatch(/\nVersion 1 {2}\S+ {2}agent\.purged {2}by the service\n$/);
  });

  it('reports a version that is no longer in the log', async () => {
    const { offices } = client();
    const office = await offices.create.mutate({ name: 'One' });
    service.name('old', office);
    for (const name of ['Two', 'Three']) await offices.update.mutate({ id: office.id, name });
    await logged(client(), office.id, 3);
    await compactEvents(service.database().db, { now: new Date(Date.now() + 1_000), retentionDays: 0 });
    const outcome = await at('pipe', ['offices', 'revert', '<old>', '--to', '1']);
    expect(outcome).toMatchObject({ exit: 2, stdout: '' });
    expect(outcome.stderr).toContain('--to is 1, which is no longer in the log\n');
  });
});
