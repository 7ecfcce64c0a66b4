import { randomUUID } from 'node:crypto';
import type { Passkey, Session } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestBrowser } from '../support/auth/browser.ts';
import { bearer, keyWith, statusWith } from '../support/auth/keys.ts';
import { invited, linkFor, PasskeyUser, tokenOf } from '../support/auth/passkeys.ts';
import {
  PUBLIC,
  type SignInFixture,
  sessionOf,
  signIn,
  startSignInFixture,
  statusOf,
} from '../support/auth/sign-in.ts';
import { bodyOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

const MINUTE_MS = 60_000;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Makes a link with the session of a browser. */
async function linkOf(browser: TestBrowser): Promise<string> {
  const response = await browser.fetch(`${PUBLIC}/sign-in/links`, { method: 'POST', body: {} });
  expect(response.status).toBe(201);
  return (await bodyOf<{ url: string }>(response)).url;
}

async function currentSession(browser: TestBrowser): Promise<Session> {
  return (await bodyOf<{ session: Session }>(await browser.fetch(`${PUBLIC}/me`))).session;
}

/** A browser whose session made a link that is open and one that was opened, by which another session made another link. */
interface Family {
  parent: TestBrowser;
  child: TestBrowser;
  grandchild: TestBrowser;
  unopened: string[];
}

async function familyOf(parent: TestBrowser, newBrowser: () => TestBrowser): Promise<Family> {
  const [child, grandchild] = [newBrowser(), newBrowser()];
  expect((await child.visit(await linkOf(parent))).status).toBe(200);
  expect((await grandchild.visit(await linkOf(child))).status).toBe(200);
  const family = { parent, child, grandchild, unopened: [await linkOf(parent), await linkOf(grandchild)] };
  for (const browser of [parent, child, grandchild]) expect(await statusOf(browser)).toBe(200);
  return family;
}

/** Expects that nothing that came from a session is of any use. */
async function expectEnded({ parent, child, grandchild, unopened }: Family, newBrowser: () => TestBrowser) {
  for (const browser of [parent, child, grandchild]) expect(await statusOf(browser)).toBe(401);
  for (const link of unopened) {
    const browser = newBrowser();
    expect((await browser.visit(link)).status).toBe(400);
    expect(sessionOf(browser)).toBe(undefined);
  }
}

describe('a link of a session of a passkey, and the sessions that links opened', () => {
  let clock = new Date();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ publicUrl: PUBLIC, now: () => clock });
  });
  afterAll(() => server[Symbol.asyncDispose]());
  const newBrowser = () => new TestBrowser({ [PUBLIC]: server.url });

  async function withPasskey() {
    const person = await invited(server);
    const user = new PasskeyUser(PUBLIC, { [PUBLIC]: server.url });
    expect((await user.accept(tokenOf(await linkFor(server, person.id)))).status).toBe(204);
    return { person, user };
  }

  /** A person at a browser that a link opened, with their device. */
  async function atLinkOf({ browser, device }: PasskeyUser): Promise<PasskeyUser> {
    const opened = new PasskeyUser(PUBLIC, { [PUBLIC]: server.url }, device);
    expect((await opened.browser.visit(await linkOf(browser))).status).toBe(200);
    return opened;
  }

  it('add a passkey for as long after the sign-in as the session that made the link, and no longer', async () => {
    const { user } = await withPasskey();
    const { signedInAt } = await currentSession(user.browser);
    clock = new Date(clock.getTime() + 29 * MINUTE_MS);
    const early = await atLinkOf(user);
    expect((await early.post('/sign-in/new-passkey/begin')).status).toBe(200);
    clock = new Date(clock.getTime() + 2 * MINUTE_MS);
    const late = await atLinkOf(await atLinkOf(user));
    for (const one of [user, early, late])
      await expectProblem(await one.post('/sign-in/new-passkey/begin'), 'sign_in_failed');
    const session = await currentSession(late.browser);
    expect(session).toMatchObject({ method: 'link', signedInAt });
    expect(session.createdAt > signedInAt).toBe(true);
  });

  it('end with a sign-out, with its event', async () => {
    const { user, person } = await withPasskey();
    const family = await familyOf(user.browser, newBrowser);
    const ids: string[] = [];
    for (const browser of [family.parent, family.child, family.grandchild])
      ids.push((await currentSession(browser)).id);
    await family.parent.fetch(`${PUBLIC}/sign-out`, { method: 'POST' });
    await expectEnded(family, newBrowser);
    const ended = await server.database.db
      .selectFrom('admin_event')
      .where('type', '=', 'session.ended')
      .where('subject_id', 'in', ids)
      .select(['subject_id', 'actor_id'])
      .execute();
    expect(ended.map(({ subject_id }) => subject_id).sort()).toEqual(ids.sort());
    expect(ended.every(({ actor_id }) => actor_id === person.id)).toBe(true);
  });

  it('end with a session between them, and leave the one above', async () => {
    const { user } = await withPasskey();
    const family = await familyOf(user.browser, newBrowser);
    const { id } = await currentSession(family.child);
    expect((await server.request('PUT', `/sessions/${id}/revoke`)).status).toBe(200);
    expect([await statusOf(family.child), await statusOf(family.grandchild)]).toEqual([401, 401]);
    const [ofParent = '', ofGrandchild = ''] = family.unopened;
    expect((await newBrowser().visit(ofGrandchild)).status).toBe(400);
    expect((await newBrowser().visit(ofParent)).status).toBe(200);
    expect(await statusOf(family.parent)).toBe(200);
  });

  it.each([
    [
      'the revocation of the session',
      async ({ parent }: Family) => {
        const { id } = await currentSession(parent);
        return server.request('PUT', `/sessions/${id}/revoke`);
      },
    ],
    [
      'the removal of the passkey',
      async ({ parent }: Family) => {
        const listed = await bodyOf<{ items: Passkey[] }>(await parent.fetch(`${PUBLIC}/passkeys`));
        return parent.fetch(`${PUBLIC}/passkeys/${listed.items[0]?.id}`, { method: 'DELETE' });
      },
    ],
    [
      'the end of all sessions of the person',
      async ({ parent }: Family) => {
        const { owner } = await currentSession(parent);
        return server.request('PUT', `/people/${owner.id}/revoke-sessions`);
      },
    ],
    [
      'the deactivation of the person',
      async ({ parent }: Family) => {
        const { owner } = await currentSession(parent);
        await server.request('PUT', `/people/${owner.id}/deactivate`);
        return server.request('PUT', `/people/${owner.id}/reactivate`);
      },
    ],
  ])('end with %s', async (_, end) => {
    const { user } = await withPasskey();
    const family = await familyOf(user.browser, newBrowser);
    expect((await end(family)).ok).toBe(true);
    await expectEnded(family, newBrowser);
  });

  it('end with new grants, as far as the links were not opened', async () => {
    const { user, person } = await withPasskey();
    const { parent, child, unopened } = await familyOf(user.browser, newBrowser);
    await server.request('PATCH', `/people/${person.id}`, { grants: [{ role: 'editor' }] });
    for (const link of unopened) expect((await newBrowser().visit(link)).status).toBe(400);
    expect([await statusOf(parent), await statusOf(child)]).toEqual([200, 200]);
  });

  it('are of no use when the session has not been used for so long that it has ended', async () => {
    await using brief = await startTestServer({
      publicUrl: PUBLIC,
      now: () => clock,
      sessions: { idleMs: 5 * MINUTE_MS, lifetimeMs: 60 * MINUTE_MS },
    });
    const person = await invited(brief);
    const user = new PasskeyUser(PUBLIC, { [PUBLIC]: brief.url });
    await user.accept(tokenOf(await linkFor(brief, person.id)));
    const link = await linkOf(user.browser);
    clock = new Date(clock.getTime() + 6 * MINUTE_MS);
    expect((await new TestBrowser({ [PUBLIC]: brief.url }).visit(link)).status).toBe(400);
  });

  it('leave the session that made them when a person has fifty: the oldest of the others ends', async () => {
    const { user } = await withPasskey();
    const browsers: TestBrowser[] = [];
    for (let count = 0; count < 50; count += 1) {
      clock = new Date(clock.getTime() + 1_000);
      const browser = newBrowser();
      expect((await browser.visit(await linkOf(user.browser))).status).toBe(200);
      browsers.push(browser);
    }
    const [first, second] = browsers as [TestBrowser, TestBrowser];
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
    expect(await statusOf(user.browser)).toBe(200);
  });

  it('are opened before the session ends, and end with it, or not at all, when both happen at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { user } = await withPasskey();
      const child = newBrowser();
      const [link, { id }] = [await linkOf(user.browser), await currentSession(user.browser)];
      const [opened] = await Promise.all([
        child.visit(link),
        server.request('PUT', `/sessions/${id}/revoke`),
      ]);
      expect([200, 400]).toContain(opened.status);
      expect(await statusOf(child)).toBe(401);
    }
  });

  it.each(['rotate', 'revoke'])('of a key end with %s', async (verb) => {
    const key = await keyWith(server, ['offices:read']);
    const made = await server.request('POST', '/sign-in/links', {}, bearer(key.secret));
    const { url } = await bodyOf<{ url: string }>(made);
    expect((await server.request('PUT', `/keys/${key.id}/${verb}`)).status).toBe(200);
    expect((await newBrowser().visit(url)).status).toBe(400);
  });
});

describe('a link of a session of an identity provider, and the sessions that links opened', () => {
  let service: SignInFixture;
  beforeAll(async () => {
    service = await startSignInFixture();
  });
  afterAll(() => service[Symbol.asyncDispose]());
  const newBrowser = () => service.browser();

  async function logOut(claims: object): Promise<void> {
    const now = Math.floor(Date.now() / 1_000);
    const token = await service.provider.sign(
      {
        iss: service.provider.issuer,
        aud: 'roster',
        iat: now,
        exp: now + 120,
        jti: randomUUID(),
        events: { [LOGOUT_EVENT]: {} },
        ...claims,
      },
      { typ: 'logout+jwt' },
    );
    const body = new URLSearchParams({ logout_token: token });
    const response = await fetch(`${service.server.url}/sign-out/back-channel`, { method: 'POST', body });
    expect(response.status).toBe(200);
  }

  async function signedIn() {
    const sub = await service.account();
    const browser = newBrowser();
    await signIn(browser);
    const { id } = await currentSession(browser);
    const stored = service.server.database.db.selectFrom('session').where('id', '=', id);
    const { provider_session: sid } = await stored.select('provider_session').executeTakeFirstOrThrow();
    return { sub, sid, browser };
  }

  it.each(['sid', 'sub'] as const)('end with a logout at the provider by its %s', async (claim) => {
    const { browser, ...named } = await signedIn();
    const family = await familyOf(browser, newBrowser);
    const other = await signedIn();
    await logOut({ [claim]: named[claim] });
    await expectEnded(family, newBrowser);
    expect(await statusOf(other.browser)).toBe(200);
  });

  it('lead to the page that ends the session of the provider when they sign out, as the first session does', async () => {
    const { browser } = await signedIn();
    const child = newBrowser();
    await child.visit(await linkOf(browser));
    const response = await child.fetch(`${PUBLIC}/sign-out`, { method: 'POST' });
    const { signOutUrl } = await bodyOf<{ signOutUrl: string }>(response);
    expect(new URL(signOutUrl).origin).toBe(service.provider.issuer);
    expect(await statusOf(browser)).toBe(200);
  });

  it.each([
    ['a logout at the provider by its sid', ({ sid }: { sid: string | null }) => logOut({ sid })],
    ['a logout at the provider by its sub', ({ sub }: { sub: string }) => logOut({ sub })],
    [
      'the end of all sessions of the person',
      async ({ personId }: { personId: string }) => {
        await service.server.request('PUT', `/people/${personId}/revoke-sessions`);
      },
    ],
    [
      'the deactivation of the person',
      async ({ personId }: { personId: string }) => {
        await service.server.request('PUT', `/people/${personId}/deactivate`);
        await service.server.request('PUT', `/people/${personId}/reactivate`);
      },
    ],
  ])('the code of a terminal ends with %s, before it is exchanged', async (_, end) => {
    const { sub, sid, browser } = await signedIn();
    const { owner } = await currentSession(browser);
    const verifier = 'v'.repeat(43);
    const challenge = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(verifier))).toString(
      'base64url',
    );
    const query = new URLSearchParams({ port: '50123', challenge, state: 's'.repeat(43) });
    const page = await (await signIn(browser, `/sign-in?${query}`)).text();
    const [, href = ''] = /href="([^"]+)"/.exec(page) ?? [];
    const code = new URL(href.replaceAll('&amp;', '&')).searchParams.get('code');
    await end({ sub, sid, personId: owner.id });
    const response = await service.server.request(
      'POST',
      '/sign-in/token',
      { code, verifier },
      { Authorization: '' },
    );
    await expectProblem(response, 'sign_in_failed');
  });
});

it('a link of a key, which belongs to no session, opens one of its rights', async () => {
  await using server = await startTestServer();
  const key = await keyWith(server, ['offices:read']);
  const made = await server.request('POST', '/sign-in/links', {}, bearer(key.secret));
  const browser = new TestBrowser();
  expect((await browser.visit((await bodyOf<{ url: string }>(made)).url)).status).toBe(200);
  expect(await statusWith(server, browser.cookie(server.url, 'roster_session') ?? '')).toBe(200);
});
