import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { ioFor, type Surroundings } from '../context/command-context.ts';
import { PROFILE_DEFAULT, readConfig, writeConfig } from '../context/config.ts';
import { checkedKey, checkedUrl, profileName, URL_DEFAULT } from '../context/connection.ts';
import { readInput } from '../context/io-streams.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { CliError, exitCodes, usageError } from '../errors/errors.ts';

const description =
  'Keep the URL of a service and a key for it in a profile, after checking them. The key is asked for without being ' +
  `shown, or read from stdin. The profile "${PROFILE_DEFAULT}" is used where no other is named.`;

type Options = Record<string, unknown>;

function named(options: Options, { env }: Surroundings): string {
  const name = profileName(options, env) ?? PROFILE_DEFAULT;
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return name;
  throw usageError(`"${name}" cannot be the name of a profile`, 'Take letters, digits, dots and hyphens.');
}

/** The URL that is given, else the one the profile has, else what a person answers. */
async function urlFor(name: string, options: Options, { env, io, signal }: Surroundings): Promise<string> {
  const kept = readConfig(env).profiles[name]?.url;
  const given = [options.url, env.ROSTER_URL].find((url) => typeof url === 'string' && url !== '');
  if (typeof given === 'string') return checkedUrl(given);
  if (!io.isInteractive || options.withKey) return kept ?? URL_DEFAULT;
  const { askLine } = await import('../prompts/ask-line.ts');
  const faultOf = async (url: string) =>
    url === '' || (URL.canParse(url) && /^https?:/.test(url)) ? undefined : 'must be an http or https URL';
  const answer = await askLine(
    { message: 'URL of the service', fallback: kept ?? URL_DEFAULT, faultOf },
    io,
    signal,
  );
  return checkedUrl(answer);
}

async function keyFor(options: Options, { io, signal }: Surroundings): Promise<string> {
  if (options.withKey) return checkedKey(await readInput(io, signal), 'stdin');
  if (typeof options.key === 'string' && options.key !== '') return checkedKey(options.key, '--key');
  if (!io.isInteractive)
    throw usageError('there is nobody to ask', 'Give the key on stdin, with --with-key.');
  const { askSecret } = await import('../prompts/ask-line.ts');
  return checkedKey(await askSecret('Key', io, signal), 'the terminal');
}

/** `login`: keeps a service and a key in a profile. */
export function loginCommand(surroundings: Surroundings): CommandUnknownOpts {
  return new Command('login')
    .summary('Keep the URL of a service and a key for it')
    .description(description)
    .option('--with-key', 'Read the key from stdin')
    .action(async (_options, command) => {
      const options: Options = command.optsWithGlobals();
      const { env, signal } = surroundings;
      const io = ioFor(surroundings.io, options);
      const name = named(options, surroundings);
      const url = await urlFor(name, options, { ...surroundings, io });
      const key = await keyFor(options, { ...surroundings, io });
      const { identify } = await import('../context/identity.ts');
      const source = 'what was given';
      const connection = { url, key, urlSource: source, keySource: source, profile: undefined };
      if ((await identify(connection, signal)).state === 'refused') {
        throw new CliError(`${url} does not take this key; nothing was kept`, {
          exitCode: exitCodes.notAllowed,
          remedy: 'Make one with: roster keys create, or see .roster/key where the service was started.',
        });
      }
      const { profiles } = readConfig(env);
      const file = writeConfig(env, { profiles: { ...profiles, [name]: { url, key } } });
      io.stderr.write(`Logged in to ${url}: the profile ${name} is kept in ${file}\n`);
      for (const variable of ['ROSTER_URL', 'ROSTER_KEY']) {
        if (env[variable]) io.stderr.write(`${variable} is set, and comes before the profile.\n`);
      }
    });
}

/** `logout`: forgets a profile. The key itself goes on being valid. */
export function logoutCommand({ env, io }: Surroundings): CommandUnknownOpts {
  return new Command('logout')
    .summary('Forget a service and its key')
    .description('Remove a profile and the key in it. The key goes on being valid until it is revoked.')
    .action((_options, command) => {
      const name = profileName(command.optsWithGlobals(), env) ?? PROFILE_DEFAULT;
      const { [name]: found, ...profiles } = readConfig(env).profiles;
      if (found === undefined) {
        const names = Object.keys(profiles);
        const others = names.length === 0 ? 'There are none.' : `There are ${names.join(', ')}.`;
        throw new CliError(`there is no profile ${name}`, { remedy: `${didYouMean(name, names)}${others}` });
      }
      const file = writeConfig(env, { profiles });
      io.stderr.write(`The profile ${name} for ${found.url} is removed from ${file}\n`);
    });
}
