import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { isObject } from '@roster/fields/objects';
import { commandLine, type Environment } from '../environment.ts';
import { CliError, exitCodes } from '../errors.ts';
import { type Connection, connectionOf } from '../service/connection.ts';
import type { Identity } from '../service/identity.ts';
import { addJson, jsonOutput } from '../ui/json-option.ts';
import { printerFor } from '../ui/printer.ts';
import { ioFor, type Runtime } from './context.ts';

const description =
  'Shows the URL and the key in use, where they come from, and whether the service is healthy. The name and all scopes of the key ' +
  'are shown if it has the scope keys:manage; otherwise only its read scopes.';

const printed = [
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

type Status = Record<(typeof printed)[number], unknown>;

async function checkStatus(connection: Connection, { signal, version }: Runtime): Promise<Status> {
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
    throw new CliError(service === 'unreachable' ? `can't reach Roster at ${url}` : `${url} is not ready`, {
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

export function statusCommand(runtime: Runtime): CommandUnknownOpts {
  const command = new Command('status')
    .summary('Show which service and key are used')
    .description(description);
  addJson(command, { returned: [...printed] });
  return command.action(async (_options, command) => {
    const options: Record<string, unknown> = command.optsWithGlobals();
    const given = ioFor(runtime.io, options);
    const { io, json } = await jsonOutput(options, { returned: [...printed] }, given);
    const connection = connectionOf(options, runtime);
    const status = await checkStatus(connection, runtime);
    await printerFor(io, json).record(status);
    throwIfUnusable(status, connection, runtime.env);
  });
}

interface Health {
  /** `not ready`: the service responds, but its database doesn't. */
  service: 'ready' | 'not ready' | 'unreachable';
  /** The version in its OpenAPI document. */
  version: string | undefined;
}

const TIMEOUT_MS = 30_000;

async function requestHealth(url: string, signal: AbortSignal): Promise<Response | undefined> {
  try {
    return await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

async function readVersion(response: Response | undefined): Promise<string | undefined> {
  try {
    const document: unknown = await response?.json();
    const info = isObject(document) && document.info;
    return isObject(info) && typeof info.version === 'string' ? info.version : undefined;
  } catch {
    return undefined;
  }
}

/** Throws only if the signal is aborted. */
async function checkHealth(url: string, signal: AbortSignal): Promise<Health> {
  const base = url.replace(/\/+$/, '');
  const [ready, document] = await Promise.all([
    requestHealth(`${base}/readyz`, signal),
    requestHealth(`${base}/openapi.json`, signal),
  ]);
  const version = await readVersion(document);
  if (version === undefined || ready === undefined) return { service: 'unreachable', version };
  return { service: ready.ok ? 'ready' : 'not ready', version };
}
