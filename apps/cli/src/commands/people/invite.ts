import type { InvitationWithLink, Person } from '@roster/client';
import type { Row } from '../../contract/columns.ts';
import { applyChange, operationCommand, reportChange } from '../command-builder.ts';
import type { CommandContext } from '../context.ts';
import { addData } from '../json-body.ts';

interface WayIn {
  /** The link to hand over; null if people sign in at an identity provider, or no link can be made. */
  link: string | null;
  note: string | undefined;
}

function mailNote({ mail }: InvitationWithLink): string | undefined {
  if (mail === null) return undefined;
  const { to, sentAt, isAccepted, response } = mail;
  return isAccepted
    ? `Sent to ${to} at ${sentAt}. The mail server responded: ${response}`
    : `The email to ${to} wasn't sent. The mail server responded: ${response}\nSend the link yourself.`;
}

/**
 * Creates the first sign-in link of a person. A service with an identity provider needs none. A failure only adds a note: the
 * person exists in any case.
 */
async function makeWayIn(
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
    const again = `Create one with: ${commandLine(`invitations create --person-id ${id}`)}`;
    return {
      link: null,
      note: `The link wasn't created: ${error instanceof Error ? error.message : error}\n${again}`,
    };
  }
}

export const inviteCommand = operationCommand('invite', {
  addOptions: (command) => {
    command.option('--is-mailed', 'Also send the link by email, if the service has a mail server');
    addData(command);
  },
  run: async (call, context) => {
    const person = await applyChange<Row & Person>(call, context);
    if (person === undefined) return;
    const isMailed = call.options.isMailed === true;
    const { link, note } = await makeWayIn(person, context, { isMailed });
    await reportChange({ ...call, record: { ...person, link } }, context);
    if (note !== undefined) context.io.stderr.write(`${note}\n`);
  },
});
