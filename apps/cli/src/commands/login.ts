import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { ioFor, type Runtime } from '../context/command-context.ts';
import { PROFILE_DEFAULT, readConfig, writeConfig } from '../context/config.ts';
import { checkedKey, checkedUrl, localServiceOf, profileName, URL_DEFAULT } from '../context/connection.ts';
import { readInput } from '../context/io-streams.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { CliError, exitCodes, usageError } from '../errors/errors.ts';

const description =
  'Check the URL of a service and a key for it, and store them in a profile. Prompts for the key without echoing it, or ' +
  `reads it from stdin. The profile "${PROFILE_DEFAULT}" is used by default.`;

type Options = Record<string, unknown>;

function named(options: Options, { env }: Runtime): string {
  const name = profileName(options, env) ?? PROFILE_DEFAULT;
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return name;
  throw usageError(
    `"${name}" cannot be the name of a profile`,
    'Use letters, digits, dots, underscores and hyphens.',
  );
}

/**
 * The URL in the options or the environment, else the answer to a prompt. The default is the URL of the profile, else the
 * address of a server that runs in this directory or a parent.
 */
async function urlFor(name: string, options: Options, runtime: Runtime): Promise<string> {
  const { env, io, signal } = runtime;
  const given = [options.url, env.ROSTER_URL].find((url) => typeof url === 'string' && url !== '');
  if (typeof given === 'string') return checkedUrl(given);
  const suggested = readConfig(env).profiles[name]?.url ?? localServiceOf(runtime)?.url ?? URL_DEFAULT;
  if (!io.isInteractive || options.withKey) return suggested;
  const { askLine } = await import('../prompts/ask-line.ts');
  const validate = async (url: string) =>
    url === '' || (URL.canParse(url) && /^https?:/.test(url)) ? undefined : 'must be an http or https URL';
  const answer = await askLine({ message: 'URL of the service', fallback: suggested, validate }, io, signal);
  return checkedUrl(answer);
}

async function keyFor(options: Options, { io, signal }: Runtime): Promise<string> {
  if (options.withKey) return checkedKey(await readInput(io, signal), 'stdin');
  if (typeof options.key === 'string' && options.key !== '') return checkedKey(options.key, '--key');
  if (!io.isInteractive)
    throw usageError('cannot prompt for the key', 'Pass the key on stdin, with --with-key.');
  const { askSecret } = await import('../prompts/ask-line.ts');
  return checkedKey(await askSecret('Key', io, signal), 'the terminal');
}

/** `login`: stores a URL and a key in a profile. */
export function loginCommand(runtime: Runtime): CommandUnknownOpts {
  return new Command('login')
    .summary('Store the URL of a service and a key for it')
    .description(description)
    .option('--with-key', 'Read the key from stdin')
    .action(async (_options, command) => {
      const options: Options = command.optsWithGlobals();
      const { env, signal } = runtime;
      const io = ioFor(runtime.io, options);
      const name = named(options, runtime);
      const url = await urlFor(name, options, { ...runtime, io });
      const key = await keyFor(options, { ...runtime, io });
      const { identify } = await import('../context/identity.ts');
      const source = 'roster login';
      const connection = { url, key, urlSource: source, keySource: source, profile: undefined };
      if ((await identify(connection, signal)).state === 'rejected') {
        throw new CliError(`${url} rejects this key; nothing was stored`, {
          exitCode: exitCodes.notAllowed,
          hint: 'Create one with: roster keys create, or use the one in .roster/key where the server was started.',
        });
      }
      const { profiles } = readConfig(env);
      const file = writeConfig(env, { profiles: { ...profiles, [name]: { url, key } } });
      io.stderr.write(`Logged in to ${url}: the profile ${name} is stored in ${file}\n`);
      for (const variable of ['ROSTER_URL', 'ROSTER_KEY']) {
        if (env[variable]) io.stderr.write(`${variable} is set and takes precedence over the profile.\n`);
      }
    });
}

/** `logout`: removes a profile. The key itself stays valid. */
export function logoutCommand({ env, io }: Runtime): CommandUnknownOpts {
  return new Command('logout')
    .summary('Remove a stored URL and key')
    .description('Remove a profile and the key in it. The key stays valid until it is revoked.')
    .action((_options, command) => {
      const name = profileName(command.optsWithGlobals(), env) ?? PROFILE_DEFAULT;
      const { [name]: found, ...profiles } = readConfig(env).profiles;
      if (found === undefined) {
        const names = Object.keys(profiles);
        const others = names.length === 0 ? 'There are none.' : `There are ${names.join(', ')}.`;
        throw new CliError(`there is no profile ${name}`, { hint: `${didYouMean(name, names)}${others}` });
      }
      const file = writeConfig(env, { profiles });
      io.stderr.write(`Removed the profile ${name} for ${found.url} from ${file}\n`);
    });
}
