import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { operationContract } from '../contract/operations.ts';
import { commandLine, type Environment } from '../environment.ts';
import { CliError, exitCodes } from '../errors.ts';
import { type Connection, connectionOf } from '../service/connection.ts';
import type { Identity } from '../service/identity.ts';
import { addJson, jsonOutput } from '../ui/json-option.ts';
import { printerFor } from '../ui/printer.ts';
import { createCommandContext, ioFor, type Runtime } from './context.ts';

const description =
  'Show the URL and the key in use, where they come from, and the health of the service. The name of the key and all ' +
  'its scopes are shown if it has the scope keys:manage; otherwise only the scopes for reading.';

/** The printed fields, in this order. */
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

async function checkStatus(connection: Connection, { signal, version }: Runtime): Promise<Status> {
  const { checkHealth } = await import('../service/health.ts');
  const { keyPrefix, identify } = await import('../service/identity.ts');
  const { service, version: serviceVersion = null } = await checkHealth(connection.url, signal);
  const identity: Partial<Identity> = service === 'ready' ? await identify(connection, signal) : {};
  const { url, urlSource, profile = null, key, keySource = null } = connection;
  return {
    url,
    urlSource,
    profile,
    key: key === undefined ? null : keyPrefix(key),
    keySource,
    keyState: key === undefined ? 'none' : (identity.state ?? 'unknown'),
    keyName: identity.name ?? null,
    scopes: identity.scopes ?? null,
    areScopesAll: identity.isComplete ?? null,
    expiresAt: identity.expiresAt ?? null,
    service,
    serviceVersion,
    version,
  };
}

/** Throws an error if the service is not ready or rejects the key. Called after the status was printed. */
function throwIfUnusable(
  { url, service, keyState }: Status,
  { withheld }: Connection,
  env: Environment,
): void {
  const login = commandLine('login', env);
  if (service !== 'ready') {
    throw new CliError(service === 'unreachable' ? `no Roster answers at ${url}` : `${url} is not ready`, {
      hint: `Start the service (npm start), or set its URL with --url, ROSTER_URL or ${login}.`,
    });
  }
  if (keyState === 'accepted') return;
  const message = keyState === 'none' ? `there is no key for ${url}` : `${url} rejects this key`;
  throw new CliError(message, {
    exitCode: exitCodes.notAllowed,
    hint: `${withheld === undefined ? '' : `${withheld} `}Set one with: ${login}, --key or ROSTER_KEY.`,
  });
}

/** `status`: the service, the key, and whether both work. */
export function statusCommand(runtime: Runtime): CommandUnknownOpts {
  const command = new Command('status')
    .summary('Show which service and key are used')
    .description(description);
  addJson(command, { answers: [...answers] });
  return command.action(async (_options, command) => {
    const options: Record<string, unknown> = command.optsWithGlobals();
    const given = ioFor(runtime.io, options);
    const { io, json } = await jsonOutput(options, { answers: [...answers] }, given);
    const connection = connectionOf(options, runtime);
    const status = await checkStatus(connection, runtime);
    await printerFor(io, json).record(status);
    throwIfUnusable(status, connection, runtime.env);
  });
}

/** `whoami`: who the key or the session belongs to, and what they may do. */
export function whoamiCommand(runtime: Runtime): CommandUnknownOpts {
  const contract = operationContract('sessions', 'current');
  const command = new Command('whoami')
    .summary('Show who you are to the service')
    .description(
      'Show the person or the key that is used, its roles or scopes and offices, and the session.',
    );
  addJson(command, contract);
  return command.action(async (_options, command) => {
    const context = await createCommandContext(['sessions', 'current'], command.optsWithGlobals(), runtime);
    const { procedures, callOptions, printer } = context;
    await printer.record(await procedures.current.query({}, callOptions));
  });
}

/** Asks the service for a link that signs in a browser with the rights of a key or session; undefined if it makes none. */
async function linkFor({ url, key }: Connection, signal: AbortSignal): Promise<string | undefined> {
  if (key === undefined) return undefined;
  const { callSignIn } = await import('../service/sign-in.ts');
  const asked = callSignIn<{ url: string }>({ url, signal }, '/sign-in/links', {
    body: {},
    key,
  });
  const answer = await asked.catch((error: unknown) => {
    if (signal.aborted) throw error;
    return undefined;
  });
  return answer?.status === 201 ? answer.body.url : undefined;
}

/** `open`: opens the console of the service in a browser, or prints its URL. */
export function openCommand(runtime: Runtime): CommandUnknownOpts {
  const { io, openUrl, signal } = runtime;
  return new Command('open')
    .summary('Open the console in a browser')
    .description(
      'Open the console of the service in a browser, signed in with the rights of your key or session: by a link that works once, ' +
        'within ten minutes. If the service has no console, its documentation opens. In a pipe, print the URL of the service alone.',
    )
    .action(async (_options, command) => {
      const connection = connectionOf(command.optsWithGlobals(), runtime);
      // It leads a browser to the console.
      const entry = `${connection.url.replace(/\/+$/, '')}/`;
      if (!io.isTerminal) return void io.stdout.write(`${entry}\n`);
      const link = await linkFor(connection, signal);
      if (await openUrl(link ?? entry)) io.stderr.write(`Opened ${entry}\n`);
      else io.stdout.write(`${link ?? entry}\n`);
    });
}
