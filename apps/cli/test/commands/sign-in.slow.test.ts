import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SignInFixture, startSignInFixture } from '@roster/server/testing/sign-in';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CliOptions, runCli } from '../support/run-cli.ts';

let service: SignInFixture;
beforeAll(async () => {
  service = await startSignInFixture();
});
afterAll(() => service[Symbol.asyncDispose]());

let home: string;
const fileOf = () => join(home, 'roster', 'config.json');
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'roster-home-'));
  await service.account({ grants: [{ role: 'editor', officeIds: null }] });
});
afterEach(() => rmSync(home, { recursive: true }));

const cli = (argv: string[], options: CliOptions = {}) =>
  runCli(argv, { ...options, env: { XDG_CONFIG_HOME: home, ...options.env } });
const stored = () => JSON.parse(readFileSync(fileOf(), 'utf8')).profiles.default;

/** Logs in, and does in a browser what a person would do there. */
async function loginByBrowser(response: (url: string) => Promise<unknown>, options: CliOptions = {}) {
  const opened: string[] = [];
  const argv = [
    'login',
    '--url',
    service.server.url,
    ...(options.output === 'terminal' ? [] : ['--browser']),
  ];
  const result = cli(argv, { opened, hasBrowser: true, ...options });
  await expect.poll(() => opened.length).toBe(1);
  await response(opened[0] ?? '');
  return result;
}

/** Signs in at the provider. Returns the address at the terminal to which the page leads. */
async function terminalAddress(url: string): Promise<string> {
  const page = await (await service.browser().navigate(url)).text();
  const [, href = ''] = /href="([^"]+)"/.exec(page) ?? [];
  return href.replaceAll('&amp;', '&');
}

async function confirm(url: string): Promise<void> {
  const response = await fetch(await terminalAddress(url));
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('You can close this page.');
}

describe('login of a person', () => {
  it.each(['terminal', 'pipe'] as const)('with a browser stores a session: %s', async (output) => {
    const { exit, stdout, stderr } = await loginByBrowser(confirm, { output });
    expect([exit, stdout]).toEqual([0, '']);
    expect(stderr).toContain('Sign in with the browser: https://roster.example/sign-in?');
    expect(stderr).toContain(`Logged in to ${service.server.url} as Ana: the profile default is stored in`);
    expect(stored()).toEqual({ url: service.server.url, key: expect.stringMatching(/^rss_[\w-]{51}$/) });
    expect(statSync(fileOf()).mode & 0o777).toBe(0o600);
    expect(stderr).not.toContain(stored().key);
    expect(await cli(['offices', 'list'])).toMatchObject({ exit: 0 });
    expect(await cli(['keys', 'list'])).toMatchObject({ exit: 4 });
  });

  it('takes no code from a page that does not know its secret state', async () => {
    const { exit } = await loginByBrowser(async (url) => {
      const address = new URL(await terminalAddress(url));
      const right = address.searchParams.get('state') ?? '';
      address.searchParams.set('state', 'x');
      expect((await fetch(address)).status).toBe(400);
      address.searchParams.set('state', right);
      expect((await fetch(address, { method: 'POST' })).status).toBe(400);
      expect((await fetch(address)).status).toBe(200);
    });
    expect(exit).toBe(0);
  });

  it('ends when it is interrupted, and stores nothing', async () => {
    const interruption = new AbortController();
    const { exit } = await loginByBrowser(async () => interruption.abort(), { signal: interruption.signal });
    expect(exit).toBe(130);
    expect(() => stored()).toThrow();
  });

  it('says why nobody was signed in', async () => {
    const { exit, stderr } = await loginByBrowser(async (url) => {
      const address = new URL(await terminalAddress(url));
      address.searchParams.set('code', 'x'.repeat(43));
      await fetch(address);
    });
    expect(exit).toBe(4);
    expect(stderr).toContain('roster: login: sign-in failed: The code is unknown');
  });

  it('on another device shows a code, and stores a session when it is confirmed', async () => {
    let isConfirmed = false;
    const { exit, stderr } = await cli(['login', '--url', service.server.url, '--device'], {
      onWrite: (text) => {
        if (isConfirmed || !text.includes('enter the code')) return;
        isConfirmed = true;
        void service.provider.confirmDevice();
      },
    });
    expect([exit, stderr]).toEqual([
      0,
      expect.stringMatching(/enter the code \w{4}-\w{4}\nLogged in to \S+ as Ana: /),
    ]);
    expect(await cli(['whoami', '--jq', '.name'])).toMatchObject({ exit: 0, stdout: 'Ana\n' });
  });
});

describe('whoami', () => {
  it('shows the person, their rights and the session', async () => {
    await loginByBrowser(confirm);
    const { exit, stdout } = await cli(['whoami', '--json']);
    expect([exit, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({
        type: 'person',
        name: 'Ana',
        grants: [expect.objectContaining({ role: 'editor', officeIds: null })],
        session: expect.objectContaining({ method: 'oidc', endedAt: null }),
      }),
    ]);
  });

  it('shows the key', async () => {
    const { exit, stdout } = await cli(['whoami', '--json', 'type,session'], {
      url: service.server.url,
      key: service.server.key,
    });
    expect([exit, JSON.parse(stdout)]).toEqual([0, { type: 'key', session: null }]);
  });
});

it('status shows whose session is used, and not its token', async () => {
  await loginByBrowser(confirm);
  const { exit, stdout } = await cli(['status', '--json']);
  const shown = JSON.parse(stdout);
  expect([exit, shown]).toEqual([0, expect.objectContaining({ keyState: 'accepted', keyName: 'Ana' })]);
  expect(shown.key).toBe(`${stored().key.slice(0, 12)}…`);
});

describe('logout', () => {
  it('ends the session, and removes it', async () => {
    await loginByBrowser(confirm);
    const { key } = stored();
    expect(await cli(['logout'])).toEqual({
      exit: 0,
      stdout: '',
      stderr: `Removed the profile default for ${service.server.url} from ${fileOf()}\n`,
    });
    expect(await cli(['offices', 'list'], { url: service.server.url, key })).toMatchObject({ exit: 4 });
    expect(readFileSync(fileOf(), 'utf8')).not.toContain(key);
  });

  it('removes it although the service does not respond, and says that it is valid still', async () => {
    await loginByBrowser(confirm);
    const profiles = { default: { url: 'http://127.0.0.1:1', key: stored().key } };
    writeFileSync(fileOf(), JSON.stringify({ profiles }));
    const { exit, stderr } = await cli(['logout']);
    expect(exit).toBe(0);
    expect(stderr).toContain("Can't reach http://127.0.0.1:1 to end the session");
    expect(JSON.parse(readFileSync(fileOf(), 'utf8'))).toEqual({ profiles: {} });
  });
});

describe('open', () => {
  it('signs the browser in with the rights of the key, by a link that works once', async () => {
    const opened: string[] = [];
    const at = { url: service.server.url, key: service.server.key, output: 'terminal', opened } as const;
    expect(await cli(['open'], { ...at, hasBrowser: true })).toEqual({
      exit: 0,
      stdout: '',
      stderr: `Opened ${service.server.url}/\n`,
    });
    const browser = service.browser();
    expect((await browser.visit(opened[0] ?? '')).status).toBe(200);
    expect((await browser.fetch('https://roster.example/keys')).status).toBe(200);
    expect((await browser.visit(opened[0] ?? '')).status).toBe(400);
  });

  it('prints no link in a pipe', async () => {
    const at = { url: service.server.url, key: service.server.key };
    expect(await cli(['open'], at)).toMatchObject({ stdout: `${service.server.url}/\n` });
  });
});
