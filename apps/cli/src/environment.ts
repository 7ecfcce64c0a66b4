import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The config file: `roster/config.json` in XDG_CONFIG_HOME, or in `.config` at home. Undefined if the environment has neither.
 */
export function configFile(env: Environment): string | undefined {
  const { XDG_CONFIG_HOME = '', HOME = '', USERPROFILE = '' } = env;
  const home = HOME || USERPROFILE;
  const directory = XDG_CONFIG_HOME || (home && join(home, '.config'));
  return directory ? join(directory, 'roster', 'config.json') : undefined;
}

/** Whether the process was started by the script `roster` of a clone, where no command of that name is installed. */
const isScript = ({ npm_lifecycle_event: script, npm_package_name: name }: Environment) =>
  script === 'roster' && name === 'roster-workspace';

/** The command that runs these words here: `roster jobs list`, and in a clone `npm run -s roster -- jobs list`. */
export function commandLine(words: string, env: Environment): string {
  const command = isScript(env) ? 'npm run -s roster --' : 'roster';
  return `${command} ${words}`.trimEnd();
}
