import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, statusWith } from '../support/auth/keys.ts';
import {
  PUBLIC,
  SESSION_COOKIE,
  type SignInFixture,
  sessionOf,
  signIn,
  startSignInFixture,
  statusOf,
} from '../support/auth/sign-in.ts';
import { bodyOf } from '../support/fixtures.ts';
import { startTestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

let service: SignInFixture;
beforeAll(async () => {
  service = await startSignInFixture();
});
afterAll(() => service[Symbol.asyncDispose]());

/** A browser of the person who has the next account. */
async function signedIn() {
  const sub = await service.account();
  const browser = service.browser();
  await signIn(browser);
  expect(await statusOf(browser)).toBe(200);
  return { sub, browser };
}

const signOut = (browser: Awaited<ReturnType<typeof signedIn>>['browser']) =>
  browser.fetch(`${PUBLIC}/sign-out`, { method: 'POST' });

describe('a sign-out', () => {
  it('ends the session, deletes the cookie, and leads to the page that ends the session of the provider', async () => {
    const { browser } = await signedIn();
    const token = sessionOf(browser) ?? '';
    const response = await signOut(browser);
    expect(response.status).toBe(200);
    const [cleared] = response.headers.getSetCookie();
    expect(cleared).toBe(`${SESSION_COOKIE}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax`);
    expect(response.headers.get('Clear-Site-Data')).toBe('"cache"');
    const read = await service.server.request('GET', '/offices', undefined, bearer(token));
    await expectProblem(read, 'unauthenticated');
    const { signOutUrl } = await bodyOf<{ signOutUrl: string }>(response);
    const url = new URL(signOutUrl);
    expect(url.origin).toBe(service.provider.issuer);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${PUBLIC}/`);
  });

  it('at the provider ends the sessions there, and all that began with them here (back-channel)', async () => {
    const { browser } = await signedIn();
    const first = sessionOf(browser) ?? '';
    await signIn(browser);
    const { signOutUrl } = await bodyOf<{ signOutUrl: string }>(await signOut(browser));
    expect(await statusWith(service.server, first)).toBe(200);
    const page = await (await browser.navigate(signOutUrl)).text();
    const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
    const confirmed = await browser.submit(action, { xsrf, logout: 'yes' });
    expect(confirmed.headers.get('Location')).toBe(`${PUBLIC}/`);
    await expect.poll(() => statusWith(service.server, first)).toBe(401);
  });

  it('only deletes the cookie of a session that has ended already', async () => {
    const { browser } = await signedIn();
    const cookies = new Map(browser.cookies.get('roster.example'));
    await signOut(browser);
    browser.cookies.set('roster.example', cookies);
    const response = await signOut(browser);
    expect([response.status, await response.json()]).toEqual([200, { signOutUrl: null }]);
    expect(sessionOf(browser)).toBe(undefined);
  });

  it('ends the session although the provider is down', async () => {
    const { browser } = await signedIn();
    service.provider.isDown = true;
    try {
      expect((await signOut(browser)).status).toBe(200);
    } finally {
      service.provider.isDown = false;
    }
    expect(await statusOf(browser)).toBe(401);
  });

  it('cannot be made by a page of another site', async () => {
    const { browser } = await signedIn();
    const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    const response = await browser.fetch(`${PUBLIC}/sign-out`, { method: 'POST', headers });
    await expectProblem(response, 'unauthenticated');
    expect(await statusOf(browser)).toBe(200);
  });

  it('of a key is rejected: it has no session', async () => {
    await expectProblem(await service.server.request('POST', '/sign-out', {}), 'unauthenticated');
  });
});

describe('a logout token of the provider', () => {
  const claimsFor = (claims: object) => ({
    iss: service.provider.issuer,
    aud: 'roster',
    iat: Math.floor(Date.now() / 1_000),
    exp: Math.floor(Date.now() / 1_000) + 120,
    jti: randomUUID(),
    events: { [LOGOUT_EVENT]: {} },
    ...claims,
  });
  const post = (token: string, at = service.server) =>
    fetch(`${at.url}/sign-out/back-channel`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    });
  const sign = (claims: object, header: object = { typ: 'logout+jwt' }) =>
    service.provider.sign(claimsFor(claims), header);

  async function sidOf(sub: string): Promise<string> {
    const { db } = service.server.database;
    const session = db
      .selectFrom('session')
      .innerJoin('person', 'person.id', 'session.person_id')
      .where('person.subject', '=', sub);
    return (await session.select('provider_session').executeTakeFirst())?.provider_session ?? '';
  }

  it('ends every session of a person, and those of nobody else', async () => {
    const other = await signedIn();
    const { sub, browser } = await signedIn();
    const second = service.browser();
    await signIn(second);
    expect((await post(await sign({ sub }))).status).toBe(200);
    expect([await statusOf(browser), await statusOf(second)]).toEqual([401, 401]);
    expect(await statusOf(other.browser)).toBe(200);
  });

  it('ends one session by its id at the provider', async () => {
    const { sub, browser } = await signedIn();
    const sid = await sidOf(sub);
    const second = service.browser();
    await signIn(second);
    expect((await post(await sign({ sub, sid }))).status).toBe(200);
    expect([await statusOf(browser), await statusOf(second)]).toEqual([401, 200]);
  });

  it('works once', async () => {
    const { sub, browser } = await signedIn();
    const token = await sign({ sub });
    expect((await post(token)).status).toBe(200);
    await signIn(browser);
    await expectProblem(await post(token, service.other), 'invalid_logout_token');
    expect(await statusOf(browser)).toBe(200);
  });

  it.each([
    ['of another issuer', { iss: 'https://evil.example' }, {}],
    ['for another service', { aud: 'another' }, {}],
    ['that is old', { iat: Math.floor(Date.now() / 1_000) - 3_600 }, {}],
    ['that has expired', { exp: Math.floor(Date.now() / 1_000) - 60 }, {}],
    ['without an id', { jti: undefined }, {}],
    ['without the event', { events: {} }, {}],
    ['that names nobody', { sub: undefined }, {}],
    ['with a nonce, which is an ID token', { nonce: 'x' }, {}],
    ['of another type', {}, { typ: 'at+jwt' }],
    ['signed with an unknown key', {}, { kid: 'unknown' }],
  ])('%s is rejected', async (_, claims, header) => {
    const { sub, browser } = await signedIn();
    const response = await post(await sign({ sub, ...claims }, header));
    await expectProblem(response, 'invalid_logout_token');
    expect(await statusOf(browser)).toBe(200);
  });

  it('without a signature is rejected, and so is a form without one', async () => {
    const { sub, browser } = await signedIn();
    const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const unsigned = `${encoded({ alg: 'none' })}.${encoded(claimsFor({ sub }))}.`;
    for (const token of [unsigned, 'x', '']) await expectProblem(await post(token), 'invalid_logout_token');
    const empty = { method: 'POST', body: new URLSearchParams() };
    await expectProblem(
      await fetch(`${service.server.url}/sign-out/back-channel`, empty),
      'invalid_logout_token',
    );
    expect(await statusOf(browser)).toBe(200);
  });

  it('is 503 while its signature cannot be checked', async () => {
    await using fresh = await startTestServer({
      publicUrl: PUBLIC,
      identityProvider: service.provider.config,
      database: service.server.database,
      connection: {},
    });
    const token = await sign({ sub: 'x' });
    service.provider.isDown = true;
    try {
      await expectProblem(await post(token, fresh), 'unavailable');
    } finally {
      service.provider.isDown = false;
    }
  });
});
