import type { Invitation, InvitationWithLink, Person } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkMailServer } from '../../src/cli/check/index.ts';
import { readConfig } from '../../src/config/config.ts';
import { startMailServer } from '../support/auth/mail-server.ts';
import { askForLink, invited, PasskeyUser, tokenOf } from '../support/auth/passkeys.ts';
import { bodyOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { openTransactions } from '../support/locks.ts';

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

async function send({ id }: Person): Promise<InvitationWithLink> {
  const response = await askForLink(server, { personId: id, isMailed: true });
  expect(response.status).toBe(201);
  return bodyOf<InvitationWithLink>(response);
}

/** The text of a message without its quoted-printable line ends. */
const readable = (text: string) => text.replaceAll('=\r\n', '').replaceAll('=3D', '=');

describe('an invitation by e-mail', () => {
  it('goes to the person, with the link that works, and has what the mail server answered', async () => {
    const person = await invited(server);
    const made = await send(person);
    expect(made.mail).toEqual({
      to: person.email,
      sentAt: made.createdAt,
      isAccepted: true,
      response: expect.stringContaining('queued as 4Zk1'),
    });
    const [message] = mail.messages.splice(0);
    expect(message?.to).toEqual([person.email]);
    const text = readable(message?.text ?? '');
    expect(text).toContain('From: Roster <roster@atlantico.example>');
    expect(text).toContain(made.link);
    expect(text).toContain(made.expiresAt.slice(0, 10));
    const user = new PasskeyUser(publicUrl, { [publicUrl]: server.url });
    expect((await user.accept(tokenOf(made))).status).toBe(204);
    expect(user.browser.setCookies.join()).toMatch(
      /__Host-roster_session=[^;]+; Path=\/; .*HttpOnly; Secure/,
    );
  });

  it('has no transaction open while the mail server has not answered', async () => {
    let open: string[] | undefined;
    mail.onMessage = async () => {
      open = await openTransactions(server.database.db);
    };
    await send(await invited(server));
    mail.onMessage = undefined;
    mail.messages.length = 0;
    expect(open).toEqual([]);
  });

  it('that the mail server rejects says so with its words, and has a link to hand over', async () => {
    const person = await invited(server);
    mail.rejectWith = 'No such mailbox here';
    const made = await send(person);
    mail.rejectWith = undefined;
    expect(made.mail).toMatchObject({
      to: person.email,
      isAccepted: false,
      response: '550 No such mailbox here',
    });
    const { items } = await bodyOf<{ items: Invitation[] }>(
      await server.request('GET', `/invitations?personId=${person.id}`),
    );
    expect(items[0]?.mail).toEqual(made.mail);
    const user = new PasskeyUser(publicUrl, { [publicUrl]: server.url });
    expect((await user.accept(tokenOf(made))).status).toBe(204);
  });

  it('to a mail server that does not respond is made all the same, and says what went wrong', async () => {
    const closed = await startMailServer();
    await closed[Symbol.asyncDispose]();
    await using away = await startTestServer({ mail: closed.config, publicUrl });
    const { id } = await invited(away);
    const made = await bodyOf<InvitationWithLink>(await askForLink(away, { personId: id, isMailed: true }));
    expect(made.mail).toMatchObject({ isAccepted: false, response: expect.stringContaining('ECONNREFUSED') });
  });

  it('cannot add a header by the name of a person', async () => {
    const body = {
      name: 'Eve" <eve@other.example>, Ana',
      email: 'ana-header@atlantico.example',
      grants: [{ role: 'viewer' }],
    };
    const person = await bodyOf<Person>(await server.request('POST', '/people', body));
    await send(person);
    const [message] = mail.messages.splice(0);
    expect(message?.to).toEqual(['ana-header@atlantico.example']);
  });
});

describe('the check of the mail server', () => {
  it('says that it lets the service in, or why it does not', async () => {
    const checked = await checkMailServer({ ...readConfig({}), mail: mail.config });
    expect(checked).toMatchObject([{ level: 'ok', subject: 'email' }]);
    const tls = { ...mail.config, isTlsRequired: true };
    const rejected = await checkMailServer({ ...readConfig({}), mail: tls });
    expect(rejected).toMatchObject([
      { level: 'warning', detail: expect.stringContaining('No email is sent') },
    ]);
  });
});
