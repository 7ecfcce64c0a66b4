import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importables, resources } from '../../src/contract/resources.ts';
import { startHostileProxy } from '../support/hostile-proxy.ts';
import { runCli } from '../support/run-cli.ts';
import { useTestService } from '../support/test-service.ts';

const ids: Record<string, string> = {};
const { url, key, client } = useTestService(async ({ client }) => {
  const metadata = { costCentre: '1' };
  const office = await client().offices.create.mutate({
    name: 'Porto',
    metadata,
    address: { city: 'Porto' },
  });
  const closed = await client().offices.create.mutate({ name: 'Faro' });
  const agent = await client().agents.create.mutate({ firstName: 'Ana', lastName: 'Reis', metadata });
  await client().offices.update.mutate({ id: office.id, phone: '+351210000001' });
  await client().agents.update.mutate({ id: agent.id, phone: '+351210000001' });
  const webhook = await client().webhooks.create.mutate({ url: 'https://example.com/hook' });
  const made = await client().keys.create.mutate({ name: 'Website', scopes: ['offices:read'] });
  const view = await client().views.create.mutate({ name: 'Active', resource: 'agents' });
  Object.assign(ids, {
    offices: office.id,
    agents: agent.id,
    webhooks: webhook.id,
    keys: made.id,
    views: view.id,
    closed: closed.id,
  });
});
let relayUrl = '';
let stop = async () => {};
beforeAll(async () => {
  const relay = await startHostileProxy(url());
  relayUrl = relay.url;
  stop = async () => relay[Symbol.asyncDispose]();
});
afterAll(() => stop());

/** Every character except line feeds that a terminal might interpret. */
const control = /(?!\n)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** The sequences that draw the progress bar of an import. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
const drawn = /\u001b\[K|\r(?=\u001b\[K|\n)/g;

/** Runs a command line on a terminal with the hostile service; interrupts an endless one at its first output. */
async function shown(argv: string[], { input = '', endless = false } = {}): Promise<string> {
  const interruption = new AbortController();
  const { stdout, stderr } = await runCli(argv, {
    url: relayUrl,
    key: key(),
    output: 'terminal',
    // Wide enough for every column.
    columns: 5_000,
    input,
    signal: interruption.signal,
    onWrite: (text) => void (endless && /owned/.test(text) && interruption.abort()),
  });
  return stdout + stderr;
}

const lists = ['--json', '--jsonl'];
/** The arguments of each operation; several command lines if its output has several forms. */
const words: Record<string, (resource: string) => string[][]> = {
  list: () => [[], ...lists.map((option) => [option])],
  get: (resource) => [[ids[resource] ?? ''], [ids[resource] ?? '', '--json']],
  create: (resource) => {
    // Without any field it would ask for them.
    const fields = made[resource] ?? ['--data', '{}'];
    return [[...fields, '--json'], fields, ['--data', '{}']];
  },
  update: (resource) => [
    [ids[resource] ?? '', '--data', changed[resource] ?? '{}'],
    [ids[resource] ?? '', '--data', '{"metadata":{"a":1}}'],
  ],
  history: (resource) => [[ids[resource] ?? ''], [ids[resource] ?? '', '--json']],
  revert: (resource) => [
    [ids[resource] ?? '', '--to', '1', '--dry-run'],
    [ids[resource] ?? '', '--to', '99'],
  ],
  deliveries: () => [[ids.webhooks ?? '']],
  listen: () => [['--forward-to', 'http://127.0.0.1:1', '--after', '0']],
  tail: () => [
    ['--after', '0'],
    ['--after', '0', '--jsonl'],
  ],
  delete: (resource) => [[ids[resource] ?? ''], [ids[resource] ?? '', '--yes']],
  import: () => [['-'], ['-', '--json']],
  export: () => [[], ['-'], ['--format', 'ndjson']],
};
const made: Record<string, string[]> = {
  offices: ['--name', 'Braga'],
  agents: ['--first-name', 'Rui', '--last-name', 'Sá'],
  teams: ['--name', 'Equipa Braga'],
  webhooks: ['--target-url', 'https://example.com/other'],
  keys: ['--name', 'Other', '--scope', 'offices:read'],
  views: ['--name', 'Mine', '--resource', 'agents'],
};
const changed: Record<string, string> = {
  webhooks: '{"types":["agent.created"]}',
  keys: '{"name":"Again"}',
  views: '{"name":"Again"}',
  offices: '{"phone":"+351210000002"}',
  agents: '{"phone":"+351210000002"}',
};
const endless = new Set(['tail', 'listen']);
/** The order of the operations, so that each finds the record that it needs. */
const last = ['delete', 'restore', 'revoke'];

describe('on a terminal, a service whose texts all contain control characters', () => {
  it.each(resources)('cannot manipulate the terminal with any operation of $name', async (resource) => {
    const importable = importables.some(({ name }) => name === resource.name) ? ['import', 'export'] : [];
    const operations = [...resource.operations, ...importable].toSorted(
      (a, b) => last.indexOf(a) - last.indexOf(b),
    );
    for (const operation of operations) {
      for (const rest of words[operation]?.(resource.name) ?? [[ids[resource.name] ?? '']]) {
        const argv = [resource.name, operation, ...rest];
        const input =
          operation === 'import' ? '{"name":"x","source":{"name":"a","key":"1"},"phone":1}\n' : 'no\n';
        const text = await shown(argv, { input, endless: endless.has(operation) });
        expect(text.replaceAll(drawn, ''), argv.join(' ')).not.toMatch(control);
        expect(text, argv.join(' ')).not.toContain('[object');
        expect(text, argv.join(' ')).not.toBe('');
      }
    }
  });

  it.each([
    [['api', 'offices.list']],
    [['api', 'offices.get', '{}']],
    [['status']],
    [['status', '--json']],
    [['offices', 'get', 'none']],
    [['offices', 'get', 'none', '--json']],
    [['offices', 'list', '--sort', 'a\u001b[2Jb']],
    [['offices', '\u001b[2J']],
  ])('or with %j', async (argv) => {
    const text = await shown(argv);
    expect(text).not.toMatch(control);
    expect(text).not.toBe('');
  });

  it('is shown with visible escapes, and its JSON stays equivalent', async () => {
    await client()
      .offices.restore.mutate({ id: ids.offices ?? '' })
      .catch(() => undefined);
    expect(await shown(['offices', 'get', ids.offices ?? ''])).toContain(
      String.raw`metadata.costCentre\u001b]0;owned\u0007\u001b[2J\u009b31m`,
    );
    const argv = ['offices', 'get', ids.offices ?? '', '--json'];
    const piped = await runCli(argv, { url: relayUrl, key: key() });
    expect(piped.stdout).toContain('\u202e');
    expect(JSON.parse(await shown(argv))).toEqual(JSON.parse(piped.stdout));
  });
});
