import { randomUUID } from 'node:crypto';
import type { Problem } from '@roster/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type SignInFixture,
  sessionOf,
  signIn,
  startSignInFixture,
  untilCallback,
} from '../support/auth/sign-in.ts';
import { bodyOf } from '../support/fixtures.ts';
import { expectProblem } from '../support/problems.ts';

const MIB = 1024 * 1024;
const OFFICE = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

let service: SignInFixture;
/** A service at which claims give a role to people who were not invited. */
let open: SignInFixture;
beforeAll(async () => {
  service = await startSignInFixture();
  open = await startSignInFixture({ claims: { role: 'realm', roleMax: 'viewer', offices: 'offices' } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await open[Symbol.asyncDispose]();
});
beforeEach(() => {
  service.provider.endlessAt = undefined;
  service.provider.idTokenClaims = undefined;
});

/** Signs in by a program, which gets the error as a problem. */
async function problemOf(at: SignInFixture): Promise<Problem> {
  const browser = at.browser();
  const response = await browser.visit(await untilCallback(browser), { Accept: 'application/json' });
  expect(sessionOf(browser)).toBe(undefined);
  return bodyOf<Problem>(response);
}

const long = 'x'.repeat(MIB / 2);

describe('a claim that cannot be stored is 400, and says which', () => {
  it.each([
    ['NUL', 'person\0'],
    ['256 characters', 's'.repeat(256)],
    ['half a megabyte', long],
    ['half of a pair of surrogates, as which others would be stored too', 'person\ud800'],
  ])('sub with %s', async (_, sub) => {
    await service.account();
    service.provider.accounts.set(sub, { email: 'x@atlantico.example', email_verified: true });
    service.provider.user = sub;
    const { status, code, detail } = await problemOf(service);
    expect([status, code, detail]).toEqual([400, 'sign_in_failed', expect.stringContaining('`sub`')]);
  });

  it.each([
    ['NUL', 'a\0b'],
    ['half a megabyte', long],
    ['another type', 7],
  ])('sid with %s', async (_, sid) => {
    await service.account();
    service.provider.idTokenClaims = { sid };
    const { status, code, detail } = await problemOf(service);
    expect([status, code, detail]).toEqual([400, 'sign_in_failed', expect.stringContaining('`sid`')]);
  });

  it.each([
    ['NUL', 'a\0b@atlantico.example'],
    ['half a megabyte', `${long}@atlantico.example`],
    ['no @', 'atlantico.example'],
    ['a letter that another address has in its place when it is stored', 'bru\u212ae@atlantico.example'],
  ])('email with %s', async (_, email) => {
    for (const at of [service, open]) {
      await at.account({ claims: { email, realm: 'viewer', offices: '*' }, isInvited: false });
      const { status, code, detail } = await problemOf(at);
      expect([status, code, detail]).toEqual([400, 'sign_in_failed', expect.stringContaining('`email`')]);
    }
  });

  it.each([
    ['NUL', 'Ana\0'],
    ['half a megabyte', long],
  ])('name with %s, of a person who is new', async (_, name) => {
    await open.account({ claims: { name, realm: 'viewer', offices: '*' }, isInvited: false });
    const { status, code, detail } = await problemOf(open);
    expect([status, code, detail]).toEqual([400, 'sign_in_failed', expect.stringContaining('`name`')]);
  });

  it('the claim for offices with more than a person may have: none of them is left out', async () => {
    const offices = Array.from({ length: 2_001 }, () => randomUUID());
    await open.account({ claims: { realm: 'viewer', offices }, isInvited: false });
    const { status, code, detail } = await problemOf(open);
    expect([status, code, detail]).toEqual([400, 'sign_in_failed', expect.stringContaining('`offices`')]);
  });

  it('but not one of which nothing is stored', async () => {
    await service.account({ claims: { name: 'x'.repeat(300), offices: [OFFICE, '\0'] } });
    expect((await signIn(service.browser())).status).toBe(200);
  });
});

describe('an invitation', () => {
  it('is not taken with an address in which another letter stands for one of the 26', async () => {
    const invited = { name: 'Bruke', email: 'bruke@atlantico.example', grants: [{ role: 'admin' }] };
    expect((await service.server.request('POST', '/people', invited)).status).toBe(201);
    await service.account({ claims: { email: 'bru\u212ae@atlantico.example' }, isInvited: false });
    expect((await problemOf(service)).status).toBe(400);
    await service.account({ claims: { email: 'BruKe@atlantico.example' }, isInvited: false });
    expect((await signIn(service.browser())).status).toBe(200);
  });
});

describe('an ID token', () => {
  it.each([
    ['another client', { azp: 'another' }],
    ['another client, with several audiences', { azp: 'another', aud: ['roster', 'another'] }],
    ['several audiences, of which it does not say to which it was issued', { aud: ['roster', 'another'] }],
  ])('that was issued to %s is rejected (OpenID Connect Core 3.1.3.7)', async (_, claims) => {
    await service.account();
    service.provider.idTokenClaims = claims;
    expect(await problemOf(service)).toMatchObject({ status: 400, code: 'sign_in_failed' });
  });

  it('that was issued to this client is accepted, with other audiences too', async () => {
    await service.account();
    for (const claims of [{ azp: 'roster' }, { azp: 'roster', aud: ['roster', 'another'] }]) {
      service.provider.idTokenClaims = claims;
      expect((await signIn(service.browser())).status).toBe(200);
    }
  });
});

it('a sign-in on another device that the provider would let wait for ever waits for a day at most', async () => {
  service.provider.deviceAuthorization = { expires_in: 1e300 };
  const begun = await service.server.request('POST', '/sign-in/device', {}, { Authorization: '' });
  service.provider.deviceAuthorization = undefined;
  expect([begun.status, await begun.json()]).toEqual([200, expect.objectContaining({ expiresIn: 86_400 })]);
});

describe('a response of the provider is read to 1 MiB at most', () => {
  it.each([
    ['discovery', '/.well-known/openid-configuration'],
    ['keys', '/jwks'],
    ['token', '/token'],
    ['userinfo', '/me'],
    ['device authorization', '/device/auth'],
  ])('%s', async (_, path) => {
    await using fresh = await startSignInFixture();
    const { provider, server } = fresh;
    await fresh.account();
    provider.endlessAt = path;
    const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
    const response = await (path === '/device/auth'
      ? fetch(`${server.url}/sign-in/device`, post)
      : path.startsWith('/.well-known')
        ? fetch(`${server.url}/sign-in`)
        : (async () => {
            const browser = fresh.browser();
            return browser.visit(await untilCallback(browser), { Accept: 'application/json' });
          })());
    const { detail } = await expectProblem(response, 'unavailable');
    expect(detail).toContain('longer than 1 MiB');
    await expect.poll(() => provider.endlessBytes).toBeGreaterThan(MIB);
    // What the buffers of the connection take, and no more.
    expect(provider.endlessBytes).toBeLessThan(32 * MIB);
  });
});
