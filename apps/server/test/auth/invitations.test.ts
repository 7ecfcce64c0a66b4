import type { EventPage, Invitation, Passkey, Person } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askForLink, invited, linkFor, namedUrl, PasskeyUser, tokenOf } from '../support/auth/passkeys.ts';
import { bodyOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const personOf = async ({ id }: Pick<Person, 'id'>) =>
  bodyOf<Person>(await server.request('GET', `/people/${id}`));

describe('an invitation', () => {
  it('gives whoever opens it a passkey and a session of the person, once', async () => {
    const person = await invited(server, [{ role: 'editor' }]);
    expect(person).toMatchObject({ status: 'invited', signInWay: 'none' });
    const link = await linkFor(server, person.id);
    expect(link.link).toMatch(/^http:\/\/localhost:\d+\/console\/invitation#[\w-]{43}$/);
    expect(await personOf(person)).toMatchObject({ signInWay: 'invitation' });
    const user = new PasskeyUser(namedUrl(server));
    const opened = await user.post('/sign-in/invitation/open', { token: tokenOf(link) });
    expect(await bodyOf(opened)).toEqual({
      name: person.name,
      email: person.email,
      expiresAt: link.expiresAt,
    });
    expect((await user.accept(tokenOf(link))).status).toBe(204);
    expect([await user.status('/offices'), await user.status('/keys')]).toEqual([200, 403]);
    expect(await personOf(person)).toMatchObject({ status: 'active', signInWay: 'passkey' });
    const again = await new PasskeyUser(namedUrl(server)).post('/sign-in/invitation', {
      token: tokenOf(link),
    });
    await expectProblem(again, 'sign_in_failed');
    const shown = await bodyOf<Invitation>(await server.request('GET', `/invitations/${link.id}`));
    expect(shown).toMatchObject({ acceptedAt: expect.any(String), revokedAt: null, mail: null });
    expect(shown).not.toHaveProperty('link');
  });

  it('is in the log with whoever has made it, and the sign-in with the person, without any secret', async () => {
    const person = await invited(server);
    const link = await linkFor(server, person.id);
    const user = new PasskeyUser(namedUrl(server));
    await user.accept(tokenOf(link), 'Telephone');
    const types = ['invitation.created', 'invitation.accepted', 'passkey.created', 'session.created'];
    const path = `/events?limit=200&${types.map((type) => `types=${type}`).join('&')}`;
    const { items } = await bodyOf<EventPage>(await server.request('GET', path));
    expect(JSON.stringify(items)).not.toContain(tokenOf(link));
    const made = items.find(({ subject }) => subject === link.id);
    expect(made).toMatchObject({ type: 'invitation.created', record: { person: { id: person.id } } });
    const own = items.filter(({ actorId }) => actorId === person.id);
    expect(own.map(({ type }) => type)).toEqual([
      'invitation.accepted',
      'passkey.created',
      'session.created',
    ]);
    expect(own[1]?.record).toMatchObject({ personId: person.id, name: 'Telephone', isSynced: true });
    expect(own[2]?.record).toMatchObject({ method: 'passkey' });
  });

  it('ends an earlier one of its person, and can be revoked', async () => {
    const person = await invited(server);
    const user = new PasskeyUser(namedUrl(server));
    const open = async (link: { link: string }) =>
      (await user.post('/sign-in/invitation/open', { token: tokenOf(link) })).status;
    const first = await linkFor(server, person.id);
    const second = await linkFor(server, person.id);
    expect([await open(first), await open(second)]).toEqual([400, 200]);
    const { items } = await bodyOf<{ items: Invitation[] }>(
      await server.request('GET', `/invitations?personId=${person.id}&isOpen=true`),
    );
    expect(items.map(({ id }) => id)).toEqual([second.id]);
    const revoked = await bodyOf<Invitation>(await server.request('PUT', `/invitations/${second.id}/revoke`));
    expect(revoked.revokedAt).toEqual(expect.any(String));
    expect(await open(second)).toBe(400);
    expect(await personOf(person)).toMatchObject({ signInWay: 'none' });
    expect((await linkFor(server, person.id)).id).not.toBe(second.id);
  });

  it('is not mailed without a mail server, and says so before anything is made', async () => {
    const { id } = await invited(server);
    const { detail } = await expectProblem(
      await askForLink(server, { personId: id, isMailed: true }),
      'validation_failed',
    );
    expect(detail).toContain('ROSTER_SMTP_URL');
    expect(await personOf({ id })).toMatchObject({ signInWay: 'none' });
  });
});

describe('a passkey', () => {
  it('whose description the database could not store is rejected', async () => {
    const person = await invited(server);
    const user = new PasskeyUser(namedUrl(server));
    const token = tokenOf(await linkFor(server, person.id));
    const begun = await user.post('/sign-in/invitation/begin', { token });
    const created = user.device.create(await bodyOf<Parameters<typeof user.device.create>[0]>(begun));
    const response = { ...created, response: { ...created.response, transports: ['internal', 'a\0b'] } };
    const accepted = await user.post('/sign-in/invitation', {
      token,
      passkey: { name: 'A device', response },
    });
    await expectProblem(accepted, 'validation_failed');
  });

  it('signs its person in from then on, and ends their sessions when it is removed', async () => {
    const person = await invited(server);
    const user = new PasskeyUser(namedUrl(server));
    await user.accept(tokenOf(await linkFor(server, person.id)));
    user.browser.cookies.clear();
    expect(await user.status('/offices')).toBe(401);
    expect((await user.signIn()).status).toBe(204);
    expect(await user.status('/offices')).toBe(200);
    const added = await bodyOf<Passkey>(await user.add('Security key'));
    expect(added).toMatchObject({ name: 'Security key', lastUsedAt: null });
    const { items } = await bodyOf<{ items: Passkey[] }>(
      await user.browser.fetch(`${user.origin}/passkeys?sort=createdAt`),
    );
    expect(items.map(({ name }) => name)).toEqual(['Chrome on Windows', 'Security key']);
    expect(items[0]?.lastUsedAt).toEqual(expect.any(String));
    const renamed = await server.request('PATCH', `/passkeys/${added.id}`, { name: 'Key on the ring' });
    expect(await bodyOf<Passkey>(renamed)).toMatchObject({ name: 'Key on the ring' });
    expect((await server.request('DELETE', `/passkeys/${items[0]?.id}`)).status).toBe(204);
    expect(await user.status('/offices')).toBe(401);
    const [first] = user.device.credentials;
    const gone = user.device.get(await user.begin(), { credential: first });
    await expectProblem(await user.post('/sign-in/passkey', { response: gone }), 'sign_in_failed');
    expect((await user.signIn()).status).toBe(204);
  });
});
