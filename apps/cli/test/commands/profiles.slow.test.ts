import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CliOptions, runCli } from '../support/run-cli.ts';
import { useTestService } from '../support/test-service.ts';

const { url, key, client } = useTestService();

let env: Record<string, string>;
let file: string;

// Each test has a user with an empty environment except for a config directory.
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
  it('checks URL and key, and stores them readable by their owner only', async () => {
    expect(await login(['--url', url()], `${key()}\n`)).toEqual({
      exit: 0,
      stdout: '',
      stderr: `Logged in to ${url()}: the profile default is stored in ${file}\n`,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(file))).toEqual(['config.json']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      profiles: { default: { url: url(), key: key() } },
    });
    expect(await cli(['offices', 'list'])).toMatchObject({ exit: 0 });
  });

  it('stores several profiles', async () => {
    const { secret } = await client().keys.create.mutate({ name: 'Reader', scopes: ['offices:read'] });
    await login(['--url', url()], key());
    await login(['--url', url(), '--profile', 'reader'], secret);
    expect(await cli(['agents', 'list'])).toMatchObject({ exit: 0 });
    expect(await cli(['agents', 'list', '--profile', 'reader'])).toMatchObject({ exit: 4 });
    expect(await cli(['agents', 'list'], { env: { ROSTER_PROFILE: 'reader' } })).toMatchObject({ exit: 4 });
  });

  it('replaces the key of a profile and keeps its URL', async () => {
    await login(['--url', url()], key());
    const { secret } = await client().keys.create.mutate({ name: 'New', scopes: ['offices:read'] });
    expect(await login([], secret)).toMatchObject({ exit: 0 });
    expect(JSON.parse(readFileSync(file, 'utf8')).profiles.default).toEqual({ url: url(), key: secret });
  });

  it('uses the address of the server in this directory or a parent, unless the profile has a URL', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'roster-cli-'));
    mkdirSync(join(cwd, '.roster'));
    writeFileSync(join(cwd, '.roster', 'url'), `${url()}\n`, { mode: 0o600 });
    const below = join(cwd, 'docs');
    mkdirSync(below);
    expect((await login([], key(), { cwd: below })).stderr).toContain(`Logged in to ${url()}: `);
    writeFileSync(join(cwd, '.roster', 'url'), 'http://127.0.0.1:1\n', { mode: 0o600 });
    expect((await login([], key(), { cwd })).stderr).toContain(`Logged in to ${url()}: `);
    rmSync(cwd, { recursive: true });
  });

  it('stores nothing if the service rejects the key', async () => {
    const outcome = await login(['--url', url()], 'rst_wrong');
    expect(outcome).toMatchObject({ exit: 4, stdout: '' });
    expect(outcome.stderr).toContain(`roster: login: ${url()} rejects this key; nothing was stored\n`);
    expect(readdirSync(env.XDG_CONFIG_HOME ?? '')).toEqual([]);
  });

  it('says that the environment takes precedence over the profile', async () => {
    const { stderr } = await login(['--url', url()], key(), { env: { ROSTER_KEY: 'other' } });
    expect(stderr).toContain('ROSTER_KEY is set and takes precedence over the profile.\n');
  });

  it.each([
    [['login', '--url', 'nowhere', '--with-key'], 2, '"nowhere" is not an http or https URL'],
    [
      ['login', '--url', 'http://127.0.0.1:1'],
      2,
      "can't ask for the key\nPass the key on stdin, with --with-key.",
    ],
    [['login', '--url', 'http://127.0.0.1:1', '--with-key'], 2, 'the key from stdin is not one line'],
    [['login', '--profile', 'a b', '--with-key'], 2, '"a b" cannot be the name of a profile'],
    [['login', '--url', 'http://127.0.0.1:1', '--key', 'x'], 1, 'No response from http://127.0.0.1:1/trpc'],
  ])('that fails says why: %j', async (argv, exit, message) => {
    const outcome = await cli(argv);
    expect(outcome).toMatchObject({ exit, stdout: '' });
    expect(outcome.stderr).toContain(message);
  });

  it('reports a file that cannot be written', async () => {
    mkdirSync(file, { recursive: true });
    const outcome = await login(['--url', url(), '--profile', 'x'], key());
    expect(outcome.exit).not.toBe(0);
    expect(outcome.stderr).toContain(`roster: login: `);
    expect(outcome.stderr).toContain(file);
  });
});

describe('logout', () => {
  it('removes one profile, and no other', async () => {
    await login(['--url', url()], key());
    await login(['--url', url(), '--profile', 'work'], key());
    expect(await cli(['logout', '--profile', 'work'])).toEqual({
      exit: 0,
      stdout: '',
      stderr: `Removed the profile work for ${url()} from ${file}\n`,
    });
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).profiles)).toEqual(['default']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('lists the existing profiles if there is none with the name', async () => {
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

  it('shows the service and the key, and where both come from', async () => {
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

  it('shows what a key may read that has no scope keys:manage', async () => {
    const { secret } = await client().keys.create.mutate({
      name: 'x',
      scopes: ['agents:read', 'agents:write', 'events:read'],
    });
    const found = await json({ url: url(), key: secret });
    const scopes = ['agents:read', 'events:read'];
    expect(found).toMatchObject({ exit: 0, keyName: null, scopes, areScopesAll: false });
  });

  it('exits with 4 without a valid key', async () => {
    expect(await json({ url: url() })).toMatchObject({
      exit: 4,
      key: null,
      keyState: 'none',
      service: 'ready',
      stderr: `roster: status: there is no key for ${url()}\nSet one with: roster login, --key or ROSTER_KEY.\n`,
    });
    expect(await json({ url: url(), key: 'wrong' })).toMatchObject({ exit: 4, keyState: 'rejected' });
  });

  it.each([
    ['nothing listens', undefined],
    ['something else answers', '<h1>Hello</h1>'],
  ])('exits with 1 if %s', async (_, body) => {
    const other = createServer((_request, response) => response.end(body));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    if (body === undefined) await new Promise((resolve) => other.close(resolve));
    expect(await json({ url: elsewhere, key: 'x' })).toMatchObject({
      exit: 1,
      service: 'unreachable',
      keyState: 'unknown',
      serviceVersion: null,
    });
    other.close();
  });
});

describe('open', () => {
  it('opens the service in a browser, or prints its URL if there is none', async () => {
    const opened: string[] = [];
    const at = { url: `${url()}/`, opened, output: 'terminal' } as const;
    expect(await cli(['open'], { ...at, hasBrowser: true })).toEqual({
      exit: 0,
      stdout: '',
      stderr: `Opened ${url()}/\n`,
    });
    expect(opened).toEqual([`${url()}/`]);
    expect(await cli(['open'], at)).toEqual({ exit: 0, stdout: `${url()}/\n`, stderr: '' });
    expect(await cli(['open'], { url: url(), opened: [], hasBrowser: true })).toMatchObject({
      stdout: `${url()}/\n`,
    });
  });
});

it('an invalid config file is rejected with a hint', async () => {
  await login(['--url', url()], key());
  writeFileSync(file, '{}');
  expect(await cli(['offices', 'list'])).toEqual({
    exit: 4,
    stdout: '',
    stderr: `roster: offices list: ${file} is not a config file of roster\nDelete it, and create it again with: roster login\n`,
  });
});
