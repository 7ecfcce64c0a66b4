import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { CliError, didYouMean } from '../../errors.ts';
import {
  isSessionToken,
  PROFILE_DEFAULT,
  type Profile,
  profileName,
  readConfig,
  writeConfig,
} from '../../service/connection.ts';
import type { Runtime } from '../context.ts';

/** Ends the session of a profile. Resolves to a warning if that failed. */
async function endSession({ url, key }: Profile, signal: AbortSignal): Promise<string> {
  if (!isSessionToken(key)) return '';
  const { callSignIn } = await import('../../service/sign-in.ts');
  const ended = await callSignIn({ url, signal }, '/sign-out', { key }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    return undefined;
  });
  // A session that is unknown has ended before.
  const isEnded = ended !== undefined && [200, 401].includes(ended.status);
  return isEnded ? '' : `Can't reach ${url} to end the session: it stays valid until it expires.\n`;
}

export function logoutCommand({ env, io, signal }: Runtime): CommandUnknownOpts {
  return new Command('logout')
    .summary('Sign out, and remove the stored URL and key')
    .description('Removes a profile and ends its session. A key stays valid until you revoke it.')
    .action(async (_options, command) => {
      const name = profileName(command.optsWithGlobals(), env) ?? PROFILE_DEFAULT;
      const { [name]: found, ...profiles } = readConfig(env).profiles;
      if (found === undefined) {
        const names = Object.keys(profiles);
        const others = names.length === 0 ? 'There are none.' : `There are ${names.join(', ')}.`;
        throw new CliError(`there is no profile ${name}`, { hint: `${didYouMean(name, names)}${others}` });
      }
      const warning = await endSession(found, signal);
      const file = writeConfig(env, { profiles });
      io.stderr.write(warning);
      io.stderr.write(`Removed the profile ${name} for ${found.url} from ${file}\n`);
    });
}
