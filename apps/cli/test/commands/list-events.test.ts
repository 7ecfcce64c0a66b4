import { describe, expect, it } from 'vitest';
import { operationContract } from '../../src/contract/operations.ts';
import { runCli, withoutTimes } from '../support/run-cli.ts';
import { type Case, logged, useTestService } from '../support/test-service.ts';

const lines = (...texts: string[]) => texts.map((text) => `${text}\n`).join('');

/** The types of events that the log can be asked for. */
const types = operationContract('events', 'list').fields.find(({ flag }) => flag === 'type')?.choices;

/** The service's own key, as the log names it. */
const ACTOR = '00000000-0000-0000-0000-000000000000';

const service = useTestService(async ({ client, name }) => {
  const { offices, agents } = client();
  const office = await offices.create.mutate({ name: 'Atlântico' });
  const agent = await agents.create.mutate({ firstName: 'Ana', lastName: 'Reis' });
  await offices.deactivate.mutate({ id: office.id, reason: 'Moved' });
  await logged(client(), office.id, 2);
  for (const [called, record] of Object.entries({ office, agent })) name(called, record);
});

const id = (name: string) => `<${name}>`.padEnd(36, '-');
const header = 'position\toccurredAt\ttype\tsubject\tversion\tactorId\treason';
const created = `1\t<time>\toffice.created\t${id('office')}\t1\t${ACTOR}\t`;
const agentCreated = `2\t<time>\tagent.created\t${id('agent')}\t1\t${ACTOR}\t`;
const deactivated = `3\t<time>\toffice.deactivated\t${id('office')}\t2\t${ACTOR}\tMoved`;
const end = 'There are no more yet: continue with --after 3.\n';

const cases: Case[] = [
  [['list'], 'pipe', 0, lines(header, created, agentCreated, deactivated), end],
  [
    ['list', '--limit', '1'],
    'pipe',
    0,
    lines(header, created),
    'There are more: continue with --after 1, or use --all.\n',
  ],
  [['list', '--limit', '1', '--all'], 'pipe', 0, lines(header, created, agentCreated, deactivated), end],
  [
    ['list', '--sort', '-position', '--limit', '2'],
    'pipe',
    0,
    lines(header, deactivated, agentCreated),
    'There are more: continue with --sort=-position --after 2, or use --all.\n',
  ],
  [
    ['list', '--sort', '-position', '--limit', '1', '--all'],
    'pipe',
    0,
    lines(header, deactivated, agentCreated, created),
    '',
  ],
  [['list', '--after', '2'], 'pipe', 0, lines(header, deactivated), end],
  [
    ['list', '--type', 'agent.created', '--type', 'office.deactivated'],
    'pipe',
    0,
    lines(header, agentCreated, deactivated),
    end,
  ],
  [['list', '--subject', '<office>'], 'pipe', 0, lines(header, created, deactivated), end],
  [['list', '--after', 'latest'], 'pipe', 0, lines(header), `No events match. ${end}`],
  [['list', '--after', '3'], 'terminal', 0, '', `No events match. ${end}`],
  [
    ['list', '--type', 'agent.created'],
    'terminal',
    0,
    lines(
      'POSITION  TIME                      TYPE           SUBJECT   VERSION  ACTOR                  REASON',
      "2         <time>  agent.created  Ana Reis  1        the service's own key",
    ),
    end,
  ],
  [
    ['list', '--jsonl', 'position,type', '--limit', '2'],
    'terminal',
    0,
    lines('{"position":1,"type":"office.created"}', '{"position":2,"type":"agent.created"}'),
    'There are more: continue with --after 2, or use --all.\n',
  ],
  [
    ['list', '--json', 'version,reason', '--limit', '2', '--subject', '<office>', '--all'],
    'pipe',
    0,
    `${JSON.stringify(
      {
        items: [
          { version: 1, reason: null },
          { version: 2, reason: 'Moved' },
        ],
        nextAfter: '3',
        hasMore: false,
        compactedTo: 0,
      },
      undefined,
      2,
    )}\n`,
    '',
  ],
  [
    ['list', '--after', '99'],
    'pipe',
    1,
    '',
    lines(
      'roster: events list: The log ends at 3; 99 belongs to a different log, or to a later one',
      'Use --after 0 to start at the beginning of the log; events before that have been deleted.',
      'Request ID: <id>',
    ),
  ],
  [
    ['list', '--type', 'office.create'],
    'pipe',
    2,
    '',
    lines(
      `roster: events list: option '--type <text>' argument 'office.create' is invalid. It takes ${types?.join(', ')}`,
      'Did you mean office.created? roster events list --help --all lists all options.',
    ),
  ],
];

describe('events', () => {
  it.each(cases)('%j on a %s exits with %i', async (argv, output, exit, stdout, stderr) => {
    const outcome = await service.at(output, ['events', ...argv]);
    expect(withoutTimes(outcome)).toEqual({ exit, stdout, stderr });
  });

  it('prints the response of the API with --json', async () => {
    const argv = ['events', 'list', '--json', '--limit', '1', '--after', '2'];
    const { stdout } = await runCli(argv, { url: service.url(), key: service.key() });
    const page = await service.client().events.list.query({ limit: 1, after: '2' });
    expect(JSON.parse(stdout)).toEqual(page);
  });

  it('omits the last columns on a narrow terminal', async () => {
    const { stdout } = await service.at('terminal', ['events', 'list', '--limit', '1'], {
      columns: 80,
    });
    expect(stdout.split('\n')[0]).toMatch(/^POSITION +TIME +TYPE +SUBJECT +VERSION +ACTOR$/);
  });
});
