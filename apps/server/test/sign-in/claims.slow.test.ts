import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLIC, type SignInFixture, signIn, startSignInFixture } from '../support/auth/sign-in.ts';
import { expectProblem } from '../support/problems.ts';

describe('with a claim for roles', () => {
  const claims = { role: 'realm.roles', roleMax: 'editor', offices: 'offices' } as const;
  const office = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
  let claimed: SignInFixture;
  beforeAll(async () => {
    claimed = await startSignInFixture({ claims });
  });
  afterAll(() => claimed[Symbol.asyncDispose]());

  async function grantsWith(given: object): Promise<unknown> {
    const sub = await claimed.account({ claims: given, isInvited: false });
    await signIn(claimed.browser());
    const person = claimed.server.database.db.selectFrom('person').where('subject', '=', sub);
    return (await person.select('grants').executeTakeFirst())?.grants;
  }

  it.each([
    ['a role for some offices', ['viewer'], [office], [{ role: 'viewer', officeIds: [office] }]],
    ['the highest of several', ['viewer', 'editor', 'x'], '*', [{ role: 'editor', officeIds: null }]],
    ['at most the highest of the setting', 'admin', ['*'], [{ role: 'editor', officeIds: null }]],
    ['nothing without a role', ['x', 7, null], ['*'], undefined],
    ['nothing without an office', ['viewer'], [], undefined],
    ['nothing for what is no id of an office', ['viewer'], ['all', '**', {}], undefined],
  ])('gives a person who was not invited %s', async (_, roles, offices, expected) => {
    expect(await grantsWith({ realm: { roles }, offices })).toEqual(expected);
  });

  it('creates one person of several first sign-ins at the same time', async () => {
    const given = { realm: { roles: 'viewer' }, offices: '*' };
    await claimed.account({ claims: given, isInvited: false });
    const browsers = [1, 2, 3, 4].map(() => claimed.browser());
    const responses = await Promise.all(browsers.map((browser) => signIn(browser)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('creates nobody with the e-mail address of another person', async () => {
    const given = { realm: { roles: 'viewer' }, offices: '*', email: 'ana@atlantico.example' };
    await claimed.account({ claims: given, isInvited: false });
    expect((await signIn(claimed.browser())).status).toBe(200);
    await claimed.account({ claims: given, isInvited: false });
    const response = await signIn(claimed.browser());
    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringContaining('Another person already has your email address.'),
    ]);
  });

  it('replaces the grants at each sign-in, also of open sessions, and admits nobody who has lost the role', async () => {
    const sub = await claimed.account({ grants: [{ role: 'admin', officeIds: null }] });
    const account = claimed.provider.accounts.get(sub) ?? {};
    const browser = claimed.browser();
    Object.assign(account, { realm: { roles: 'editor' }, offices: '*' });
    await signIn(browser);
    expect(
      (await browser.fetch(`${PUBLIC}/offices`, { method: 'POST', body: { name: 'Porto' } })).status,
    ).toBe(201);
    await expectProblem(await browser.fetch(`${PUBLIC}/keys`), 'insufficient_scope');
    Object.assign(account, { realm: { roles: 'viewer' } });
    await signIn(claimed.browser());
    const write = await browser.fetch(`${PUBLIC}/offices`, { method: 'POST', body: { name: 'Porto' } });
    await expectProblem(write, 'insufficient_scope');
    Object.assign(account, { realm: undefined });
    const rejected = claimed.browser();
    expect((await signIn(rejected)).status).toBe(403);
  });
});
