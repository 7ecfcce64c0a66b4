import type { Environment } from './environment.ts';

/** Whether the process was started by the script `roster` of a clone, where no command of that name is installed. */
const isScript = ({ npm_lifecycle_event: script, npm_package_name: name }: Environment) =>
  script === 'roster' && name === 'roster-workspace';

/** The command that runs these words here: `roster jobs list`, and in a clone `npm run -s roster -- jobs list`. */
export function commandLine(words: string, env: Environment): string {
  return `${isScript(env) ? 'npm run -s roster --' : 'roster'} ${words}`.trimEnd();
}
