import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CliOptions, runCli } from '../support/run-cli.ts';
import { useDirectory } from '../support/test-service.ts';

const { url, key, client } = useDirectory();

let env: Record<string, string>;
let file: string;

/** A user with nothing in the environment but a home. */
beforeEach(() => {
  const home = mkdtempSync(join(tmpdir(), 'roster-home-'));
  env = { XDG_CONFIG_HOME: home };
  file = join(home, 'roster', 'config.json');
});

const cli = (argv: string[], options: CliOptions = {}) =>
  runCli(argv, { ...options, env: { ...env, ...options.env } });
const login = (argv: string[], input: string, options: CliOptions = {}) =>
  cli(['login', '--with-key', ...argv], { input, ...options });

describe('login', () => {
  it('keeps URL and key where only their owner can read them, after checking them', async () => {
    expect(await login(['--url', url()], `${key()}\n`)).toEqual({
      exit: 0,
      stdout: '',
      stderr: `Logged in to ${url()}: the profile default is kept in ${file}\n`,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(file))).toEqual(['config.json']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      profiles: { default: { url: url(), key: key() } },
    });
    expect(await cli(['offices', 'list'])).toMatchObject({ exit: 0 });
  });

  it('keeps several profiles beside each other', async () => {
    const { secret } = await client().keys.create.mutate({ name: 'Reader', scopes: ['offices:read'] });
    await login(['--url', url()], key());
    await login(['--url', url(), '--profile', 'reader'], secret);
    expect(await cli(['agents', 'list'])).toMatchObject({ exit: 0 });
    expect(await cli(['agents', 'list', '--profile', 'reader'])).toMatchObject({ exit: 4 });
    expect(await cli(['agents', 'list'], { env: { ROSTER_PROFILE: 'reader' } })).toMatchObject({ exit: 4 });
  });

  it('takes another key for the URL a profile has', async () => {
    await login(['--url', url()], key());
    const { secret } = await client().keys.create.mutate({ name: 'New', scopes: ['offices:read'] });
    expect(await login([], secret)).toMatchObject({ exit: 0 });
    expect(JSON.parse(readFileSync(file, 'utf8')).profiles.default).toEqual({ url: url(), key: secret });
  });

  it('keeps nothing of a key that the service does not take', async () => {
    const outcome = await login(['--url', url()], 'rst_wrong');
    expect(outcome).toMatchObject({ exit: 4, stdout: '' });
    expect(outcome.stderr).toContain(`roster: login: ${url()} does not take this key; nothing was kept\n`);
    expect(readdirSync(env.XDG_CONFIG_HOME ?? '')).toEqual([]);
  });

  it('says that the environment comes before the profile', async () => {
    const { stderr } = await login(['--url', url()], key(), { env: { ROSTER_KEY: 'other' } });
    expect(stderr).toContain('ROSTER_KEY is set, and comes before the profile.\n');
  });

  it.each([
    [['login', '--url', 'nowhere', '--with-key'], 2, '"nowhere" is not an http or https URL'],
    [
      ['login', '--url', 'http://127.0.0.1:1'],
      2,
      'there is nobody to ask\nGive the key on stdin, with --with-key.',
    ],
    [['login', '--url', 'http://127.0.0.1:1', '--with-key'], 2, 'the key from stdin is not one line'],
    [['login', '--profile', 'a b', '--with-key'], 2, '"a b" cannot be the name of a profile'],
    [['login', '--url', 'http://127.0.0.1:1', '--key', 'x'], 1, 'No response from http://127.0.0.1:1/trpc'],
  ])('that cannot succeed says why: %j', async (argv, exit, message) => {
    const outcome = await cli(argv);
    expect(outcome).toMatchObject({ exit, stdout: '' });
    expect(outcome.stderr).toContain(message);
  });

  it('says so when the file cannot be written', async () => {
    mkdirSync(file, { recursive: true });
    const outcome = await login(['--url', url(), '--profile', 'x'], key());
    expect(outcome.exit).not.toBe(0);
    expect(outcome.stderr).toContain(`roster: login: `);
    expect(outcome.stderr).toContain(file);
  });
});

describe('logout', () => {
  it('forgets the key of a profile, and no other', async () => {
    await login(['--url', url()], key());
    await login(['--url', url(), '--profile', 'work'], key());
    expect(await cli(['logout', '--profile', 'work'])).toEqual({
      exit: 0,
      stdout: '',
      stderr: `The profile work for ${url()} is removed from ${file}\n`,
    });
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).profiles)).toEqual(['default']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('names the profiles there are when there is none of that name', async () => {
    await login(['--url', url(), '--profile', 'work'], key());
    expect(await cli(['logout', '--profile', 'wrk'])).toEqual({
      exit: 1,
      stdout: '',
      stderr: 'roster: logout: there is no profile wrk\nDid you mean work? There are work.\n',
    });
    expect((await cli(['logout'])).stderr).toBe(
      'roster: logout: there is no profile default\nThere are work.\n',
    );
  });
});

describe('status', () => {
  const json = async (options: CliOptions = {}, argv: string[] = []) => {
    const { exit, stdout, stderr } = await cli(['status', '--json', ...argv], options);
    return { exit, stderr, ...JSON.parse(stdout) };
  };

  it('says which service is called and as whom, and where both come from', async () => {
    const { secret } = await client().keys.create.mutate({
      name: 'Front desk',
      scopes: ['keys:manage', 'offices:read'],
    });
    await login(['--url', url()], secret);
    expect(await json()).toMatchObject({
      exit: 0,
      stderr: '',
      url: url(),
      urlSource: 'the profile default',
      profile: 'default',
      key: `${secret.slice(0, 12)}…`,
      keySource: `the profile default in ${file}`,
      keyState: 'accepted',
      keyName: 'Front desk',
      scopes: ['keys:manage', 'offices:read'],
      areScopesAll: true,
      expiresAt: null,
      service: 'ready',
      serviceVersion: '0.1.0',
      version: '1.2.3',
    });
  });

  it('never shows a key', async () => {
    const { stdout, stderr } = await cli(['status', '--key', key(), '--url', url()]);
    expect(stdout).toContain('keySource\t--key\n');
    expect(stdout + stderr).not.toContain(key());
  });

  it('says of a key that may not see keys what it may read', async () => {
    const { secret } = await client().keys.create.mutate({
      name: 'x',
      scopes: ['agents:read', 'agents:write', 'events:read'],
    });
    const found = await json({ url: url(), key: secret });
    const scopes = ['agents:read', 'events:read'];
    expect(found).toMatchObject({ exit: 0, keyName: null, scopes, areScopesAll: false });
  });

  it('ends with 4 for want of a key that is taken', async () => {
    expect(await json({ url: url() })).toMatchObject({
      exit: 4,
      key: null,
      keyState: 'none',
      service: 'ready',
      stderr: `roster: status: there is no key for ${url()}\nGive one with: roster login, --key or ROSTER_KEY.\n`,
    });
    expect(await json({ url: url(), key: 'wrong' })).toMatchObject({ exit: 4, keyState: 'refused' });
  });

  it.each([
    ['nothing listens', undefined],
    ['something else answers', '<h1>Hello</h1>'],
  ])('ends with 1 where %s', async (_, body) => {
    const other = createServer((_request, response) => response.end(body));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    if (body === undefined) await new Promise((resolve) => other.close(resolve));
    expect(await json({ url: elsewhere, key: 'x' })).toMatchObject({
      exit: 1,
      service: 'unreachable',
      keyState: 'not known',
      serviceVersion: null,
    });
    other.close();
  });
});

describe('open', () => {
  it('opens the documentation where there is a browser, and else prints its URL', async () => {
    const opened: string[] = [];
    const at = { url: `${url()}/`, opened, place: 'terminal' } as const;
    expect(await cli(['open'], { ...at, hasBrowser: true })).toEqual({
      exit: 0,
      stdout: '',
      stderr: `Opened ${url()}/docs\n`,
    });
    expect(opened).toEqual([`${url()}/docs`]);
    expect(await cli(['open'], at)).toEqual({ exit: 0, stdout: `${url()}/docs\n`, stderr: '' });
    expect(await cli(['open'], { url: url(), opened: [], hasBrowser: true })).toMatchObject({
      stdout: `${url()}/docs\n`,
    });
  });
});

it('refuses a config file that is none, and says what to do', async () => {
  await login(['--url', url()], key());
  writeFileSync(file, '{}');
  expect(await cli(['offices', 'list'])).toEqual({
    exit: 4,
    stdout: '',
    stderr: `roster: offices list: ${file} is not a config file of roster\nDelete it, and make it anew with: roster login\n`,
  });
});
