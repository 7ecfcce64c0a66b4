import { execFile } from 'node:child_process';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createRosterClient } from '@roster/client';
import { startTestServer, type TestServer } from '@roster/server/testing';
import { describe, expect, it } from 'vitest';
import { type CliOptions, runCli, withoutTimes } from '../support/run-cli.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { keys, startAt } from '../support/terminal.ts';
import { logged, useTestService } from '../support/test-service.ts';

const { url, key, client } = useTestService();
const main = new URL('../../src/roster.js', import.meta.url).pathname;

/** Runs a tail until these texts were written one after the other, with an action after each; then interrupts it. */
async function tailed(
  argv: string[],
  steps: [seen: string, then?: () => Promise<unknown>][],
  options: CliOptions = {},
) {
  const controller = new AbortController();
  const rest = [...steps];
  let written = '';
  let acting: Promise<unknown> = Promise.resolve();
  const outcome = await runCli(['events', 'tail', ...argv], {
    url: url(),
    key: key(),
    signal: controller.signal,
    onWrite: (text) => {
      written += text;
      for (let step = rest[0]; step !== undefined && written.includes(step[0]); step = rest[0]) {
        rest.shift();
        acting = acting.then(step[1]);
        if (rest.length === 0) acting = acting.then(() => controller.abort());
      }
    },
    ...options,
  });
  await acting;
  return withoutTimes(outcome);
}

/** An office with three events: created, moved, deactivated. */
async function changedOffice(name: string) {
  const { offices } = client();
  const { id } = await offices.create.mutate({ name, address: { city: 'Lisboa' } });
  await offices.update.mutate({ id, phoneExt: '1', address: { city: 'Porto' } });
  await offices.deactivate.mutate({ id, reason: 'Moved' });
  return { id, events: await logged(client(), id, 3) };
}

describe('events tail', () => {
  it('prints on a terminal a line per event that fits its width, and the cursor to continue from', async () => {
    const { id, events } = await changedOffice('Atlântico');
    const { exit, stdout, stderr } = await tailed(['--after', '0', '--subject', id], [['deactivated']], {
      output: 'terminal',
    });
    expect(exit).toBe(130);
    expect(stdout).toBe(
      '<time>  office.created      Atlântico\n' +
        '<time>  office.updated      Atlântico  phoneExt: – → 1, address.city: Lisboa → Porto\n' +
        '<time>  office.deactivated  Atlântico  (Moved)\n',
    );
    expect(stderr).toBe(`Continue with: --after ${events[2]?.position}\n`);
  });

  it('prints as many whole changes as fit, and cuts no value', async () => {
    const { id } = await client().offices.create.mutate({ name: 'Narrow' });
    await client().offices.update.mutate({ id, phone: '+351210000001', fax: '+351210000002', mlsId: 'X' });
    await logged(client(), id, 2);
    const argv = ['--after', '0', '--subject', id, '--type', 'office.updated'];
    const lineAt = async (columns: number) =>
      (await tailed(argv, [['office.updated']], { output: 'terminal', columns })).stdout;
    expect(await lineAt(90)).toMatch(/Narrow {2}(?:[a-zA-Z]+: – → \S+, )+…\n$/);
    expect(await lineAt(90)).not.toMatch(/\+3[\d]{0,10}…/);
    expect(await lineAt(55)).toMatch(/office.updated {6}Narrow …?\s*$|Narrow {2}…\n$/);
  });

  it('prints tab-separated values in a pipe', async () => {
    const { id } = await changedOffice('Pipe');
    const { stdout } = await tailed(
      ['--after', '0', '--subject', id, '--type', 'office.deactivated'],
      [['Moved\n']],
    );
    expect(stdout).toMatch(
      new RegExp(
        '^position\toccurredAt\ttype\tsubject\tversion\tactorId\treason\n' +
          `\\d+\t<time>\toffice.deactivated\t${id}\t3\t[0-9a-f-]{36}\tMoved\n$`,
      ),
    );
  });

  it.each(['--json', '--jsonl'])('prints an object per line with its cursor with %s', async (option) => {
    const { id, events } = await changedOffice('Objects');
    const { stdout } = await tailed(
      ['--after', '0', '--subject', id, option, 'type,cursor'],
      [['deactivated']],
      { output: 'terminal' },
    );
    expect(
      stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ).toEqual(events.map(({ type, position }) => ({ type, cursor: String(position) })));
  });

  it('continues from the printed cursor without missing an event', async () => {
    const { id, events } = await changedOffice('Resumed');
    const first = await tailed(['--after', '0', '--subject', id, '--jsonl', 'version'], [['{"version":1}']]);
    const [, output = ''] = /--after (\S+)/.exec(first.stderr) ?? [];
    const rest = await tailed(
      ['--after', output, '--subject', id, '--jsonl', 'version'],
      [['{"version":3}']],
    );
    expect(first.stdout + rest.stdout).toBe(events.map(({ version }) => `{"version":${version}}\n`).join(''));
  });

  it('starts at the current end of the log by default, and prints its cursor', async () => {
    await changedOffice('Before');
    const { nextAfter } = await client().events.list.query({ after: 'latest' });
    const controller = new AbortController();
    const ended = runCli(['events', 'tail', '--jsonl', 'type'], {
      url: url(),
      key: key(),
      signal: controller.signal,
      onWrite: () => controller.abort(),
    });
    // The moment at which it starts is unknown; it prints events from then on.
    for (let count = 0; !controller.signal.aborted; count += 1) {
      await client().agents.create.mutate({ firstName: 'Ana', lastName: `${count}` });
      await setTimeout(50);
    }
    const { stdout, stderr, exit } = await ended;
    expect(exit).toBe(130);
    expect(stdout.split('\n')[0]).toBe('{"type":"agent.created"}');
    expect(Number(/--after (\d+)/.exec(stderr)?.[1])).toBeGreaterThan(Number(nextAfter));
  });

  it('continues after restarts of the service', async () => {
    await using owner = await startTestServer();
    await using relay = await startTcpProxy();
    const before = createRosterClient(owner);
    const { secret } = await before.keys.create.mutate({
      name: 'Tail',
      scopes: ['events:read', 'offices:read', 'agents:read', 'teams:read'],
    });
    const { database } = owner;
    const first = await startTestServer({ database });
    relay.forwardTo(first.url);
    let second: TestServer | undefined;
    const restart = async () => {
      await first[Symbol.asyncDispose]();
      // This happens while no server runs.
      await before.offices.create.mutate({ name: 'Meanwhile' });
      second = await startTestServer({ database });
      relay.forwardTo(second.url);
    };
    await before.offices.create.mutate({ name: 'Before' });
    const { exit, stdout, stderr } = await tailed(
      ['--after', '0'],
      [['Before', restart], ['Meanwhile', () => before.offices.create.mutate({ name: 'After' })], ['After']],
      { url: relay.url, key: secret, output: 'terminal' },
    );
    await second?.[Symbol.asyncDispose]();
    expect(exit).toBe(130);
    expect(stdout).toBe(
      ['Before', 'Meanwhile', 'After'].map((name) => `<time>  office.created      ${name}\n`).join(''),
    );
    expect(stderr).toMatch(/^No response from .+\/events\/stream: .+\. Trying again in \d\.\d s\.\n/);
    expect(stderr).toMatch(/\nContinue with: --after \d+\n$/);
  });

  it.each([
    [['--after', '99999'], 1, /^roster: events tail: The log ends at \d+; 99999 belongs to a different log/],
    [['--after', 'x'], 2, /^roster: events tail: --after /],
    [['--type', 'x'], 2, /^roster: events tail: option '--type <text>' argument 'x' is invalid\. /],
    [
      ['--json', 'curser'],
      2,
      /^roster: events tail: --json: there is no field curser\nDid you mean cursor\? /,
    ],
  ])('with %j exits with %i and prints no cursor', async (argv, exit, stderr) => {
    const outcome = await runCli(['events', 'tail', ...argv], { url: url(), key: key() });
    expect(outcome).toMatchObject({ exit, stdout: '' });
    expect(outcome.stderr).toMatch(stderr);
    expect(outcome.stderr).not.toContain('Continue with');
  });

  it('fails for a key without the scope events:read', async () => {
    const { secret } = await client().keys.create.mutate({ name: 'No events', scopes: ['offices:read'] });
    expect(await runCli(['events', 'tail'], { url: url(), key: secret })).toMatchObject({
      exit: 4,
      stdout: '',
    });
  });
});

describe('the process of a tail', () => {
  it('exits without an error when the reader of the pipe has closed it', async () => {
    const line = `set -o pipefail; '${process.execPath}' '${main}' events tail --after 0 --jsonl type | head -n 3`;
    const env = { ...process.env, ROSTER_URL: url(), ROSTER_KEY: key() };
    let hasEnded = false;
    const running = promisify(execFile)('bash', ['-c', line], { env }).finally(() => {
      hasEnded = true;
    });
    while (!hasEnded) {
      await client().offices.create.mutate({ name: 'One more' });
      await setTimeout(50);
    }
    const { stdout, stderr } = await running;
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toHaveLength(4);
  });

  it('prints events on a terminal until Ctrl-C', async () => {
    using terminal = startAt(process.execPath, [main, 'events', 'tail', '--after', '0'], {
      ROSTER_URL: url(),
      ROSTER_KEY: key(),
    });
    await terminal.sees('office.created');
    await client().offices.create.mutate({ name: 'Live' });
    await terminal.sees('Live');
    terminal.type(keys.ctrlC);
    await terminal.sees(/Continue with: --after \d+/);
    expect(await terminal.exit).toBe(130);
  });
});
