import type { EventPage, Person, Problem, Session } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestBrowser } from '../../test/support/browser.ts';
import { bodyOf, directoryOf, next } from '../../test/support/fixtures.ts';
import { startTestServer, type TestServer } from '../../test/support/index.ts';
import { bearer, keyWith } from '../../test/support/keys.ts';
import { personWith, type TestPerson } from '../../test/support/people.ts';
import { expectProblem } from '../../test/support/problems.ts';
import { startSignInFixture } from '../../test/support/sign-in.ts';

interface Link {
  url: string;
  expiresAt: string;
}

let server: TestServer;
let main: string;
let other: string;
let admin: TestPerson;
let officeAdmin: TestPerson;
beforeAll(async () => {
  server = await startTestServer();
  const { office } = directoryOf(server);
  main = (await office()).id;
  other = (await office()).id;
  admin = await personWith(server, [{ role: 'admin' }]);
  officeAdmin = await personWith(server, [{ role: 'admin', officeIds: [main] }]);
});
afterAll(() => server[Symbol.asyncDispose]());

const DAY_MS = 24 * 60 * 60 * 1_000;

async function invited(grants: unknown = [{ role: 'viewer' }], at = server): Promise<Person> {
  const body = { name: 'Rui Costa', email: `rui-${next()}@atlantico.example`, grants };
  return bodyOf<Person>(await at.request('POST', '/people', body));
}

const ask = (personId: string, headers?: { Authorization: string }, at = server) =>
  at.request('POST', '/sign-in/links', { personId }, headers);

async function linkFor(personId: string, headers?: { Authorization: string }, at = server): Promise<string> {
  const response = await ask(personId, headers, at);
  expect(response.status).toBe(201);
  return (await bodyOf<Link>(response)).url;
}

async function codeOf(personId: string, headers: { Authorization: string }): Promise<string> {
  const response = await ask(personId, headers);
  return response.ok ? 'ok' : ((await response.json()) as Problem).code;
}

const personOf = async ({ id }: Person) => bodyOf<Person>(await server.request('GET', `/people/${id}`));
const statusIn = async (browser: TestBrowser, path: string) =>
  (await browser.fetch(`${server.url}${path}`)).status;

describe('a link for a person', () => {
  it('gives whoever was invited a session of their rights, once, and makes them active', async () => {
    const person = await invited([{ role: 'editor', officeIds: [main] }]);
    const url = await linkFor(person.id, admin.headers);
    const browser = new TestBrowser();
    expect((await browser.visit(url)).status).toBe(200);
    expect([await statusIn(browser, '/offices'), await statusIn(browser, '/keys')]).toEqual([200, 403]);
    expect(await personOf(person)).toMatchObject({ status: 'active', lastSignedInAt: expect.any(String) });
    expect((await new TestBrowser().visit(url)).status).toBe(400);
  });

  it('is an event whose actor is whoever has made it, and the session is one of the person', async () => {
    const person = await invited();
    const url = await linkFor(person.id, admin.headers);
    await new TestBrowser().visit(url);
    const path = '/events?types=person.link_created&types=session.created&limit=200';
    const { items } = await bodyOf<EventPage>(await server.request('GET', path));
    const made = items.find(({ type, record }) => type === 'person.link_created' && record?.id === person.id);
    expect(made?.actorId).toBe(admin.id);
    expect(JSON.stringify(items)).not.toContain(new URL(url).searchParams.get('token'));
    const began = items.filter(
      ({ type, record }) => type === 'session.created' && (record as Session | null)?.owner.id === person.id,
    );
    expect(began).toMatchObject([{ actorId: person.id, record: { method: 'link' } }]);
  });

  it('works for a day', async () => {
    let clock = new Date();
    await using slow = await startTestServer({ now: () => clock });
    const { id } = await invited(undefined, slow);
    const first = await bodyOf<Link>(await ask(id, undefined, slow));
    expect(Date.parse(first.expiresAt) - clock.getTime()).toBe(DAY_MS);
    const second = await linkFor(id, undefined, slow);
    clock = new Date(clock.getTime() + DAY_MS - 1);
    expect((await new TestBrowser().visit(first.url)).status).toBe(200);
    clock = new Date(clock.getTime() + 1);
    await expectProblem(await fetch(second), 'sign_in_failed');
  });

  it('is made by whoever may change the person, and by nobody with fewer rights', async () => {
    const here = await invited([{ role: 'manager', officeIds: [main] }]);
    const everywhere = await invited();
    const elsewhere = await invited([{ role: 'viewer', officeIds: [other] }]);
    const boss = await invited([{ role: 'admin' }]);
    expect(await codeOf(here.id, officeAdmin.headers)).toBe('ok');
    for (const { id } of [everywhere, elsewhere, boss])
      expect(await codeOf(id, officeAdmin.headers)).toBe('not_found');
    const weaker = bearer((await keyWith(server, ['people:manage', 'offices:read'])).secret);
    expect(await codeOf(boss.id, weaker)).toBe('insufficient_scope');
    const reader = bearer((await keyWith(server, ['offices:read'])).secret);
    expect(await codeOf(everywhere.id, reader)).toBe('insufficient_scope');
    const manager = await personWith(server, [{ role: 'manager' }]);
    expect(await codeOf(everywhere.id, manager.headers)).toBe('insufficient_scope');
    const unknown = '01890a5d-ac96-774b-bcce-b302099a8057';
    expect(await codeOf(unknown, admin.headers)).toBe('not_found');
  });

  it('is not made by a key that expires, whose rights would outlive it', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { secret } = await keyWith(
      server,
      ['people:manage', 'offices:read', 'agents:read', 'events:read'],
      {
        expiresAt,
      },
    );
    expect(await codeOf((await invited()).id, bearer(secret))).toBe('insufficient_scope');
  });

  it('for the caller itself is one of its own, so that no session prolongs itself', async () => {
    const response = await ask(admin.id, admin.headers);
    const { expiresAt } = await bodyOf<Link>(response);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(600_000);
  });

  it('is of no use, and none is made, once the person is deactivated', async () => {
    const person = await invited();
    const url = await linkFor(person.id, admin.headers);
    await server.request('PUT', `/people/${person.id}/deactivate`);
    await expectProblem(await fetch(url), 'sign_in_failed');
    expect(await codeOf(person.id, admin.headers)).toBe('sign_in_failed');
    await server.request('PUT', `/people/${person.id}/reactivate`);
    await expectProblem(await fetch(url), 'sign_in_failed');
  });

  it.each([
    ['the grants', 'PATCH', '', { grants: [{ role: 'admin' }] }],
    ['the address', 'PATCH', '', { email: 'another@atlantico.example' }],
    ['the sessions', 'PUT', '/revoke-sessions', undefined],
  ])('is of no use any more after a change of %s', async (_, method, path, body) => {
    const person = await invited([{ role: 'viewer', officeIds: [main] }]);
    const url = await linkFor(person.id, officeAdmin.headers);
    const response = await server.request(method, `/people/${person.id}${path}`, body);
    expect(response.status).toBe(200);
    await expectProblem(await fetch(url), 'sign_in_failed');
    expect((await personOf(person)).status).toBe('invited');
  });

  it('is not made where an identity provider decides who is let in', async () => {
    await using fixture = await startSignInFixture();
    const { id } = await invited(undefined, fixture.server);
    const { detail } = await expectProblem(await ask(id, undefined, fixture.server), 'sign_in_failed');
    expect(detail).toContain('identity provider');
  });

  it('is asked for with the id of a person', async () => {
    await expectProblem(await ask('rui'), 'validation_failed');
  });
});
