import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { PROFILE_DEFAULT, readConfig, writeConfig } from '../config.ts';
import { profileName } from '../connection.ts';
import { CliError } from '../failures.ts';
import { didYouMean } from '../nearest.ts';
import type { Surroundings } from '../session.ts';

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
