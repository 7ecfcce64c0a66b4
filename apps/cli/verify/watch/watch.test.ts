import { stripVTControlCharacters } from 'node:util';
import { createRosterClient } from '@roster/client';
import { startTestServer, type TestServer } from '@roster/server/testing';
import { describe, expect, it } from 'vitest';
import { type CliOptions, runCli } from '../../test/support/run-cli.ts';
import { startTcpProxy } from '../../test/support/tcp-proxy.ts';
import { useTestService } from '../../test/support/test-service.ts';

const { url, key, client } = useTestService();

/** Without --interval, the list is read after events. */
const byEvents = { interval: [] };

/** Runs a command until its output meets each condition, one after the other, with an action after each; then interrupts it. */
async function watch(
  argv: string[],
  steps: [isSeen: (written: string) => boolean, then: () => Promise<unknown>][],
  { interval = ['--interval', '0.1'], ...options }: CliOptions & { interval?: string[] } = {},
) {
  const controller = new AbortController();
  let written = '';
  const [...rest] = steps;
  let acting: Promise<unknown> = Promise.resolve();
  const outcome = await runCli([...argv, '--watch', ...interval], {
    url: url(),
    key: key(),
    signal: controller.signal,
    onWrite: (text) => {
      written += text;
      while (rest[0]?.[0](written)) {
        const [, then] = rest.shift() ?? [];
        acting = acting.then(then);
        if (rest.length === 0) acting = acting.then(() => controller.abort());
      }
    },
    ...options,
  });
  await acting;
  return outcome;
}

const nothing = async () => undefined;

describe('list --watch in a pipe', () => {
  it('prints every record once, then each changed one, and which were removed', async () => {
    const { id } = await client().offices.create.mutate({ name: 'One', mlsId: 'pipe' });
    const { exit, stdout, stderr } = await watch(
      ['offices', 'list', '--mls-id', 'pipe', '--sort', 'createdAt'],
      [
        [(text) => text.includes('One'), () => client().offices.update.mutate({ id, name: 'Two' })],
        [
          (text) => text.includes('Two'),
          () => client().offices.create.mutate({ name: 'New', mlsId: 'pipe' }),
        ],
        [(text) => text.includes('New'), () => client().offices.delete.mutate({ id })],
        [(text) => text.includes('No longer'), nothing],
      ],
    );
    const [header, ...rows] = stdout.trim().split('\n');
    expect(exit).toBe(130);
    expect(header).toMatch(/^id\tname\t/);
    expect(rows.map((row) => row.split('\t')[1])).toEqual(['One', 'Two', 'New']);
    expect(stderr).toBe(`No longer in the list: office ${id}\n`);
  });

  it('prints an object per line with --jsonl', async () => {
    const { id } = await client().agents.create.mutate({ firstName: 'Ana', lastName: 'Reis' });
    const { stdout } = await watch(
      ['agents', 'list', '--id', id, '--jsonl', 'firstName,version'],
      [
        [(text) => text.includes('Ana'), () => client().agents.update.mutate({ id, firstName: 'Eva' })],
        [(text) => text.includes('Eva'), nothing],
      ],
    );
    expect(stdout).toBe('{"firstName":"Ana","version":1}\n{"firstName":"Eva","version":2}\n');
  });

  it('continues while the service is unavailable, and ends at any other error', async () => {
    const away = await watch(['offices', 'list'], [[(text) => text.includes('Trying again'), nothing]], {
      url: 'http://127.0.0.1:1',
    });
    expect(away).toMatchObject({ exit: 130, stdout: '' });
    expect(away.stderr).toContain('No response from http://127.0.0.1:1/trpc');
    expect(await watch(['offices', 'list'], [], { key: 'wrong' })).toMatchObject({ exit: 4 });
  });

  it.each([
    [['--watch', '--json'], '--watch never ends, and --json is a single document\nUse --jsonl instead.'],
    [['--interval', '1'], '--interval requires --watch'],
    [['--watch', '--interval', '0'], '--interval takes seconds, from 0.1 to 86400, not "0"'],
    [['--watch', '--interval', 'often'], '--interval takes seconds, from 0.1 to 86400, not "often"'],
  ])('rejects %j with a usage error', async (argv, message) => {
    const outcome = await runCli(['offices', 'list', ...argv], { url: url(), key: key() });
    expect(outcome).toEqual({ exit: 2, stdout: '', stderr: `roster: offices list: ${message}\n` });
  });
});

describe('list --watch on a terminal', () => {
  it('redraws the table after a change, and restores the terminal at the end', async () => {
    const { id } = await client().offices.create.mutate({ name: 'Before', mlsId: 'screen' });
    const { exit, stdout } = await watch(
      ['offices', 'list', '--mls-id', 'screen'],
      [
        [(text) => text.includes('Before'), () => client().offices.update.mutate({ id, name: 'After' })],
        [(text) => text.includes('After'), nothing],
      ],
      { output: 'terminal' },
    );
    expect(exit).toBe(130);
    expect(stdout.startsWith('\u001b[?1049h')).toBe(true);
    expect(stdout.endsWith('\u001b[?1049l')).toBe(true);
    const last = stdout.slice(stdout.lastIndexOf('\u001b[H'));
    expect(stripVTControlCharacters(last)).toMatch(/1 office · Ctrl-C to stop\r\nNAME .+\r\nAfter/);
    expect(last).not.toContain('Before');
  });

  it('says how many lines do not fit the terminal', async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, number) =>
        client().offices.create.mutate({ name: `Office ${number}`, mlsId: 'tall' }),
      ),
    );
    const { stdout } = await watch(
      ['offices', 'list', '--mls-id', 'tall'],
      [[(text) => text.includes('more'), nothing]],
      { output: 'terminal' },
    );
    const drawn = stripVTControlCharacters(stdout).split('\r\n');
    expect(drawn).toHaveLength(24);
    expect(drawn.at(-1)).toBe('… and 9 more');
  });
});

describe('list --watch without --interval', () => {
  it('reads the list immediately after an event', async () => {
    const { id } = await client().offices.create.mutate({ name: 'One', mlsId: 'events' });
    const { exit, stdout } = await watch(
      ['offices', 'list', '--mls-id', 'events'],
      [
        [(text) => text.includes('One'), () => client().offices.update.mutate({ id, name: 'Two' })],
        [(text) => text.includes('Two'), () => client().offices.deactivate.mutate({ id })],
        [(text) => text.includes('inactive'), nothing],
      ],
      byEvents,
    );
    expect(exit).toBe(130);
    expect(stdout.match(/One|Two|inactive/g)).toEqual(['One', 'Two', 'Two', 'inactive']);
  });

  it('reads the list after a change of an expanded office', async () => {
    const office = await client().offices.create.mutate({ name: 'Old name' });
    const { id } = await client().agents.create.mutate({
      firstName: 'Ana',
      lastName: 'Reis',
      officeId: office.id,
    });
    const { stdout } = await watch(
      ['agents', 'list', '--id', id, '--expand', 'office', '--jsonl', 'office'],
      [
        [
          (text) => text.includes('Old name'),
          () => client().offices.update.mutate({ id: office.id, name: 'New name' }),
        ],
        [(text) => text.includes('New name'), nothing],
      ],
      byEvents,
    );
    expect(stdout.trim().split('\n')).toHaveLength(2);
  });

  it('polls if the key may not read events, or the resource has no events', async () => {
    const { id } = await client().offices.create.mutate({ name: 'Changed', mlsId: 'no-events' });
    const { secret } = await client().keys.create.mutate({ name: 'No events', scopes: ['offices:read'] });
    const { stdout } = await watch(
      ['offices', 'list', '--mls-id', 'no-events', '--jsonl', 'name'],
      [
        [(text) => text.includes('Changed'), () => client().offices.update.mutate({ id, name: 'Seen' })],
        [(text) => text.includes('Seen'), nothing],
      ],
      { ...byEvents, key: secret },
    );
    expect(stdout).toBe('{"name":"Changed"}\n{"name":"Seen"}\n');
    const keys = await watch(['keys', 'list'], [[(text) => text.includes('No events'), nothing]], byEvents);
    expect(keys.exit).toBe(130);
  });

  it('continues after a restart of the service, and waits for a service that has not started yet', async () => {
    await using owner = await startTestServer();
    await using relay = await startTcpProxy();
    const { offices, keys } = createRosterClient(owner);
    const { secret } = await keys.create.mutate({ name: 'W', scopes: ['offices:read', 'events:read'] });
    await offices.create.mutate({ name: 'Before' });
    const { database } = owner;
    const first = await startTestServer({ database });
    let second: TestServer | undefined;
    const restart = async () => {
      second = await startTestServer({ database });
      relay.forwardTo(second.url);
      await offices.create.mutate({ name: 'After' });
    };
    const { exit, stdout } = await watch(
      ['offices', 'list', '--jsonl', 'name'],
      [
        [(text) => text.includes('Trying again'), async () => relay.forwardTo(first.url)],
        [(text) => text.includes('Before'), async () => first[Symbol.asyncDispose]()],
        [(text) => /Before.*Trying again/s.test(text), restart],
        [(text) => text.includes('After'), nothing],
      ],
      { ...byEvents, url: relay.url, key: secret },
    );
    await second?.[Symbol.asyncDispose]();
    expect(exit).toBe(130);
    expect(stdout).toBe('{"name":"Before"}\n{"name":"After"}\n');
  });
});
