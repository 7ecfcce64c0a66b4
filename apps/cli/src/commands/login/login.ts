import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { commandLine } from '../../environment.ts';
import { CliError, exitCodes, isHttpUrl, usageError } from '../../errors.ts';
import {
  checkedKey,
  checkedUrl,
  localServiceOf,
  PROFILE_DEFAULT,
  profileName,
  readConfig,
  URL_DEFAULT,
  writeConfig,
} from '../../service/connection.ts';
import { readInput } from '../../ui/io-streams.ts';
import { ioFor, type Runtime } from '../context.ts';

type Options = Record<string, unknown>;

function named(options: Options, { env }: Runtime): string {
  const name = profileName(options, env) ?? PROFILE_DEFAULT;
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return name;
  throw usageError(
    `"${name}" cannot be the name of a profile`,
    'Use letters, digits, dots, underscores and hyphens.',
  );
}

/** The URL in the options or the environment; else asks for it, and suggests that of the profile or of a server started here. */
async function urlFor(name: string, options: Options, runtime: Runtime): Promise<string> {
  const { env, io, signal } = runtime;
  const given = [options.url, env.ROSTER_URL].find((url) => typeof url === 'string' && url !== '');
  if (typeof given === 'string') return checkedUrl(given);
  const suggested = readConfig(env).profiles[name]?.url ?? localServiceOf(runtime)?.url ?? URL_DEFAULT;
  if (!io.isInteractive || options.withKey) return suggested;
  const { askLine } = await import('../../ui/prompts.ts');
  const validate = async (url: string) =>
    url === '' || isHttpUrl(url) ? undefined : `"${url}" is not an http or https URL`;
  const answer = await askLine({ message: 'URL of the service', fallback: suggested, validate }, io, signal);
  return checkedUrl(answer);
}

async function keyFor(options: Options, { io, signal }: Runtime): Promise<string> {
  if (options.withKey) return checkedKey(await readInput(io, signal), 'stdin');
  if (typeof options.key === 'string' && options.key !== '') return checkedKey(options.key, '--key');
  if (!io.isInteractive) throw usageError("can't ask for the key", 'Pass the key on stdin, with --with-key.');
  const { askSecret } = await import('../../ui/prompts.ts');
  return checkedKey(await askSecret('Key', io, signal), 'the terminal');
}

interface Credential {
  key: string;
  name?: string;
}

async function credentialFor(url: string, options: Options, runtime: Runtime): Promise<Credential> {
  const { io, signal } = runtime;
  const isForced = options.browser === true || options.device === true;
  const hasKey = options.withKey === true || (typeof options.key === 'string' && options.key !== '');
  if (hasKey || !(isForced || io.isInteractive)) return { key: await keyFor(options, runtime) };
  const { readMethods } = await import('../../service/sign-in.ts');
  const methods = await readMethods({ url, signal });
  if (methods.provider) {
    const { token, name } = await signInAsPerson(url, methods.url ?? url, options, runtime);
    return { key: token, name };
  }
  if (isForced)
    throw new CliError(`${url} has no identity provider`, { hint: 'Use an API key: --with-key.' });
  return { key: await keyFor(options, runtime) };
}

async function signInAsPerson(url: string, browserUrl: string, options: Options, runtime: Runtime) {
  const target = { url, signal: runtime.signal };
  if (options.device === true) {
    const { signInOnDevice } = await import('./device.ts');
    const session = await signInOnDevice(target, runtime);
    if (session !== undefined) return session;
    throw new CliError("the identity provider doesn't support sign-in on a different device", {
      hint: 'Leave out --device, or use an API key: --with-key.',
    });
  }
  const { signInByBrowser } = await import('./browser.ts');
  return signInByBrowser(target, browserUrl, runtime);
}

async function checkKey(url: string, key: string, { signal, env }: Runtime): Promise<void> {
  const { identify } = await import('../../service/identity.ts');
  const source = 'login';
  const connection = { url, key, urlSource: source, keySource: source, profile: undefined };
  if ((await identify(connection, signal)).state !== 'rejected') return;
  throw new CliError(`${url} rejects this key; nothing was stored`, {
    exitCode: exitCodes.notAllowed,
    hint: `Create one with: ${commandLine('keys create', env)}, or use the one in .roster/key where the server was started.`,
  });
}

export function loginCommand(runtime: Runtime): CommandUnknownOpts {
  return new Command('login')
    .option('--with-key', 'Read a key from stdin')
    .addOption(
      new Option('--browser', 'Sign in with a browser on this computer').conflicts(['withKey', 'device']),
    )
    .addOption(new Option('--device', 'Sign in on a different device, with a code').conflicts('withKey'))
    .action(async (_options, command) => {
      const options: Options = command.optsWithGlobals();
      const { env } = runtime;
      const own = { ...runtime, io: ioFor(runtime.io, options) };
      const name = named(options, runtime);
      const url = await urlFor(name, options, own);
      const { key, name: person } = await credentialFor(url, options, own);
      if (person === undefined) await checkKey(url, key, own);
      const { profiles } = readConfig(env);
      const file = writeConfig(env, { profiles: { ...profiles, [name]: { url, key } } });
      const who = person === undefined ? '' : ` as ${person}`;
      own.io.stderr.write(`Logged in to ${url}${who}: the profile ${name} is stored in ${file}\n`);
      for (const variable of ['ROSTER_URL', 'ROSTER_KEY']) {
        if (env[variable]) own.io.stderr.write(`${variable} is set and takes precedence over the profile.\n`);
      }
    });
}
