import type { Person } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMailServer } from '../support/auth/mail-server.ts';
import { invited, linkFor, PasskeyUser, tokenOf } from '../support/auth/passkeys.ts';
import { bodyOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

const publicUrl = 'https://roster.example';
let mail: Awaited<ReturnType<typeof startMailServer>>;
let server: TestServer;
beforeAll(async () => {
  mail = await startMailServer();
  server = await startTestServer({ mail: mail.config, publicUrl });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
});

const newUser = ({ url } = server) => new PasskeyUser(publicUrl, { [publicUrl]: url });

async function activePerson(): Promise<Person> {
  const person = await invited(server);
  const token = tokenOf(await linkFor(server, person.id));
  expect((await newUser().post('/sign-in/invitation', { token })).status).toBe(204);
  return person;
}

async function ask(user: PasskeyUser, email: string): Promise<Response> {
  const response = await user.post('/sign-in/email/begin', { email });
  expect(response.status).toBe(202);
  return response;
}

/** Waits for the message, whose request doesn't wait for the mail server. */
async function nextToken(): Promise<string> {
  await expect.poll(() => mail.messages.length).toBe(1);
  const [message] = mail.messages.splice(0);
  const text = message?.text.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? '';
  const [, token = ''] = /https:\/\/roster\.example\/console\/sign-in\/email#([\w-]{43})/.exec(text) ?? [];
  return token;
}

async function tokenFor(user: PasskeyUser, email: string): Promise<string> {
  await ask(user, email);
  return nextToken();
}

describe('a link to sign in by email', () => {
  it('signs the person in, once, in the browser that asked for it', async () => {
    const { id, email } = await activePerson();
    const user = newUser();
    const token = await tokenFor(user, email);
    expect(user.browser.setCookies.join()).toMatch(
      /^__Host-roster_sign_in=[\w-]{43}; Path=\/; Max-Age=900; HttpOnly; Secure; SameSite=Lax$/,
    );
    await expectProblem(await newUser().post('/sign-in/email', { token }), 'sign_in_failed');
    expect((await user.post('/sign-in/email', { token })).status).toBe(204);
    const me = await bodyOf<unknown>(await user.browser.fetch(`${publicUrl}/me`));
    expect(me).toMatchObject({ type: 'person', id, session: { method: 'email' } });
    await expectProblem(await user.post('/sign-in/email', { token }), 'sign_in_failed');
    const events = server.database.db.selectFrom('admin_event').where('actor_id', '=', id);
    const types = await events.select('type').orderBy('position', 'desc').limit(1).execute();
    expect(types).toEqual([{ type: 'session.created' }]);
  });

  it('is asked for with the same response for an unknown and a deactivated person, who get none', async () => {
    const known = await activePerson();
    const gone = await activePerson();
    expect((await server.request('PUT', `/people/${gone.id}/deactivate`)).status).toBe(200);
    const shapes = new Set<string>();
    for (const email of ['nobody@atlantico.example', gone.email, known.email]) {
      const response = await ask(newUser(), email);
      const body = await bodyOf<object>(response);
      shapes.add(JSON.stringify([Object.keys(body), [...response.headers.keys()].sort()]));
    }
    expect(shapes.size).toBe(1);
    await nextToken();
    expect(mail.messages).toEqual([]);
  });

  it('keeps working in a browser that asked for another person too', async () => {
    const [first, second] = [await activePerson(), await activePerson()];
    const user = newUser();
    const token = await tokenFor(user, first.email);
    await tokenFor(user, second.email);
    expect((await user.post('/sign-in/email', { token })).status).toBe(204);
  });

  it('is asked for and opened by a page of the service alone, with an address', async () => {
    const user = newUser();
    const elsewhere = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    for (const [path, body] of [
      ['/sign-in/email/begin', { email: 'ana@atlantico.example' }],
      ['/sign-in/email', { token: 'x'.repeat(43) }],
    ] as const)
      await expectProblem(await user.post(path, body, elsewhere), 'sign_in_failed');
    await expectProblem(await user.post('/sign-in/email/begin', { email: 'ana' }), 'validation_failed');
  });

  it('is sent while a stopping server waits for the mail server', async () => {
    const { email } = await activePerson();
    const { resolve, promise } = Promise.withResolvers<void>();
    mail.onMessage = () => promise;
    const stopping = await startTestServer({ mail: mail.config, publicUrl, database: server.database });
    await ask(newUser(stopping), email);
    const stopped = stopping[Symbol.asyncDispose]();
    resolve();
    await stopped;
    mail.onMessage = undefined;
    expect(mail.messages.splice(0)).toMatchObject([{ to: [email] }]);
  });

  it('is not offered without a mail server, and not without the console', async () => {
    for (const options of [{}, { mail: mail.config, isConsoleServed: false }]) {
      await using without = await startTestServer({ publicUrl, ...options });
      const methods = await newUser(without).browser.fetch(`${publicUrl}/sign-in/methods`);
      expect(await methods.json()).toMatchObject({ email: false });
      const asked = await newUser(without).post('/sign-in/email/begin', { email: 'ana@atlantico.example' });
      await expectProblem(asked, 'no_such_route');
    }
    const methods = await newUser().browser.fetch(`${publicUrl}/sign-in/methods`);
    expect(await methods.json()).toMatchObject({ email: true });
  });
});
