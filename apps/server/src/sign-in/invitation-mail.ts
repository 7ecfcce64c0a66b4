import type { SendInvitation } from '@roster/api/server';
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

/** Sends each invitation once, without retries. Resolves to the response of the mail server, or to what went wrong. */
export function invitationSender(config: MailConfig): SendInvitation {
  return async (letter) => {
    try {
      const transport = await transportOf(config);
      const { response } = await transport.sendMail({ from: config.from, ...messageOf(letter) });
      return { isAccepted: true, response };
    } catch (error) {
      return { isAccepted: false, response: responseOf(error) };
    }
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

/** As plain text, no program changes the link. */
function messageOf({ to, link, expiresAt, invitedBy }: Parameters<SendInvitation>[0]) {
  const until = `${expiresAt.slice(0, 16).replace('T', ' ')} UTC`;
  return {
    to: { name: to.name, address: to.address },
    subject: 'Your invitation to Roster',
    text: `Hello ${to.name},

${invitedBy} has invited you to Roster, the directory of your organisation.

Open this link to set up how you sign in:

${link}

It works once, until ${until}. Anyone who opens it first can sign in as you: do not
pass it on. If you did not expect this message, ignore it.
`,
  };
}
