import type { InvitationWithLink, Person } from '@roster/client';
import type { Row } from '../../contract/columns.ts';
import type { CommandContext } from '../context.ts';

/** The most people that one line names. */
const NAMES_MAX = 5;

/** The way in of a person who was invited. */
export interface WayIn {
  /** The link to hand over; null if people sign in at an identity provider, or no link can be made. */
  link: string | null;
  /** The note about it, for stderr. */
  note: string | undefined;
}

/** The outcome of the e-mail with a link, in a sentence. */
function mailNote({ mail }: InvitationWithLink): string | undefined {
  if (mail === null) return undefined;
  const { to, sentAt, isAccepted, answer } = mail;
  return isAccepted
    ? `Sent to ${to} at ${sentAt}. The mail server answered: ${answer}`
    : `It was not sent to ${to}. The mail server: ${answer}\nHand the link over yourself.`;
}

/**
 * Makes the link with which a person who was invited signs in for the first time, and sends it if that is asked for. At a service with
 * an identity provider people sign in there, and there is no link. A failure is a note: the person is invited in any case.
 */
export async function makeWayIn(
  { id, name, email }: Person,
  { client, connection, callOptions, commandLine }: CommandContext,
  { isMailed }: { isMailed: boolean },
): Promise<WayIn> {
  const { signal } = callOptions;
  const { readMethods } = await import('../../service/sign-in.ts');
  const { provider, url } = await readMethods({ url: connection.url, signal });
  if (provider) {
    const address = `${(url ?? connection.url).replace(/\/+$/, '')}/sign-in`;
    return {
      link: null,
      note: `Nothing was sent: tell ${name} to sign in at ${address} as ${email}.`,
    };
  }
  try {
    const invitation = await client.invitations.create.mutate({ personId: id, isMailed }, { signal });
    return { link: invitation.link, note: mailNote(invitation) };
  } catch (error) {
    if (signal.aborted) throw error;
    const again = `Make one with: ${commandLine(`invitations create --person-id ${id}`)}`;
    return { link: null, note: `No link was made: ${(error as Error).message}\n${again}` };
  }
}

/** Prints which of the listed people have no way to sign in, on a terminal. */
export function reportNeededLinks(rows: readonly Row[], { io, printer, commandLine }: CommandContext): void {
  const stranded = rows.filter(({ signInWay, status }) => signInWay === 'none' && status !== 'inactive');
  if (!printer.isForPeople || stranded.length === 0) return;
  const names = stranded.slice(0, NAMES_MAX).map(({ name }) => String(name));
  const more = stranded.length > NAMES_MAX ? ` and ${stranded.length - NAMES_MAX} more` : '';
  io.stderr.write(
    `Without a way to sign in: ${names.join(', ')}${more}. Make a link with: ${commandLine('invitations create --person-id <id>')}\n`,
  );
}
