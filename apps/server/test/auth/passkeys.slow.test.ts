import { type InvitationWithLink, type Person, type Problem, scopes } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestAuthenticator } from '../support/auth/authenticator.ts';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { askForLink, invited, linkFor, PasskeyUser, tokenOf } from '../support/auth/passkeys.ts';
import { storePasskey } from '../support/auth/people.ts';
import { startSignInFixture } from '../support/auth/sign-in.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

const PUBLIC = 'https://roster.example';
const DAY_MS = 24 * 60 * 60 * 1_000;
const MINUTE_MS = 60_000;

let clock = new Date();
let server: TestServer;
/** A second server on the same database. */
let other: TestServer;
beforeAll(async () => {
  const options = { publicUrl: PUBLIC, now: () => clock };
  server = await startTestServer(options);
  other = await startTestServer({ ...options, database: server.database, connection: {} });
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const at = (place: TestServer, device?: TestAuthenticator) =>
  new PasskeyUser(PUBLIC, { [PUBLIC]: place.url }, device);

/** A person with a passkey, at a browser that leads to the first server. */
async function withPasskey(): Promise<{ person: Person; user: PasskeyUser }> {
  const person = await invited(server);
  const user = at(server);
  expect((await user.accept(tokenOf(await linkFor(server, person.id)))).status).toBe(204);
  return { person, user };
}

async function codeOf(response: Response): Promise<string> {
  return response.ok ? 'ok' : ((await response.json()) as Problem).code;
}

describe('a challenge', () => {
  it('works once, on any server: what was answered on one is of no use on the other', async () => {
    const { user } = await withPasskey();
    const elsewhere = at(other, user.device);
    const response = user.device.get(await user.begin());
    expect((await elsewhere.post('/sign-in/passkey', { response })).status).toBe(204);
    await expectProblem(await user.post('/sign-in/passkey', { response }), 'sign_in_failed');
    await expectProblem(await elsewhere.post('/sign-in/passkey', { response }), 'sign_in_failed');
  });

  it('of which two responses arrive at once gives one session', async () => {
    const { user } = await withPasskey();
    const response = user.device.get(await user.begin());
    const places = [at(server, user.device), at(other, user.device), at(server, user.device)];
    const responses = await Promise.all(places.map((one) => one.post('/sign-in/passkey', { response })));
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 400, 400]);
  });

  it('works for five minutes', async () => {
    const { user } = await withPasskey();
    const [first, second] = [await user.begin(), await user.begin()];
    clock = new Date(clock.getTime() + 5 * MINUTE_MS - 1);
    expect((await user.post('/sign-in/passkey', { response: user.device.get(first) })).status).toBe(204);
    clock = new Date(clock.getTime() + 1);
    await expectProblem(
      await user.post('/sign-in/passkey', { response: user.device.get(second) }),
      'sign_in_failed',
    );
  });

  it('for one purpose, person and invitation is of no use for another', async () => {
    const [first, second] = [await invited(server), await invited(server)];
    const links = [await linkFor(server, first.id), await linkFor(server, second.id)] as const;
    const user = at(server);
    const begin = await user.post('/sign-in/invitation/begin', { token: tokenOf(links[0]) });
    const options = await bodyOf<Parameters<TestAuthenticator['create']>[0]>(begin);
    const passkey = { name: 'A device', response: user.device.create(options) };
    const stolen = await user.post('/sign-in/invitation', { token: tokenOf(links[1]), passkey });
    await expectProblem(stolen, 'sign_in_failed');
    const { challenge } = options;
    const { user: owner } = await withPasskey();
    const response = owner.device.get({ challenge, rpId: 'roster.example' });
    await expectProblem(await owner.post('/sign-in/passkey', { response }), 'sign_in_failed');
  });
});

describe('a signature', () => {
  it.each([
    ['of a page of another site', { origin: 'https://roster.example.evil.example' }, {}],
    ['for another host', {}, { rpId: 'evil.example' }],
  ])('%s is rejected', async (_, where, options) => {
    const { user } = await withPasskey();
    const response = user.device.get({ ...(await user.begin()), ...options }, where);
    await expectProblem(await user.post('/sign-in/passkey', { response }), 'sign_in_failed');
  });

  it('is taken from no other site, and not without evidence of this one', async () => {
    const { user } = await withPasskey();
    for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }]) {
      const response = user.device.get(await user.begin());
      await expectProblem(await user.post('/sign-in/passkey', { response }, headers), 'sign_in_failed');
      await expectProblem(await user.post('/sign-in/passkey/begin', {}, headers), 'sign_in_failed');
    }
  });

  it('whose count does not grow, as of a copied device, is rejected', async () => {
    const { user } = await withPasskey();
    const [credential] = user.device.credentials;
    if (credential === undefined) throw new Error('there is no credential');
    expect((await user.signIn()).status).toBe(204);
    credential.counter = 0;
    await expectProblem(await user.signIn(), 'sign_in_failed');
    expect((await user.signIn()).status).toBe(204);
  });

  it('of a device that has not verified its user is rejected', async () => {
    const { id } = await invited(server);
    const careless = at(server, new TestAuthenticator(PUBLIC, { isVerifying: false }));
    await expectProblem(await careless.accept(tokenOf(await linkFor(server, id))), 'sign_in_failed');
  });

  it('of a person who is inactive is denied, and their session has ended on both servers', async () => {
    const { person, user } = await withPasskey();
    const elsewhere = at(other, user.device);
    expect((await elsewhere.signIn()).status).toBe(204);
    await server.request('PUT', `/people/${person.id}/deactivate`);
    expect(await user.status('/offices')).toBe(401);
    await expect.poll(() => elsewhere.status('/offices')).toBe(401);
    await expectProblem(await user.signIn(), 'sign_in_denied');
  });
});

describe('a passkey', () => {
  it('that is removed ends what it signed in on the other server too', async () => {
    const { person, user } = await withPasskey();
    const elsewhere = at(other, user.device);
    await elsewhere.signIn();
    expect(await elsewhere.status('/offices')).toBe(200);
    const { items } = await bodyOf<{ items: { id: string }[] }>(
      await server.request('GET', `/passkeys?personId=${person.id}`),
    );
    await server.request('DELETE', `/passkeys/${items[0]?.id}`);
    await expect.poll(() => elsewhere.status('/offices')).toBe(401);
  });

  it('is added within 30 minutes of signing in, and not by a key', async () => {
    const { user } = await withPasskey();
    clock = new Date(clock.getTime() + 30 * MINUTE_MS);
    expect((await user.add('In time')).status).toBe(201);
    clock = new Date(clock.getTime() + 1);
    await expect(user.add('Too late')).rejects.toThrow('Sign in again first');
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    const byKey = await server.request('POST', '/sign-in/new-passkey/begin', {}, headers);
    await expectProblem(byKey, 'sign_in_failed');
  });

  it('is one of ten of a person at most', async () => {
    const { person, user } = await withPasskey();
    for (let count = 1; count < 10; count += 1) await storePasskey(server.database, person.id);
    await expectProblem(await user.add('One too many'), 'limit_reached');
  });

  it('is set up once: the same credential is not one of two people', async () => {
    const { user } = await withPasskey();
    const second = await invited(server);
    const token = tokenOf(await linkFor(server, second.id));
    const begin = await user.post('/sign-in/invitation/begin', { token });
    const options = await bodyOf<Parameters<TestAuthenticator['create']>[0]>(begin);
    const response = user.device.create(options);
    expect((await user.post('/sign-in/invitation', { token, passkey: { name: 'x', response } })).status).toBe(
      204,
    );
    await expectProblem(
      await user.post('/sign-in/invitation', { token, passkey: { name: 'x', response } }),
      'sign_in_failed',
    );
  });
});

describe('an invitation', () => {
  it('works for as many days as were asked for', async () => {
    const { id } = await invited(server);
    const response = await askForLink(server, { personId: id, days: 2 });
    const link = await bodyOf<InvitationWithLink>(response);
    expect(Date.parse(link.expiresAt) - clock.getTime()).toBe(2 * DAY_MS);
    const open = () => at(other).post('/sign-in/invitation/open', { token: tokenOf(link) });
    clock = new Date(clock.getTime() + 2 * DAY_MS - 1);
    expect((await open()).status).toBe(200);
    clock = new Date(clock.getTime() + 1);
    await expectProblem(await open(), 'sign_in_failed');
  });

  it('that two people use at once is used by one of them', async () => {
    const token = tokenOf(await linkFor(server, (await invited(server)).id));
    const responses = await Promise.all(
      [server, other, server].map((place) => at(place).post('/sign-in/invitation', { token })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 400, 400]);
  });

  it.each([
    ['the grants', 'PATCH', '', { grants: [{ role: 'admin' }] }],
    ['the address', 'PATCH', '', { email: 'another@atlantico.example' }],
    ['the sessions', 'PUT', '/revoke-sessions', undefined],
    ['the state', 'PUT', '/deactivate', undefined],
  ])('ends with a change of %s', async (_, method, path, body) => {
    const { id } = await invited(server);
    const token = tokenOf(await linkFor(server, id));
    expect((await server.request(method, `/people/${id}${path}`, body)).status).toBe(200);
    await expectProblem(await at(server).post('/sign-in/invitation', { token }), 'sign_in_failed');
  });

  describe('is made', () => {
    let officeAdmin: { Authorization: string };
    let main: string;
    beforeAll(async () => {
      main = (await directoryOf(server).office()).id;
      officeAdmin = bearer((await keyWith(server, scopes, { officeIds: [main] })).secret);
    });

    it('by whoever may change the person, and by nobody with fewer rights', async () => {
      const here = await invited(server, [{ role: 'manager', officeIds: [main] }]);
      const everywhere = await invited(server);
      const boss = await invited(server, [{ role: 'admin' }]);
      const ask = async ({ id }: Person, headers: { Authorization: string }) =>
        codeOf(await askForLink(server, { personId: id }, headers));
      expect(await ask(here, officeAdmin)).toBe('ok');
      for (const person of [everywhere, boss]) expect(await ask(person, officeAdmin)).toBe('not_found');
      const weaker = bearer((await keyWith(server, ['people:manage', 'offices:read'])).secret);
      expect(await ask(boss, weaker)).toBe('insufficient_scope');
      const expiresAt = new Date(clock.getTime() + DAY_MS).toISOString();
      const expiring = bearer((await keyWith(server, scopes, { expiresAt })).secret);
      expect(await ask(everywhere, expiring)).toBe('insufficient_scope');
      const seen = await server.request('GET', '/invitations?limit=200', undefined, officeAdmin);
      const { items } = await bodyOf<{ items: InvitationWithLink[] }>(seen);
      expect(items.map(({ person }) => person.id)).toEqual([here.id]);
    });

    it('and works nowhere while an identity provider decides who is let in', async () => {
      await using fixture = await startSignInFixture();
      const person = await invited(fixture.server);
      expect(person.signInWay).toBe('provider');
      const { detail } = await expectProblem(
        await askForLink(fixture.server, { personId: person.id }),
        'link_unavailable',
      );
      expect(detail).toContain('identity provider');
      const user = at(fixture.server);
      await expectProblem(await user.post('/sign-in/passkey/begin'), 'sign_in_failed');
      await expectProblem(
        await user.post('/sign-in/invitation/open', { token: 'x'.repeat(43) }),
        'sign_in_failed',
      );
    });
  });
});

describe('the requests of who is not signed in', () => {
  it('count five times in the rate limit of their address', async () => {
    await using limited = await startTestServer({ rateLimit: 20, rateLimitNowMs: () => 0 });
    const user = new PasskeyUser(limited.url.replace('127.0.0.1', 'localhost'));
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1)
      statuses.push((await user.post('/sign-in/passkey/begin')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
  });
});
