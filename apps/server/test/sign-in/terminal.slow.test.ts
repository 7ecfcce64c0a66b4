import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { statusWith } from '../support/auth/keys.ts';
import {
  PUBLIC,
  type SignInFixture,
  sessionOf,
  signIn,
  startSignInFixture,
} from '../support/auth/sign-in.ts';
import { bodyOf } from '../support/fixtures.ts';
import { expectFault, expectProblem } from '../support/problems.ts';

let service: SignInFixture;
beforeAll(async () => {
  service = await startSignInFixture();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  await service.account();
});

const random = () => randomBytes(32).toString('base64url');
const post = (path: string, body: object = {}, at = service.server) =>
  at.request('POST', path, body, { Authorization: '' });

/** What a terminal makes for one sign-in. */
function terminal() {
  const [verifier, state] = [random(), random()];
  const challenge = hash('sha256', verifier, 'base64url');
  return { verifier, query: new URLSearchParams({ port: '50123', challenge, state }).toString(), state };
}

/** The address at the terminal to which the page leads that asks. */
async function addressFor({ query }: { query: string }): Promise<URL> {
  const browser = service.browser();
  const page = await (await signIn(browser, `/sign-in?${query}`)).text();
  expect(page).toContain('Continue only if you have just run roster login.');
  // The page waits for a click.
  expect(page).not.toContain('http-equiv="refresh"');
  expect(sessionOf(browser)).toBe(undefined);
  const [, href = ''] = /href="([^"]+)"/.exec(page) ?? [];
  return new URL(href.replaceAll('&amp;', '&'));
}

describe('a terminal with a browser', () => {
  it('gets a code at its loopback address, and exchanges it for a session on any server, once', async () => {
    const waiting = terminal();
    const address = await addressFor(waiting);
    expect(address.origin).toBe('http://127.0.0.1:50123');
    expect(address.searchParams.get('state')).toBe(waiting.state);
    const exchange = { code: address.searchParams.get('code'), verifier: waiting.verifier };
    const response = await post('/sign-in/token', exchange, service.other);
    expect(response.status).toBe(200);
    const { token, expiresAt, name } = await bodyOf<Record<string, string>>(response);
    expect([name, response.headers.getSetCookie()]).toEqual(['Ana', []]);
    expect(Date.parse(expiresAt ?? '')).toBeGreaterThan(Date.now());
    expect(await statusWith(service.server, token ?? '')).toBe(200);
    await expectProblem(await post('/sign-in/token', exchange), 'sign_in_failed');
  });

  it('gets nothing for a code without the secret of which the sign-in has the SHA-256 (PKCE)', async () => {
    const waiting = terminal();
    const code = (await addressFor(waiting)).searchParams.get('code');
    await expectProblem(await post('/sign-in/token', { code, verifier: random() }), 'sign_in_failed');
    await expectProblem(await post('/sign-in/token', { code, verifier: waiting.verifier }), 'sign_in_failed');
  });

  it('gets nothing for a code that is older than two minutes', async () => {
    const waiting = terminal();
    const code = (await addressFor(waiting)).searchParams.get('code');
    await sql`update sign_in set expires_at = now() - interval '1 s' where kind = 'terminal'`.execute(
      service.server.database.db,
    );
    await expectProblem(await post('/sign-in/token', { code, verifier: waiting.verifier }), 'sign_in_failed');
  });

  it('is not signed in for by a link of another site', async () => {
    const response = await service.browser().navigate(`${PUBLIC}/sign-in?${terminal().query}`, 'cross-site');
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('Open this address yourself');
  });

  it.each([
    ['port=80', 'port'],
    ['port=99999', 'port'],
    ['port=5000%40evil.example', 'port'],
    ['port=50123', 'port'],
    ['challenge=short', 'challenge'],
    ['state=%3Cb%3E', 'state'],
    ['other=1', 'other'],
  ])('must say where it waits: %s is rejected', async (query, parameter) => {
    const response = await service.server.request('GET', `/sign-in?${query}`);
    const problem = await expectProblem(response, 'invalid_parameter');
    expect(problem.errors?.map((error) => error.parameter)).toContain(parameter);
  });
});

describe('a terminal without a browser', () => {
  it('shows a code, and gets a session when someone has confirmed it on another device, once', async () => {
    const begun = await bodyOf<Record<string, string>>(await post('/sign-in/device'));
    expect(begun.verificationUri).toBe(`${service.provider.issuer}/device`);
    expect(begun.userCode).toMatch(/^\w{4}-\w{4}$/);
    const { code } = begun;
    const pending = await post('/sign-in/device/token', { code });
    expect([pending.status, await pending.json()]).toEqual([202, { status: 'authorization_pending' }]);
    await service.provider.confirmDevice();
    const confirmed = await post('/sign-in/device/token', { code }, service.other);
    const { token = '' } = await bodyOf<Record<string, string>>(confirmed);
    expect(await statusWith(service.server, token)).toBe(200);
    await expectProblem(await post('/sign-in/device/token', { code }), 'sign_in_failed');
  });

  it('gets nothing for a code that was never given', async () => {
    await expectProblem(await post('/sign-in/device/token', { code: random() }), 'sign_in_failed');
    const fault = { pointer: '#/code', code: 'invalid_format' };
    await expectFault(await post('/sign-in/device/token', { code: 'x' }), 'validation_failed', fault);
  });

  it('cannot exchange the code for another device as that of a browser', async () => {
    const { code } = await bodyOf<Record<string, string>>(await post('/sign-in/device'));
    await expectProblem(await post('/sign-in/token', { code, verifier: random() }), 'sign_in_failed');
  });
});
