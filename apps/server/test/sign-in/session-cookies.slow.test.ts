import { endSessions } from '@roster/api/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  PUBLIC,
  SESSION_COOKIE,
  type SignInFixture,
  sessionOf,
  signIn,
  startSignInFixture,
  statusOf,
} from '../support/auth/sign-in.ts';
import { batch } from '../support/calls.ts';
import { messagesOf } from '../support/http/server-sent-events.ts';
import { startTestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

let service: SignInFixture;
/** The cookie of someone who may change records. */
let cookie: string;
beforeAll(async () => {
  service = await startSignInFixture();
  cookie = await newCookie();
});
afterAll(() => service[Symbol.asyncDispose]());

async function signedIn() {
  await service.account({ grants: [{ role: 'editor', officeIds: null }] });
  const browser = service.browser();
  await signIn(browser);
  return browser;
}

const newCookie = async () => `${SESSION_COOKIE}=${sessionOf(await signedIn())}`;

/** A request with the cookie and these headers, exactly. */
function send(method: string, headers: Record<string, string>, path = '/offices'): Promise<Response> {
  const body = method === 'POST' ? '{"name":"Porto"}' : undefined;
  return fetch(`${service.server.url}${path}`, {
    method,
    headers: {
      Cookie: cookie,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
}

const FOREIGN = 'https://evil.example';

describe('the cookie of a session', () => {
  it.each([
    ['a page of the service', { 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }, 200],
    ['a client that says nothing of itself', {}, 200],
    ['an old browser, with the own origin', { Origin: PUBLIC }, 200],
    ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }, 401],
    ['a page of another host of the same site', { 'Sec-Fetch-Site': 'same-site' }, 401],
    ['what is no value of the header', { 'Sec-Fetch-Site': 'same-origin, none' }, 401],
    ['another origin', { Origin: FOREIGN }, 401],
    ['another origin that the header contradicts', { Origin: FOREIGN, 'Sec-Fetch-Site': 'same-origin' }, 401],
    ['another port', { Origin: `${PUBLIC}:8443` }, 401],
    ['the own host without encryption', { Origin: PUBLIC.replace('https', 'http') }, 401],
    ['an opaque origin', { Origin: 'null' }, 401],
  ])('reads for %s: %j is %i', async (_, headers: Record<string, string>, status) => {
    expect((await send('GET', headers)).status).toBe(status);
    expect((await send('HEAD', headers)).status).toBe(status);
  });

  it.each([
    ['a page of the service', { 'Sec-Fetch-Site': 'same-origin', Origin: PUBLIC }, 201],
    ['an old browser, with the own origin', { Origin: PUBLIC }, 201],
    ['the address bar, which cannot change anything', { 'Sec-Fetch-Site': 'none' }, 401],
    ['a client that says nothing of itself', {}, 401],
    ['a page of another site', { 'Sec-Fetch-Site': 'cross-site', Origin: FOREIGN }, 401],
    ['a page of another host of the same site', { 'Sec-Fetch-Site': 'same-site' }, 401],
    ['another origin', { Origin: FOREIGN }, 401],
    ['an opaque origin', { Origin: 'null' }, 401],
    ['another origin that the header contradicts', { Origin: FOREIGN, 'Sec-Fetch-Site': 'same-origin' }, 401],
    ['a form', { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'text/plain' }, 401],
    ['a form with a file', { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'multipart/form-data' }, 401],
    ['a form without a type', { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': '' }, 401],
    ['a form as usual', { Origin: PUBLIC, 'Content-Type': 'application/x-www-form-urlencoded' }, 401],
  ])('changes for %s: %j is %i', async (_, headers: Record<string, string>, status) => {
    const response = await send('POST', headers);
    if (status === 401) await expectProblem(response, 'unauthenticated');
    else expect(response.status).toBe(status);
  });

  it('deletes and replaces only for a page of the service too', async () => {
    const created = await send('POST', { 'Sec-Fetch-Site': 'same-origin' });
    const { id } = (await created.json()) as { id: string };
    expect((await send('PUT', {}, `/offices/${id}/deactivate`)).status).toBe(401);
    expect((await send('DELETE', { Origin: FOREIGN }, `/offices/${id}`)).status).toBe(401);
    expect((await send('PUT', { Origin: PUBLIC }, `/offices/${id}/deactivate`)).status).toBe(200);
    expect((await send('DELETE', { Origin: PUBLIC }, `/offices/${id}`)).status).toBe(204);
  });

  it('counts for nothing beside an Authorization header', async () => {
    const headers = { 'Sec-Fetch-Site': 'same-origin', Authorization: 'Bearer rst_x' };
    expect((await send('GET', headers)).status).toBe(401);
    const withKey = { 'Sec-Fetch-Site': 'cross-site', Authorization: `Bearer ${service.server.key}` };
    expect((await send('POST', withKey)).status).toBe(201);
  });

  it('has the name for https alone on a service that is reached by https', async () => {
    const plain = cookie.replace(SESSION_COOKIE, 'roster_session');
    expect((await send('GET', { Cookie: plain })).status).toBe(401);
    expect((await send('GET', { Cookie: `x=1; y${cookie}; ${cookie}; z=2` })).status).toBe(200);
  });

  it('counts for nothing on a service that does not know its public URL, except at a loopback address', async () => {
    await using service2 = await startTestServer({ database: service.server.database, connection: {} });
    const Cookie = cookie.replace(SESSION_COOKIE, 'roster_session');
    expect((await fetch(`${service2.url}/offices`, { headers: { Cookie } })).status).toBe(200);
    expect((await fetch(`${service2.url}/offices`, { headers: { Cookie: cookie } })).status).toBe(401);
  });

  it('works in a batch of RPC, of which each call has the rights of the person', async () => {
    const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
    const request = (method: string, path: string, body?: unknown, more = {}) =>
      fetch(`${service.server.url}${path}`, {
        method,
        headers: { ...headers, ...more },
        body: body as string,
      });
    const calls = [
      ['offices.list', {}],
      ['keys.list', {}],
    ] as const;
    const response = await batch({ request }, calls as never);
    const results = (await response.json()) as { error?: { data: { httpStatus: number } } }[];
    expect(results.map(({ error }) => error?.data.httpStatus)).toEqual([undefined, 403]);
  });
});

describe('a page of an origin that may call the API (CORS)', () => {
  it('gets no response by the cookie, and is never told that it may send one', async () => {
    await using open = await startTestServer({
      publicUrl: PUBLIC,
      corsOrigins: [FOREIGN],
      database: service.server.database,
      connection: {},
    });
    for (const site of ['cross-site', 'same-site']) {
      const headers = { Cookie: cookie, Origin: FOREIGN, 'Sec-Fetch-Site': site };
      const response = await fetch(`${open.url}/offices`, { headers });
      expect(response.status).toBe(401);
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe(FOREIGN);
      expect(response.headers.get('Access-Control-Allow-Credentials')).toBe(null);
    }
    const preflight = await fetch(`${open.url}/offices`, {
      method: 'OPTIONS',
      headers: { Origin: FOREIGN, 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.headers.get('Access-Control-Allow-Credentials')).toBe(null);
  });
});

it('answers for one person are not stored for another', async () => {
  const response = await send('GET', {});
  expect(response.headers.get('Cache-Control')).toBe('private, no-cache');
  expect(response.headers.get('Vary')).toContain('Cookie');
});

describe('a session that is ended on one server', () => {
  it('is not accepted on another any more', async () => {
    const browser = await signedIn();
    const elsewhere = service.browser(service.other);
    for (const [host, cookies] of browser.cookies) elsewhere.cookies.set(host, cookies);
    expect(await statusOf(elsewhere)).toBe(200);
    expect((await browser.fetch(`${PUBLIC}/sign-out`, { method: 'POST' })).status).toBe(200);
    expect(await statusOf(browser)).toBe(401);
    await expect.poll(() => statusOf(elsewhere)).toBe(401);
  });

  it('ends its event streams on another, and those of nobody else', async () => {
    const browser = await signedIn();
    const Cookie = `${SESSION_COOKIE}=${sessionOf(browser)}`;
    const open = (of: string) =>
      fetch(`${service.other.url}/events/stream`, {
        headers: { Cookie: of, 'Sec-Fetch-Site': 'same-origin' },
      });
    const [mine, theirs] = [await open(Cookie), await open(cookie)];
    expect([mine.status, theirs.status]).toEqual([200, 200]);
    const messages = messagesOf(mine);
    await messages.next();
    const { db } = service.server.database;
    const [session] = await db
      .selectFrom('session')
      .select('id')
      .orderBy('created_at', 'desc')
      .limit(1)
      .execute();
    await endSessions(db, { id: session?.id ?? '' }, { now: new Date(), actorId: null, requestId: 'test' });
    let last = '';
    for await (const { event, data } of messages) if (event === 'problem') last = data ?? '';
    expect(JSON.parse(last)).toMatchObject({ code: 'unauthenticated' });
    await theirs.body?.cancel();
  });
});

it('a person is counted as one caller, whatever sessions they have', async () => {
  await using limited = await startTestServer({
    publicUrl: PUBLIC,
    database: service.server.database,
    connection: {},
    rateLimit: 9,
  });
  // The three servers of the database divide it; how many there are a server learns after its start.
  const readPolicy = async () =>
    (await limited.request('GET', '/offices?limit=1')).headers.get('RateLimit-Policy');
  await expect.poll(readPolicy).toContain('q=3;');
  await service.account();
  const tokens = [service.browser(), service.browser()];
  for (const browser of tokens) await signIn(browser);
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1) {
    const Cookie = `${SESSION_COOKIE}=${sessionOf(tokens[count % 2] ?? service.browser())}`;
    statuses.push((await fetch(`${limited.url}/offices`, { headers: { Cookie } })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
});
