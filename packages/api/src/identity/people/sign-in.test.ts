import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../access/authenticator.ts';
import { createSession, endSessions } from '../sessions/service.ts';
import { recordSignIn } from './repository.ts';
import { createPersonAtSignIn, findOrLinkPerson, findPerson, updatePersonAtSignIn } from './sign-in.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const cause = { now: new Date(), requestId: 'sign-in' };
const issuer = 'https://id.example';
const viewer = [{ role: 'viewer' as const, officeIds: null }];

function created(email: string, subject?: string) {
  const identity = subject === undefined ? undefined : { issuer, subject };
  return createPersonAtSignIn(database.db, { name: 'Ana', email, grants: viewer, identity }, cause);
}

async function adminEvents(subject: string) {
  const events = database.db.selectFrom('admin_event').where('subject_id', '=', subject).orderBy('position');
  return (await events.select(['type', 'actor_id', 'version']).execute()).map((event) =>
    Object.values(event),
  );
}

describe('a person who signs in', () => {
  it('is found by the identity, whatever the e-mail address says', async () => {
    const { id } = await created('by-identity@atlantico.example', 'one');
    const claims = { issuer, subject: 'one', verifiedEmail: 'other@atlantico.example' };
    expect((await findOrLinkPerson(database.db, claims, cause))?.id).toBe(id);
    expect(await findOrLinkPerson(database.db, { ...claims, issuer: 'https://x.example' }, cause)).toBe(
      undefined,
    );
  });

  it('is linked by a verified e-mail address in any letter case, once, and then found by the identity alone', async () => {
    const { id } = await created('Link@atlantico.example');
    const verifiedEmail = 'lINK@atlantico.example';
    expect(await findOrLinkPerson(database.db, { issuer, subject: 'two' }, cause)).toBe(undefined);
    expect((await findOrLinkPerson(database.db, { issuer, subject: 'two', verifiedEmail }, cause))?.id).toBe(
      id,
    );
    expect(await findOrLinkPerson(database.db, { issuer, subject: 'three', verifiedEmail }, cause)).toBe(
      undefined,
    );
    expect((await findOrLinkPerson(database.db, { issuer, subject: 'two' }, cause))?.id).toBe(id);
  });

  it.each([
    ['bruke@atlantico.example', 'bru\u212ae@atlantico.example'],
    ['i\u0307zmir@atlantico.example', '\u0130zmir@atlantico.example'],
    ['\u00e9va@atlantico.example', '\u00c9va@atlantico.example'],
  ])(
    'is not linked by an address whose other letters are the same in small letters: %s by %s',
    async (email, verifiedEmail) => {
      await created(email);
      const claims = { issuer, subject: `as ${email}`, verifiedEmail };
      expect(await findOrLinkPerson(database.db, claims, cause)).toBe(undefined);
    },
  );

  it('gets the name and the grants of the claims, with an event only if they differ', async () => {
    const { id } = await created('claims@atlantico.example', 'four');
    const same = await updatePersonAtSignIn(database.db, { id, name: 'Ana', grants: viewer }, cause);
    expect(same.grants).toEqual(viewer);
    const grants = [{ role: 'admin' as const, officeIds: null }];
    expect((await updatePersonAtSignIn(database.db, { id, grants }, cause)).grants).toEqual(grants);
    expect(await adminEvents(id)).toEqual([
      ['person.invited', null, 1],
      ['person.updated', null, 2],
    ]);
  });

  it('becomes active at the first sign-in', async () => {
    const { id } = await created('active@atlantico.example');
    await database.db.updateTable('person').set({ status: 'invited' }).where('id', '=', id).execute();
    await recordSignIn(database.db, { id, now: cause.now });
    const lastSignedInAt = cause.now.toISOString();
    expect(await findPerson(database.db, id)).toMatchObject({ status: 'active', lastSignedInAt });
  });
});

describe('a session', () => {
  const session = { method: 'oidc' as const, client: 'x'.repeat(300), lifetimeMs: 60_000 };

  it('has the rights of its person until it is ended, with an event for each', async () => {
    const { id: personId } = await created('session@atlantico.example');
    const now = new Date();
    const { id, token } = await createSession(database.db, { ...session, personId, now });
    const options = {
      db: database.db,
      now: () => new Date(),
      sessionIdleMs: 60_000,
      isListening: () => false,
    };
    const { callerOf } = createAuthenticator(options);
    expect(await callerOf(`Bearer ${token}`)).toMatchObject({ type: 'person', id: personId, sessionId: id });
    const ended = await endSessions(database.db, { personId }, { ...cause, actorId: null });
    expect(ended).toMatchObject([{ id, client: 'x'.repeat(200), owner: { type: 'person', id: personId } }]);
    expect(await endSessions(database.db, { id }, { ...cause, actorId: null })).toEqual([]);
    const { callerOf: callerNow } = createAuthenticator(options);
    await expect(callerNow(`Bearer ${token}`)).rejects.toMatchObject({ errorCode: 'unauthenticated' });
    expect(await adminEvents(id)).toEqual([
      ['session.created', personId, 1],
      ['session.ended', null, 2],
    ]);
  });

  it('is ended by its identity provider, by its own id there or with all of the person', async () => {
    const { id: personId } = await created('provider@atlantico.example', 'five');
    const start = (providerSession: string) =>
      createSession(database.db, { ...session, personId, providerSession, now: new Date() });
    const [first, second, third] = [await start('sid-1'), await start('sid-2'), await start('sid-3')];
    const byProvider = { ...cause, actorId: null };
    const idsOf = (ended: { id: string }[]) => ended.map(({ id }) => id);
    const bySid = await endSessions(database.db, { issuer, providerSession: 'sid-2' }, byProvider);
    expect(idsOf(bySid)).toEqual([second.id]);
    const elsewhere = { issuer: 'https://x.example', providerSession: 'sid-1' };
    expect(await endSessions(database.db, elsewhere, byProvider)).toEqual([]);
    const all = await endSessions(database.db, { issuer, subject: 'five' }, byProvider);
    expect(idsOf(all).sort()).toEqual([first.id, third.id].sort());
  });
});
