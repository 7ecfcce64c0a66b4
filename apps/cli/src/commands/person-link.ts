import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Row } from '../columns.ts';
import type { CommandContext, ContextFactory } from '../context/command-context.ts';
import { operationContract } from '../contract/contract.ts';
import { CliError, exitCodes } from '../errors/errors.ts';
import { addJson } from '../input/json-option.ts';
import type { Resource } from '../resources.ts';

/** The link of the sign-in, as the service answers it. */
type PersonLink = {
  url: string;
  /** RFC 3339. */
  expiresAt: string;
};

/** The most people that one line names. */
const NAMES_MAX = 5;

/** Asks the service for a link with which a person signs in once. Throws `CliError` if it makes none. */
async function createLink(
  personId: string,
  { connection, callOptions }: CommandContext,
): Promise<PersonLink> {
  const { callSignIn } = await import('../sign-in/sign-in-client.ts');
  const { url, key } = connection;
  const target = { url, signal: callOptions.signal };
  const answer = await callSignIn<PersonLink>(target, '/sign-in/links', {
    body: { personId },
    ...(key !== undefined && { key }),
  });
  if (answer.status === 201) return answer.body;
  const { detail = `The service answered ${answer.status}.` } = answer.body;
  const isDenied = answer.status === 401 || answer.status === 403;
  throw new CliError(`no link was made: ${detail}`, {
    exitCode: isDenied ? exitCodes.notAllowed : exitCodes.failed,
  });
}

/** `link <id>`: prints a link with which a person signs in once. */
export function personLinkCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const contract = operationContract(resource.name, 'link');
  const command = new Command('link')
    .summary(contract.summary)
    .description(`${contract.summary}. ${contract.description}`)
    .argument('<id>', `The id of the ${resource.singular}`);
  addJson(command, contract);
  return command.action(async (id, _options, command) => {
    const context = await createContext(resource, command);
    const { io, json, printer } = context;
    const link = await createLink(id, context);
    if (!io.isTerminal || json !== undefined) return printer.record(link);
    io.stdout.write(`${link.url}\n`);
    io.stderr.write(
      `It works once, until ${link.expiresAt}. Whoever opens it is signed in as the person: hand it to nobody else.\n`,
    );
  });
}

/** Prints how a person who was invited signs in, on a terminal: nothing was sent to them. */
export async function reportWayToSignIn(
  { id, name, email }: { id: string; name: string; email: string },
  { io, json, connection, callOptions }: CommandContext,
): Promise<void> {
  if (!io.isTerminal || json !== undefined) return;
  const { readMethods } = await import('../sign-in/sign-in-client.ts');
  const { provider, url } = await readMethods({ url: connection.url, signal: callOptions.signal });
  const address = `${(url ?? connection.url).replace(/\/+$/, '')}/sign-in`;
  io.stderr.write(
    provider
      ? `Nothing was sent: tell ${name} to sign in at ${address} as ${email}.\n`
      : `No identity provider is set up, so ${name} can sign in only with a link that works once. Make one, and hand it over:\n` +
          `  roster people link ${id}\n`,
  );
}

/** Prints which of the listed people have nothing to sign in with, on a terminal: those who are invited, without an identity provider. */
export async function reportNeededLinks(
  rows: readonly Row[],
  { io, json, connection, callOptions }: CommandContext,
): Promise<void> {
  const invited = rows.filter(({ status }) => status === 'invited');
  if (!io.isTerminal || json !== undefined || invited.length === 0) return;
  const { readMethods } = await import('../sign-in/sign-in-client.ts');
  const { provider } = await readMethods({ url: connection.url, signal: callOptions.signal });
  if (provider) return;
  const names = invited.slice(0, NAMES_MAX).map(({ name }) => String(name));
  const more = invited.length > NAMES_MAX ? ` and ${invited.length - NAMES_MAX} more` : '';
  io.stderr.write(
    `Invited, with nothing to sign in with yet: ${names.join(', ')}${more}. roster people link <id> makes a link.\n`,
  );
}
