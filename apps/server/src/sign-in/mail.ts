import type { EmailLink, SendInvitation } from '@roster/api/server';
import type { MailConfig } from '../config/mail-settings.ts';

const TIMEOUT_MS = 10_000;

/** For one message; nodemailer is loaded with the first. */
async function transportOf({ host, port, isSecure, isTlsRequired, user }: MailConfig) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host,
    port,
    secure: isSecure,
    requireTLS: isTlsRequired,
    ...(user && { auth: { user: user.name, pass: user.password } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function responseOf(error: unknown): string {
  const { response, message } = error as { response?: string; message?: string };
  return response ?? message ?? String(error);
}

interface Message {
  to: EmailLink['to'];
  subject: string;
  /** As plain text, no program changes the links. */
  text: string;
}

interface SignInLetter {
  to: EmailLink['to'];
  link: string;
  /** RFC 3339 */
  expiresAt: string;
}

/** Sends each message once, without retries. Resolves to the response of the mail server, or to what went wrong. */
export interface Mailer {
  sendInvitation: SendInvitation;
  sendSignInLink: (letter: SignInLetter) => ReturnType<SendInvitation>;
}

export function createMailer(config: MailConfig): Mailer {
  async function send(message: Message) {
    try {
      const transport = await transportOf(config);
      const { response } = await transport.sendMail({ from: config.from, ...message });
      return { isAccepted: true, response };
    } catch (error) {
      return { isAccepted: false, response: responseOf(error) };
    }
  }
  return {
    sendInvitation: (letter) => send(invitationOf(letter)),
    sendSignInLink: (letter) => send(signInLinkOf(letter)),
  };
}

/** Connects and signs in without sending a message. Rejects with what is wrong. */
export async function verifyMailServer(config: MailConfig): Promise<void> {
  const transport = await transportOf(config);
  try {
    await transport.verify();
  } catch (error) {
    throw new Error(responseOf(error), { cause: error });
  } finally {
    transport.close();
  }
}

const timeOf = (time: string) => `${time.slice(0, 16).replace('T', ' ')} UTC`;

function invitationOf({ to, link, expiresAt, invitedBy }: Parameters<SendInvitation>[0]): Message {
  return {
    to,
    subject: 'Your invitation to Roster',
    text: `Hello ${to.name},

${invitedBy} has invited you to Roster, the directory of your organisation.

Open this link to set up how you sign in:

${link}

It works once, until ${timeOf(expiresAt)}. Anyone who opens it first can sign in as you: do not
pass it on. If you did not expect this message, ignore it.
`,
  };
}

function signInLinkOf({ to, link, expiresAt }: SignInLetter): Message {
  return {
    to,
    subject: 'Your link to sign in to Roster',
    text: `Hello ${to.name},

Open this link to sign in to Roster, in the browser in which you asked for it:

${link}

It works once, until ${timeOf(expiresAt)}. If you did not ask for it, ignore this message:
the link works only in that browser.
`,
  };
}
