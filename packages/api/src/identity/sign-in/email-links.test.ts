import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../access/authenticator.ts';
import { changePerson } from '../people/repository.ts';
import { createPersonAtSignIn } from '../people/sign-in.ts';
import { endSessions } from '../sessions/service.ts';
import { EMAIL_LINK_MS, EMAIL_LINKS_MAX } from './email-links.ts';
import { FIRST_PERSON } from './service.ts';
import { SignIn } from './sign-in.ts';

let database: TestDatabase;
let clock = new Date();
let signIn: SignIn;
beforeAll(async () => {
  database = await createTestDatabase();
  const now = () => clock;
  const keys = createAuthenticator({ db: database.db, now, sessionIdleMs: 60_000, isListening: () => false });
  signIn = new SignIn({ db: database.db, now, keys, lifetimeMs: 3_600_000, idleMs: 60_000 });
});
afterAll(() => database[Symbol.asyncDispose]());

const client = { client: 'A test', requestId: 'email-link' };
const browser = 'the browser';
const grants = [{ role: 'viewer' as const, officeIds: null }];
const cause = () => ({ now: clock, requestId: 'email-link' });

const newEmail = () => `${randomUUID()}@atlantico.example`;
async function newPerson(email = newEmail()) {
  const { id } = await createPersonAtSignIn(database.db, { name: 'Ana', email, grants }, cause());
  return { id, email };
}

const ask = (email: string) => signIn.createEmailLink({ email, browser });

async function linkFor(email: string): Promise<string> {
  const link = await ask(email);
  if (link === undefined) throw new Error('no link');
  return link.secret;
}

const open = (secret: string, at: string | undefined = browser) =>
  signIn.openEmailLink({ secret, browser: at }, client);
const failure = { errorCode: 'sign_in_failed' };

const rowsOf = (personId: string | null) =>
  database.db
    .selectFrom('sign_in')
    .where('kind', '=', 'email')
    .where('person_id', 'is not distinct from', personId)
    .selectAll()
    .execute();

describe('a link sent by email', () => {
  it('signs its person in once, in any letter case of the address, and stores no secret', async () => {
    const { id, email } = await newPerson();
    const link = await ask(email.toUpperCase());
    expect(link?.to).toEqual({ name: 'Ana', address: email });
    expect(JSON.stringify(await rowsOf(id))).not.toContain(link?.secret);
    const session = await open(link?.secret ?? '');
    const stored = database.db.selectFrom('session').where('id', '=', session.id);
    expect(await stored.select(['person_id', 'method']).executeTakeFirst()).toEqual({
      person_id: id,
      method: 'email',
    });
    await expect(open(link?.secret ?? '')).rejects.toMatchObject(failure);
  });

  it('signs one browser in if several use it at once', async () => {
    const secret = await linkFor((await newPerson()).email);
    const opened = await Promise.allSettled([open(secret), open(secret), open(secret)]);
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('works for 15 minutes', async () => {
    const { email } = await newPerson();
    const secret = await linkFor(email);
    clock = new Date(clock.getTime() + EMAIL_LINK_MS);
    await expect(open(secret)).rejects.toMatchObject(failure);
  });

  it('fails in another browser, and then still works in its own', async () => {
    const secret = await linkFor((await newPerson()).email);
    for (const other of ['another browser', undefined])
      await expect(signIn.openEmailLink({ secret, browser: other }, client)).rejects.toMatchObject({
        ...failure,
        message: expect.stringContaining('in which you asked'),
      });
    await open(secret);
  });

  it('ends with a newer one', async () => {
    const { email } = await newPerson();
    const [first, second] = [await linkFor(email), await linkFor(email)];
    await expect(open(first)).rejects.toMatchObject(failure);
    await open(second);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['other rights', (id) => changePerson(database.db, { id, now: clock, grants })],
    ['another address', (id) => changePerson(database.db, { id, now: clock, email: `new-${id}@x.example` })],
    [
      'the end of all sessions',
      (personId) => endSessions(database.db, { personId }, { ...cause(), actorId: null }),
    ],
  ])('ends with %s of its person', async (_, change) => {
    const { id, email } = await newPerson();
    const secret = await linkFor(email);
    await change(id);
    await expect(open(secret)).rejects.toMatchObject(failure);
  });

  it('denies a person who was deactivated meanwhile', async () => {
    const { id, email } = await newPerson();
    const secret = await linkFor(email);
    await changePerson(database.db, { id, now: clock, status: 'inactive' });
    await expect(open(secret)).rejects.toMatchObject({ errorCode: 'sign_in_denied' });
  });
});

describe('nothing is sent', () => {
  it('to an address of nobody, of someone inactive or invited, or of the first start, and a row is stored as well', async () => {
    const inactive = await newPerson();
    await changePerson(database.db, { id: inactive.id, now: clock, status: 'inactive' });
    const invited = await newPerson();
    await changePerson(database.db, { id: invited.id, now: clock, status: 'invited' });
    await newPerson(FIRST_PERSON.email);
    const emails = ['nobody@atlantico.example', inactive.email, invited.email, FIRST_PERSON.email];
    const before = await rowsOf(null);
    for (const email of emails) expect(await ask(email)).toBe(undefined);
    expect(await rowsOf(null)).toHaveLength(before.length + emails.length);
  });

  it('after five links within 15 minutes, the last of which works', async () => {
    const { id, email } = await newPerson();
    let last = '';
    for (let sent = 0; sent < EMAIL_LINKS_MAX; sent += 1) last = await linkFor(email);
    expect(await ask(email)).toBe(undefined);
    expect(await rowsOf(id)).toHaveLength(EMAIL_LINKS_MAX);
    await open(last);
    clock = new Date(clock.getTime() + EMAIL_LINK_MS);
    await linkFor(email);
  });

  it('beyond five if they are asked for at once', async () => {
    const { email } = await newPerson();
    const asked = await Promise.all(Array.from({ length: EMAIL_LINKS_MAX + 3 }, () => ask(email)));
    expect(asked.filter((link) => link !== undefined)).toHaveLength(EMAIL_LINKS_MAX);
  });
});
