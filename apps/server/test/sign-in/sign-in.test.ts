import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  expectFailure,
  PUBLIC,
  SESSION_COOKIE,
  sessionOf,
  signIn,
  statusOf,
  untilCallback,
  useSignIn,
} from '../support/auth/sign-in.ts';
import { bodyOf } from '../support/fixtures.ts';
import { startTestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

const service = useSignIn();

describe('a sign-in at the identity provider', () => {
  it('gives an invited person a session of their rights, and leads to where they wanted to go', async () => {
    await service().account();
    const browser = service().browser();
    const response = await signIn(browser, '/sign-in?returnTo=/docs/?tab=1');
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<meta http-equiv="refresh" content="0;url=/docs/?tab=1">');
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Content-Security-Policy')).toContain(
      "default-src 'none'; style-src 'sha256-",
    );
    expect(await statusOf(browser)).toBe(200);
    const written = await browser.fetch(`${PUBLIC}/offices`, { method: 'POST', body: { name: 'Porto' } });
    await expectProblem(written, 'insufficient_scope');
  });

  it('sets a cookie of this host alone that scripts cannot read, and that is sent over https alone', async () => {
    await service().account();
    const browser = service().browser();
    await signIn(browser);
    const [cookie] = browser.setCookies.filter((line) => line.startsWith(SESSION_COOKIE));
    expect(cookie).toMatch(
      /^__Host-roster_session=rss_[\w-]{51}; Path=\/; Max-Age=60(4800|4[67]\d\d); HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('stores neither the token of the session nor the state of the sign-in', async () => {
    await service().account();
    const browser = service().browser();
    const callback = await untilCallback(browser);
    const state = new URL(callback).searchParams.get('state') ?? 'none';
    const { rows } = await sql`select * from sign_in`.execute(service().server.database.db);
    expect(JSON.stringify(rows)).not.toContain(state);
    await browser.visit(callback);
    const sessions = await sql`select * from session`.execute(service().server.database.db);
    expect(JSON.stringify(sessions.rows)).not.toContain(sessionOf(browser)?.slice(0, 47));
  });

  it('finds the person again by their identity when the e-mail address has changed', async () => {
    const sub = await service().account();
    await signIn(service().browser());
    service().provider.accounts.set(sub, { email: 'new@atlantico.example', email_verified: true });
    const browser = service().browser();
    expect((await signIn(browser)).status).toBe(200);
    expect(await statusOf(browser)).toBe(200);
  });

  it('works in several tabs of one browser', async () => {
    await service().account();
    const browser = service().browser();
    const [one, two] = [await untilCallback(browser), await untilCallback(browser)];
    expect((await browser.visit(one)).status).toBe(200);
    expect((await browser.visit(two)).status).toBe(200);
  });
});

describe('nobody is signed in', () => {
  it.each([
    ['who is unknown', {}, false],
    ['whose e-mail address the provider has not verified', { email_verified: false }, true],
    [
      'of whose e-mail address the provider does not say whether it is verified',
      { email_verified: undefined },
      true,
    ],
  ])('%s', async (_, claims, isInvited) => {
    await service().account({ claims, isInvited });
    const browser = service().browser();
    await expectFailure(await signIn(browser), 'sign_in_denied', browser);
  });

  it('who has been deactivated', async () => {
    await service().account();
    await signIn(service().browser());
    await sql`update person set status = 'inactive' where subject = ${service().provider.user}`.execute(
      service().server.database.db,
    );
    const browser = service().browser();
    await expectFailure(await signIn(browser), 'sign_in_denied', browser);
  });

  it('by a state that was never given, or none', async () => {
    await service().account();
    const browser = service().browser();
    const callback = new URL(await untilCallback(browser));
    callback.searchParams.set('state', 'x'.repeat(43));
    await expectFailure(await browser.visit(callback.href), 'sign_in_failed', browser);
    callback.searchParams.delete('state');
    await expectFailure(await browser.visit(callback.href), 'sign_in_failed', browser);
  });

  it('by an ID token for another nonce', async () => {
    await service().account();
    const browser = service().browser();
    const callback = await untilCallback(browser);
    const nonce = { nonce: 'x'.repeat(43) };
    await sql`update sign_in set data = (data::jsonb || ${JSON.stringify(nonce)}::jsonb)::json`.execute(
      service().server.database.db,
    );
    await expectFailure(await browser.visit(callback), 'sign_in_failed', browser);
  });

  it('by the same callback a second time', async () => {
    await service().account();
    const browser = service().browser();
    const callback = await untilCallback(browser);
    expect((await browser.visit(callback)).status).toBe(200);
    const before = sessionOf(browser);
    expect((await browser.visit(callback)).status).toBe(400);
    expect(sessionOf(browser)).toBe(before);
  });

  it('by a callback later than ten minutes', async () => {
    await service().account();
    const browser = service().browser();
    const callback = await untilCallback(browser);
    await sql`update sign_in set expires_at = now() - interval '1 s'`.execute(service().server.database.db);
    await expectFailure(await browser.visit(callback), 'sign_in_failed', browser);
  });

  it('by the callback of a sign-in that began in another browser (login CSRF)', async () => {
    await service().account();
    const victim = service().browser();
    await expectFailure(
      await victim.visit(await untilCallback(service().browser())),
      'sign_in_failed',
      victim,
    );
    // Not by one who has begun a sign-in of their own either.
    await untilCallback(victim);
    await expectFailure(
      await victim.visit(await untilCallback(service().browser())),
      'sign_in_failed',
      victim,
    );
  });

  it('by a response of another issuer (mix-up)', async () => {
    await service().account();
    const browser = service().browser();
    const callback = new URL(await untilCallback(browser));
    callback.searchParams.set('iss', 'https://other.example');
    await expectFailure(await browser.visit(callback.href), 'sign_in_failed', browser);
  });

  it('who has cancelled at the provider', async () => {
    const browser = service().browser();
    const callback = new URL(await untilCallback(browser));
    callback.searchParams.delete('code');
    callback.searchParams.set('error', 'access_denied');
    const response = await browser.visit(callback.href);
    expect(await response.clone().text()).toContain('The identity provider responded access_denied.');
    await expectFailure(response, 'sign_in_failed', browser);
  });
});

describe('the place to return to', () => {
  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    'javascript:alert(1)',
    '',
    '/../..//evil.example',
    '/sign-in/link?token=of-someone-else',
    '/docs/../%73ign-in/link?token=of-someone-else',
    '/%',
  ])('is a path of this service: %j is rejected', async (returnTo) => {
    const path = `/sign-in?${new URLSearchParams({ returnTo })}`;
    const response = await service().server.request('GET', path, undefined, { Authorization: '' });
    await expectProblem(response, 'invalid_parameter');
  });
});

it('a service without an identity provider says so', async () => {
  await using plain = await startTestServer({ database: service().server.database, connection: {} });
  expect(await bodyOf(await fetch(`${plain.url}/sign-in/methods`))).toEqual({
    key: true,
    provider: false,
    url: null,
    passkeyOrigin: plain.url.replace('127.0.0.1', 'localhost'),
    mail: false,
    email: false,
  });
  expect(await bodyOf(await fetch(`${service().server.url}/sign-in/methods`))).toEqual({
    key: true,
    provider: true,
    url: PUBLIC,
    passkeyOrigin: null,
    mail: false,
    email: false,
  });
  await expectProblem(await fetch(`${plain.url}/sign-in`), 'no_such_route');
});
