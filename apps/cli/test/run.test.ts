import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { operationContract } from '../src/contract/operations.ts';
import { runCli } from './support/run-cli.ts';
import { useTestService } from './support/test-service.ts';

const service = useTestService(async ({ client }) => {
  await client().agents.create.mutate({ firstName: 'Ana', lastName: 'Reis', email: 'ana@a.example' });
});
const { at } = service;

/** A service that returns the same response to every call. */
async function serviceThat(result: (response: ServerResponse) => void) {
  const server = createServer(
    (request, response) => void request.resume().once('end', () => result(response)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function serviceThatRefuses(status: number, code: string) {
  const problem = {
    type: `/docs/errors#${code}`,
    title: 'No',
    status,
    detail: 'Not you.',
    instance: '/trpc',
    code,
    requestId: 'r-1',
  };
  const body = JSON.stringify({
    error: { message: 'Not you.', code: -32_001, data: { httpStatus: status, problem } },
  });
  return serviceThat((response) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body),
  );
}

const newAgent = ['agents', 'create', '--first-name', 'Ana', '--last-name', 'Reis'];

describe('an unknown option', () => {
  it.each([
    [['offices', 'create', '--nme', 'x'], 'Did you mean --name? '],
    [['offices', 'create', '--city', 'x'], 'Did you mean --address-city or --mailing-address-city? '],
    [['agents', 'create', '--firstName', 'x'], 'Did you mean --first-name? '],
    [['offices', 'list', '--country-code', 'x'], 'Did you mean --country? '],
  ])('exits with 2 and suggests the closest option: %j', async (argv, hint) => {
    const { exit, stderr } = await at('pipe', argv);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(hint)]);
  });

  it.each([
    [
      ['webhooks', 'create', '--url', 'https://hook.example'],
      '--target-url is required\n--url is the URL of the service',
    ],
    [['offices', 'create', '--data', '{"nme":"x"}'], '--data: nme is not a field of this body'],
    [['agents', 'create', '--first-name', 'A', '--last-name', 'B', '--license', 'nr=1'], '--license (0.'],
    [['offices', 'update', 'x', '--phone', '1'], '<id> must be a UUID'],
    [['events', 'list', '--subject', 'x'], '--subject must be a UUID'],
  ])('or an invalid value exits with 2 and names the option: %j', async (argv, message) => {
    const { exit, stderr } = await at('pipe', argv);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('an error of the service', () => {
  it('is printed as the message, a hint and the request id', async () => {
    expect(await at('terminal', [...newAgent, '--email', 'ANA@a.example', '--no-check'])).toEqual({
      exit: 1,
      stdout: '',
      stderr:
        'roster: agents create: --email is already in use by another agent\n' +
        'Find the other one with: roster agents list --email <email>\n' +
        'Request ID: <id>\n',
    });
  });

  it('lists every invalid field on a line', async () => {
    expect(
      (await at('pipe', ['agents', 'create', '--email', 'no-address', '--address-country', 'XX'])).stderr,
    ).toBe(
      'roster: agents create: Invalid request body\n' +
        '  --email must be an email address such as ana@example.com\n' +
        '  --address-country must be an ISO 3166-1 alpha-2 code such as PT\n' +
        '  --first-name is required unless --last-name is set\n' +
        'roster agents create --help --all describes each field.\n' +
        'Request ID: <id>\n',
    );
  });

  it('is printed to stderr as a problem object with --json', async () => {
    const { exit, stdout, stderr } = await at('pipe', [...newAgent, '--email', 'ana@a.example', '--json']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(JSON.parse(stderr)).toEqual({
      type: '/docs/errors#email_taken',
      title: 'Email already in use',
      status: 409,
      detail: 'email is already in use by another agent.',
      instance: '/trpc/agents.create',
      code: 'email_taken',
      requestId: '<id>',
      errors: [{ pointer: '#/email', code: 'taken', detail: 'is already in use by another agent' }],
    });
  });

  it.each([
    [
      401,
      'unauthenticated',
      'Roster looks for a key in --key, ROSTER_KEY, the profile (roster login) and, for a service on this machine, in .roster/key here or in a parent directory.',
    ],
    [403, 'insufficient_scope', 'Use a key with the required scope: --key, ROSTER_KEY or --profile.'],
  ])('of authentication or authorization (%i) exits with 4', async (status, code, hint) => {
    await using service = await serviceThatRefuses(status, code);
    const outcome = await runCli(['offices', 'list'], { url: service.url });
    expect(outcome).toEqual({
      exit: 4,
      stdout: '',
      stderr: `roster: offices list: Not you\n${hint}\nRequest ID: r-1\n`,
    });
  });

  it('without a hint refers to the error reference', async () => {
    await using service = await serviceThatRefuses(500, 'internal');
    const { exit, stderr } = await runCli(['offices', 'list'], { url: service.url });
    expect(exit).toBe(1);
    expect(stderr).toContain(`See ${service.url}/docs/errors#internal\n`);
  });

  it('has no stack trace, except with --debug', async () => {
    const plain = await at('pipe', ['offices', 'get', 'x']);
    expect(plain.stderr).not.toContain('    at ');
    const debugged = await at('pipe', ['offices', 'get', 'x', '--debug']);
    expect(debugged.stderr).toContain('    at ');
    expect(debugged.stderr).toContain('roster: offices get: <id> must be a UUID\n');
  });
});

describe('a service that cannot be reached', () => {
  it('is named in the error, with a hint', async () => {
    const service = await serviceThat(() => undefined);
    await service[Symbol.asyncDispose]();
    expect(await runCli(['offices', 'create', '--name', 'x'], { url: service.url })).toEqual({
      exit: 1,
      stdout: '',
      stderr:
        `roster: offices create: No response from ${service.url}/trpc: the connection was refused\n` +
        'Start the service (npm start), or set its URL with --url, ROSTER_URL or roster login.\n',
    });
  });

  it('is distinguished from another server at the URL', async () => {
    await using service = await serviceThat((response) => response.end('<h1>Hello</h1>'));
    const { exit, stderr } = await runCli(['offices', 'list'], { url: service.url });
    expect(exit).toBe(1);
    expect(stderr).toContain('which is not a response of Roster\nCheck --url, ROSTER_URL and the profile: ');
  });
});

it.each([['offices', 'list'], ['webhooks', 'deliveries'], ['offices']])(
  'help %s %s shows what --help of that command does',
  async (...command: string[]) => {
    const { exit, stdout } = await runCli(['help', ...command]);
    expect(exit).toBe(0);
    expect(stdout).toBe((await runCli([...command, '--help'])).stdout);
    expect(stdout).toContain(`roster ${command.join(' ')} `);
  },
);

it.each([
  [['version'], "roster: unknown command 'version'\nDid you mean --version? "],
  [['offices', 'view'], "roster: offices: unknown command 'view'\nDid you mean get? "],
  [['offices', 'show'], "roster: offices: unknown command 'show'\nDid you mean get? "],
  [['offices', 'rm'], "roster: offices: unknown command 'rm'\nDid you mean delete? "],
  [['offices', 'lst'], "roster: offices: unknown command 'lst'\nDid you mean list? "],
  [['offces'], "roster: unknown command 'offces'\nDid you mean offices? "],
])('help %j is rejected as the unknown command is, with the nearest one', async (command, message) => {
  const { exit, stdout, stderr } = await runCli(['help', ...command]);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  expect(stderr).toContain(message);
});

it.each([
  [['duplicates', '--help'], "roster: unknown command 'duplicates'"],
  [['offices', 'lst', '--help'], "roster: offices: unknown command 'lst'\nDid you mean list? "],
  [['--profile', 'work', 'offces', '-h'], "roster: unknown command 'offces'\nDid you mean offices? "],
  [['-h', 'offices', 'lst'], "roster: offices: unknown command 'lst'\nDid you mean list? "],
])('%j is rejected as without --help, because there is no such help', async (argv, message) => {
  const { exit, stdout, stderr } = await runCli(argv);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  expect(stderr).toContain(message);
});

it.each([
  [['--help']],
  [['offices', '-h']],
  [['offices', 'get', 'nothing', '--help']],
  [['--url', 'offces', 'offices', 'list', '--help']],
])('%j shows the help', async (argv) => {
  expect(await runCli(argv)).toMatchObject({
    exit: 0,
    stderr: '',
    stdout: expect.stringContaining('Usage:'),
  });
});

describe('an invalid command line', () => {
  it.each([
    [
      ['ofices', 'list'],
      "roster: unknown command 'ofices'\nDid you mean offices? roster --help lists all commands.\n",
    ],
    [
      ['offices', 'lsit'],
      "roster: offices: unknown command 'lsit'\nDid you mean list? roster offices --help lists all commands.\n",
    ],
    [
      ['offices', 'create', '--nmae', 'x'],
      "roster: offices create: unknown option '--nmae'\nDid you mean --name? roster offices create --help --all lists all options.\n",
    ],
    [
      ['agents', 'list', '--status', 'activ'],
      "roster: agents list: option '--status <text>' argument 'activ' is invalid. It takes active, inactive\nDid you mean active? roster agents list --help --all lists all options.\n",
    ],
    [
      ['offices', 'create', '--name', 'x', '--branch-type', 'mian'],
      "roster: offices create: option '--branch-type <text>' argument 'mian' is invalid. It takes main, branch, stand_alone\nDid you mean main? roster offices create --help --all lists all options.\n",
    ],
    [
      ['agents', 'list', '--json', 'officeid,email'],
      /^roster: agents list: --json: there is no field officeid\nDid you mean officeId\? The fields are id, /,
    ],
    [
      ['offices', 'list', '--json', '--jsonl'],
      /^roster: offices list: option '--json.* cannot be used with option '--json/,
    ],
    [
      ['offices', 'list', '--profile', 'work'],
      'roster: offices list: there is no profile work\nCreate it with: roster login --profile work\n',
    ],
    [
      ['agents', 'get'],
      "roster: agents get: missing required argument 'id'\nroster agents get --help --all lists all options.\n",
    ],
    [
      ['agents', 'create', '--first-name'],
      "roster: agents create: option '--first-name <text>' argument missing\nroster agents create --help --all lists all options.\n",
    ],
    [
      ['agents', 'list', '--json', 'nmae'],
      /^roster: agents list: --json: there is no field nmae\nThe fields are id, status, .+office, place\.\n$/,
    ],
    [
      ['agents', 'list', '--url', 'nowhere'],
      'roster: agents list: "nowhere" is not an http or https URL\nSet the URL of the service with --url or ROSTER_URL.\n',
    ],
    [['offices', 'create', '--data', '[]'], 'roster: offices create: --data takes a JSON object\n'],
    [['offices', 'create', '--data', '{'], /^roster: offices create: --data is not JSON: /],
    [
      ['offices', 'create', '--data', '@/nowhere.json'],
      'roster: offices create: --data cannot read /nowhere.json (ENOENT)\n',
    ],
  ])('exits with 2 and suggests a correction: %j', async (argv, stderr) => {
    const outcome = await at('pipe', argv);
    expect(outcome).toMatchObject({ exit: 2, stdout: '' });
    expect(outcome.stderr).toMatch(stderr);
  });

  it('shows the help if the command is missing', async () => {
    for (const argv of [[], ['offices']]) {
      const outcome = await at('pipe', argv);
      expect(outcome).toMatchObject({ exit: 2, stdout: '' });
      expect(outcome.stderr).toMatch(/^(?:Records|Commands):$/m);
    }
  });
});

describe('help', () => {
  it('lists every command', async () => {
    const { exit, stdout, stderr } = await at('terminal', ['--help']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).toContain('List, create and change offices');
  });

  it('shows the options that people use every day, in words of its own, and says how to see all', async () => {
    const { exit, stdout } = await at('terminal', ['agents', 'create', '--help']);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/--last-name <text> +Last name; required unless --first-name is set/);
    expect(stdout).not.toContain('--name-suffix');
    expect(stdout).not.toContain('--profile');
    expect(stdout).toContain('All options: roster agents create --help --all\n');
  });

  it.each([
    ['agents', 'create', '--help', '--all'],
    ['help', 'agents', 'create', '--all'],
  ])('describes every field and the global options with --all: %s %s %s %s', async (...argv: string[]) => {
    const { exit, stdout } = await at('terminal', argv);
    expect(exit).toBe(0);
    for (const { flag } of operationContract('agents', 'create').fields)
      expect(stdout).toContain(`--${flag} `);
    expect(stdout).toContain('--profile <name>');
  });

  it('lists the commands that people use every day first', async () => {
    const { stdout } = await at('terminal', ['offices', '--help']);
    expect(stdout).toMatch(/^Commands:\n +list .*^More commands:\n.* merge /ms);
  });

  it.each(
    ['list', 'get', 'create', 'update', 'deactivate', 'import', 'export', 'history'].flatMap((verb) => [
      ['offices', verb],
      ['agents', verb],
    ]),
  )('has three examples for %s %s', async (...command) => {
    const { stdout } = await at('terminal', [...command, '--help']);
    const examples = stdout.split('Examples:\n')[1]?.split('\n\n')[0]?.split('\n');
    expect(examples?.length).toBeGreaterThanOrEqual(3);
  });

  it('prints the version', async () => {
    expect(await at('pipe', ['--version'])).toEqual({ exit: 0, stdout: '1.2.3\n', stderr: '' });
  });
});

describe('a command', () => {
  it('colours errors if colour is enabled, and not with --no-color', async () => {
    const argv = ['offices', 'get', 'x'];
    expect((await runCli(argv, { url: service.url(), key: service.key(), color: true })).stderr).toContain(
      '\u001b[31mroster:',
    );
    expect(
      (await runCli([...argv, '--no-color'], { url: service.url(), key: service.key(), color: true })).stderr,
    ).not.toContain('\u001b');
  });

  it('exits with 130 when the user interrupts', async () => {
    await using service = await serviceThat(() => undefined);
    const outcome = await runCli(['offices', 'list'], { url: service.url, signal: AbortSignal.timeout(50) });
    expect(outcome).toEqual({ exit: 130, stdout: '', stderr: '' });
  });
});
