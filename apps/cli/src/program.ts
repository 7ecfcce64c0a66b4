import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { commands } from './commands/index.ts';
import { type Noun, nouns } from './nouns.ts';
import { type Start, type Surroundings, starting } from './session.ts';

const afterHelp = `
Data go to stdout: an aligned table on a terminal, tab-separated values in a pipe (with
\\t, \\n, \\r and \\\\ for such characters inside a value), JSON with --json. All else goes to stderr, where with
--json a refusal is its problem object.
Exit codes: 0 done, 1 refused or failed, 2 not understood, 4 not allowed, 130 interrupted.`;

function nounCommand(noun: Noun, start: Start): Command {
  const command = new Command(noun.name).summary(`List, create and change ${noun.name}`);
  for (const verb of noun.verbs) command.addCommand(commands[verb](noun, start));
  return command;
}

/** The whole command tree. Nothing in it prints an error or ends the process. */
export function buildProgram(surroundings: Surroundings): CommandUnknownOpts {
  const program = new Command('roster')
    .description("The directory of an organisation's offices and agents")
    .version(surroundings.version)
    .option('--url <url>', 'Where the service is (ROSTER_URL; http://127.0.0.1:3000 unless given)')
    .option('--key <key>', 'The API key (ROSTER_KEY; for a service on this machine, .roster/key)')
    .option('--no-color', 'No colours (NO_COLOR)')
    .option('--debug', 'With an error, say where it comes from')
    .addHelpText('after', afterHelp);
  const start = starting(surroundings);
  for (const noun of nouns) program.addCommand(nounCommand(noun, start));
  return program;
}
