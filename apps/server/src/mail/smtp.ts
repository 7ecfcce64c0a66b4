import type { SendInvitation } from '@roster/api/server';
import type { MailConfig } from '../config/mail-settings.ts';

/** The longest that connecting, a greeting or an answer of the mail server takes. */
const TIMEOUT_MS = 10_000;

/** A connection for one message; nodemailer is loaded with the first. */
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

/** The text of an error of nodemailer: the answer of the mail server if it gave one. */
function answerOf(error: unknown): string {
  const { response, message } = error as { response?: string; message?: string };
  return response ?? message ?? String(error);
}

/**
 * Sends invitations by a mail server, one message at a time and once: nothing tries again. Resolves to what the server answered, and
 * to what went wrong if it rejects the message or does not answer.
 */
export function invitationSender(config: MailConfig): SendInvitation {
  return async (letter) => {
    try {
      const transport = await transportOf(config);
      const { response } = await transport.sendMail({ from: config.from, ...messageOf(letter) });
      return { isAccepted: true, answer: response };
    } catch (error) {
      return { isAccepted: false, answer: answerOf(error) };
    }
  };
}

/** Asks the mail server whether it lets the service in, without a message. Rejects with what is wrong. */
export async function verifyMailServer(config: MailConfig): Promise<void> {
  const transport = await transportOf(config);
  try {
    await transport.verify();
  } catch (error) {
    throw new Error(answerOf(error), { cause: error });
  } finally {
    transport.close();
  }
}

/** The message: plain text, in which no program changes the link. */
function messageOf({ to, link, expiresAt, invitedBy }: Parameters<SendInvitation>[0]) {
  const until = `${expiresAt.slice(0, 16).replace('T', ' ')} UTC`;
  return {
    to: { name: to.name, address: to.address },
    subject: 'Your invitation to Roster',
    text: `Hello ${to.name},

${invitedBy} has invited you to Roster, the directory of your organisation.

Open this link to set up how you sign in:

${link}

It works once, until ${until}. Whoever opens it first can sign in as you: do not
pass it on. If you did not expect this message, ignore it.
`,
  };
}
