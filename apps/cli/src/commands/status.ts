import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { type Connection, connectionOf } from '../connection.ts';
import { CliError, exitCodes } from '../failures.ts';
import type { Identity } from '../identity.ts';
import { addJson, jsonOutput } from '../json-option.ts';
import { printerFor } from '../output/printer.ts';
import { ioFor, type Surroundings } from '../session.ts';

const description =
  'Say which service is called and as whom, where URL and key come from, and how the service is. The name of a key ' +
  'and all its scopes are shown to a key that has the scope keys:manage; of any other, what it may read.';

/** What is printed, in this order. */
const answers = [
  'url',
  'urlSource',
  'profile',
  'key',
  'keySource',
  'keyState',
  'keyName',
  'scopes',
  'areScopesAll',
  'expiresAt',
  'service',
  'serviceVersion',
  'version',
] as const;

type Status = Record<(typeof answers)[number], unknown>;

async function statusOf(connection: Connection, { signal, version }: Surroundings): Promise<Status> {
  const { healthOf } = await import('../health.ts');
  const { hintOf, identify } = await import('../identity.ts');
  const { service, version: serviceVersion = null } = await healthOf(connection.url, signal);
  const identity: Partial<Identity> = service === 'ready' ? await identify(connection, signal) : {};
  const { url, urlSource, profile = null, key, keySource = null } = connection;
  return {
    url,
    urlSource,
    profile,
    key: key === undefined ? null : hintOf(key),
    keySource,
    keyState: key === undefined ? 'none' : (identity.state ?? 'not known'),
    keyName: identity.name ?? null,
    scopes: identity.scopes ?? null,
    areScopesAll: identity.isComplete ?? null,
    expiresAt: identity.expiresAt ?? null,
    service,
    serviceVersion,
    version,
  };
}

/** Throws what is wrong with a connection, after it was printed. */
function complain({ url, service, keyState }: Status, { withheld }: Connection): void {
  if (service !== 'ready') {
    throw new CliError(service === 'unreachable' ? `no Roster answers at ${url}` : `${url} is not ready`, {
      remedy: 'Start the service (npm start), or say where it is with --url, ROSTER_URL or roster login.',
    });
  }
  if (keyState === 'accepted') return;
  const message = keyState === 'none' ? `there is no key for ${url}` : `${url} does not take this key`;
  throw new CliError(message, {
    exitCode: exitCodes.notAllowed,
    remedy: `${withheld === undefined ? '' : `${withheld} `}Give one with: roster login, --key or ROSTER_KEY.`,
  });
}

/** `status`: which service, as whom, and whether it works. */
export function statusCommand(surroundings: Surroundings): CommandUnknownOpts {
  const command = new Command('status')
    .summary('Say which service is called, and as whom')
    .description(description);
  addJson(command, { answers: [...answers] });
  return command.action(async (_options, command) => {
    const options: Record<string, unknown> = command.optsWithGlobals();
    const given = ioFor(surroundings.io, options);
    const { io, json } = await jsonOutput(options, { answers: [...answers] }, given);
    const connection = connectionOf(options, surroundings);
    const status = await statusOf(connection, surroundings);
    await printerFor(io, json).record(status);
    complain(status, connection);
  });
}
