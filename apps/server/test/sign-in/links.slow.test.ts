import { scopes } from '@roster/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFirstLinkUrl } from '../../src/sign-in/link-routes.ts';
import { TestBrowser } from '../support/auth/browser.ts';
import { bearer, keyWith, statusWith } from '../support/auth/keys.ts';
import { bodyOf } from '../support/fixtures.ts';
import { exchange } from '../support/http/raw.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectFault, expectProblem } from '../support/problems.ts';

let server: TestServer;
/** At a loopback address, so that the cookie has its plain name. */
let origin: string;
beforeAll(async () => {
  server = await startTestServer();
  origin = server.url;
});
afterAll(() => server[Symbol.asyncDispose]());

interface Link {
  url: string;
  expiresAt: string;
}

async function linkFor(secret: string, body: object = {}): Promise<string> {
  const response = await server.request('POST', '/sign-in/links', body, bearer(secret));
  expect(response.status).toBe(201);
  return (await bodyOf<Link>(response)).url;
}

const firstLinkOf = ({ database: { db }, url }: TestServer) =>
  createFirstLinkUrl({ db, now: () => new Date() }, url);
const readsIn = async (browser: TestBrowser, path = '/offices') =>
  (await browser.fetch(`${origin}${path}`)).status;
const tokenOf = (browser: TestBrowser) => browser.cookie(origin, 'roster_session');

describe('the link for the first person', () => {
  it('makes whoever opens it first an admin, once', async () => {
    const first = () => firstLinkOf(server);
    const [one, two] = [await first(), await first()];
    const browser = new TestBrowser();
    const response = await browser.visit(one);
    expect(response.status).toBe(200);
    expect(await readsIn(browser, '/keys')).toBe(200);
    expect(browser.setCookies).toEqual([
      expect.stringMatching(/^roster_session=rss_\S+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/),
    ]);
    const people = await sql`select name, status, grants from person`.execute(server.database.db);
    expect(people.rows).toEqual([
      { name: 'Administrator', status: 'active', grants: [{ role: 'admin', officeIds: null }] },
    ]);
    for (const link of [one, two]) {
      const late = new TestBrowser();
      expect((await late.visit(link)).status).toBe(400);
      expect(tokenOf(late)).toBe(undefined);
    }
  });

  it('has one winner when several people open one at the same time', async () => {
    await using fresh = await startTestServer();
    const make = () => firstLinkOf(fresh);
    const links = await Promise.all([make(), make(), make(), make()]);
    const responses = await Promise.all(links.map((link) => new TestBrowser().visit(link)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });
});

describe('a link of a key', () => {
  it('gives a session of the rights of the key, which ends with the key, and leads where it was asked to', async () => {
    const key = await keyWith(server, ['offices:read']);
    const browser = new TestBrowser();
    const response = await browser.visit(await linkFor(key.secret, { returnTo: '/docs/' }));
    expect(await response.text()).toContain('url=/docs/');
    expect([await readsIn(browser), await readsIn(browser, '/agents')]).toEqual([200, 403]);
    await server.request('PUT', `/keys/${key.id}/revoke`);
    expect(await readsIn(browser)).toBe(401);
  });

  it('works no longer when twenty newer ones were made, and the first of fifty-one sessions ends', async () => {
    const { secret } = await keyWith(server, ['offices:read']);
    const links: string[] = [];
    for (let count = 0; count < 21; count += 1) links.push(await linkFor(secret));
    const [first = '', second = ''] = links;
    expect((await new TestBrowser().visit(first)).status).toBe(400);
    const oldest = new TestBrowser();
    expect((await oldest.visit(second)).status).toBe(200);
    for (let count = 0; count < 49; count += 1)
      expect((await new TestBrowser().visit(await linkFor(secret))).status).toBe(200);
    expect(await readsIn(oldest)).toBe(200);
    const newest = new TestBrowser();
    await newest.visit(await linkFor(secret));
    expect([await readsIn(oldest), await readsIn(newest)]).toEqual([401, 200]);
  });

  it('works once, also at the same time', async () => {
    const { secret } = await keyWith(server, ['offices:read']);
    const link = await linkFor(secret);
    const browsers = [new TestBrowser(), new TestBrowser(), new TestBrowser()];
    const responses = await Promise.all(browsers.map((browser) => browser.visit(link)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    await expectProblem(await fetch(link), 'sign_in_failed');
  });

  it('is of no use after ten minutes', async () => {
    let clock = new Date();
    await using slow = await startTestServer({ now: () => clock });
    const response = await slow.request('POST', '/sign-in/links');
    const { url, expiresAt } = await bodyOf<Link>(response);
    expect(Date.parse(expiresAt) - clock.getTime()).toBe(600_000);
    clock = new Date(clock.getTime() + 600_000);
    await expectProblem(await fetch(url), 'sign_in_failed');
  });

  it('is stored as its SHA-256 alone', async () => {
    const { secret } = await keyWith(server, ['offices:read']);
    const token = new URL(await linkFor(secret)).searchParams.get('token') ?? 'none';
    const { rows } = await sql`select * from sign_in`.execute(server.database.db);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('cannot be opened by a page of another site, which would have someone sign in as another (login CSRF)', async () => {
    const { secret } = await keyWith(server, ['offices:read']);
    const link = await linkFor(secret);
    const browser = new TestBrowser();
    expect((await browser.visit(link, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(400);
    expect(tokenOf(browser)).toBe(undefined);
    expect((await browser.visit(link)).status).toBe(200);
  });

  it('is not used up by a HEAD, which programs send to preview an address', async () => {
    const { secret } = await keyWith(server, ['offices:read']);
    const link = await linkFor(secret);
    expect((await fetch(link, { method: 'HEAD' })).status).toBe(405);
    expect((await new TestBrowser().visit(link)).status).toBe(200);
  });

  it('of a session ends with that session at the latest', async () => {
    let clock = new Date();
    await using timed = await startTestServer({ now: () => clock });
    const browser = new TestBrowser();
    const open = async (secret: string) => {
      const response = await timed.request('POST', '/sign-in/links', {}, bearer(secret));
      await browser.visit((await bodyOf<Link>(response)).url);
      return browser.cookie(timed.url, 'roster_session') ?? '';
    };
    const first = await open(timed.key);
    for (let hour = 0; hour < 160; hour += 8) {
      clock = new Date(clock.getTime() + 8 * 3_600_000);
      expect(await statusWith(timed, first)).toBe(200);
    }
    const second = await open(first);
    expect(await statusWith(timed, second)).toBe(200);
    clock = new Date(clock.getTime() + 8 * 3_600_000);
    expect([await statusWith(timed, first), await statusWith(timed, second)]).toEqual([401, 401]);
  });

  it('of a person who was deleted meanwhile is of no use', async () => {
    await using fresh = await startTestServer();
    const browser = new TestBrowser();
    await browser.visit(await firstLinkOf(fresh));
    const session = browser.cookie(fresh.url, 'roster_session') ?? '';
    const response = await fresh.request('POST', '/sign-in/links', {}, bearer(session));
    const { url } = await bodyOf<Link>(response);
    await sql`delete from person`.execute(fresh.database.db);
    await expectProblem(await fetch(url), 'sign_in_failed');
  });

  it('is made only for a valid caller, and only to a path of the service', async () => {
    await expectProblem(
      await server.request('POST', '/sign-in/links', {}, { Authorization: '' }),
      'unauthenticated',
    );
    const elsewhere = await server.request('POST', '/sign-in/links', { returnTo: 'https://evil.example' });
    await expectFault(elsewhere, 'validation_failed', { pointer: '#/returnTo', code: 'not_allowed' });
  });
});

describe('a key that is exchanged for a session', () => {
  const exchangeKey = (browser: TestBrowser, key: unknown, headers = {}) =>
    browser.fetch(`${origin}/sign-in/key`, { method: 'POST', body: { key }, headers });

  it('gives its rights to the browser, and the key of the service all of them', async () => {
    const { secret } = await keyWith(server, ['agents:read']);
    const browser = new TestBrowser();
    expect((await exchangeKey(browser, ` ${secret}\n`)).status).toBe(204);
    expect([await readsIn(browser, '/agents'), await readsIn(browser)]).toEqual([200, 403]);
    expect(browser.setCookies[0]).not.toContain(secret);
    expect((await exchangeKey(browser, server.key)).status).toBe(204);
    expect(await readsIn(browser, '/keys')).toBe(200);
  });

  it('ends with the key', async () => {
    const { id, secret } = await keyWith(server, ['offices:read']);
    const browser = new TestBrowser();
    await exchangeKey(browser, secret);
    await server.request('PATCH', `/keys/${id}`, { expiresAt: '2020-01-01T00:00:00Z' });
    expect(await readsIn(browser)).toBe(401);
  });

  it('is a key that is valid, and whose secret is the current one', async () => {
    const browser = new TestBrowser();
    await expectProblem(await exchangeKey(browser, 'rst_unknown'), 'unauthenticated');
    await expectProblem(await exchangeKey(browser, 7), 'validation_failed');
    const { id, secret } = await keyWith(server, scopes);
    await server.request('PUT', `/keys/${id}/rotate`, { overlapSeconds: 60 });
    await expectProblem(await exchangeKey(browser, secret), 'insufficient_scope');
    expect(tokenOf(browser)).toBe(undefined);
  });

  it('is no session, so that no session prolongs itself', async () => {
    const browser = new TestBrowser();
    await exchangeKey(browser, server.key);
    await expectProblem(await exchangeKey(new TestBrowser(), tokenOf(browser)), 'sign_in_failed');
  });

  it.each([
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
    { Origin: 'null' },
  ])('is accepted from pages of the service alone: not with %j', async (headers) => {
    const browser = new TestBrowser();
    await expectProblem(await exchangeKey(browser, server.key, headers), 'sign_in_failed');
    expect(tokenOf(browser)).toBe(undefined);
  });
});

it('browsers sign in at a loopback address alone while the service does not know its public URL', async () => {
  const { status } = await fetch(`${origin}/sign-in/link?token=x`);
  expect(status).toBe(400);
  const lines = ['GET /sign-in/link?token=x HTTP/1.1', 'Host: roster.example', 'Connection: close', '', ''];
  const result = await exchange(server.url, lines.join('\r\n'));
  expect((await expectProblem(result, 'sign_in_failed')).detail).toContain('ROSTER_PUBLIC_URL');
});
