import { join } from 'node:path';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The config file (XDG Base Directory): `roster/config.json` in XDG_CONFIG_HOME, or in `.config` at home. Undefined
 * if the environment has neither.
 */
export function configFile(env: Environment): string | undefined {
  const { XDG_CONFIG_HOME = '', HOME = '', USERPROFILE = '' } = env;
  const home = HOME || USERPROFILE;
  const directory = XDG_CONFIG_HOME || (home && join(home, '.config'));
  return directory ? join(directory, 'roster', 'config.json') : undefined;
}
