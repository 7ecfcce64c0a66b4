import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { ioFor, type Surroundings } from '../context/command-context.ts';
import { type Connection, connectionOf } from '../context/connection.ts';
import type { Identity } from '../context/identity.ts';
import { CliError, exitCodes } from '../errors/errors.ts';
import { addJson, jsonOutput } from '../input/json-option.ts';
import { printerFor } from '../output/printer.ts';

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
  const { healthOf } = await import('../context/health.ts');
  const { hintOf, identify } = await import('../context/identity.ts');
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

/** `open`: the documentation of the service in a browser, or its URL where there is none. */
export function openCommand(surroundings: Surroundings): CommandUnknownOpts {
  const { io, openUrl } = surroundings;
  return new Command('open')
    .summary('Open the documentation in a browser')
    .description('Open /docs of the service in a browser; in a pipe, or without a browser, print its URL.')
    .action(async (_options, command) => {
      const { url } = connectionOf(command.optsWithGlobals(), surroundings);
      const docs = `${url.replace(/\/+$/, '')}/docs`;
      if (io.isTerminal && (await openUrl(docs))) io.stderr.write(`Opened ${docs}\n`);
      else io.stdout.write(`${docs}\n`);
    });
}
