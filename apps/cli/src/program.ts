import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { apiCommand } from './commands/api.ts';
import { completeCommand, completionCommand } from './commands/completion.ts';
import { examplesText } from './commands/examples.ts';
import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import { commandOf } from './commands/index.ts';
import { loginCommand, logoutCommand } from './commands/login.ts';
import { openCommand, statusCommand } from './commands/service.ts';
import { type Surroundings, starting } from './context/command-context.ts';
import { importableOf } from './import/importable.ts';
import { type Noun, nouns } from './resources.ts';

const afterHelp = `
Data go to stdout: an aligned table on a terminal, tab-separated values in a pipe (with
\\t, \\n, \\r and \\\\ for such characters inside a value), JSON with --json. All else goes to stderr, where with
--json a refusal is its problem object. A change prints one sentence on a terminal, and the record in a pipe.
A table shows the ends of ids. A command takes such an end for an id where lists on this computer have shown just one
that ends so: the last 1,000 of each resource are remembered.
Options come before the environment, the environment before the profile that roster login keeps, and that before a
service of this directory or one above, which records where it listens; its key is sent to no other address.
Exit codes: 0 done, 1 rejected or failed, 2 not understood or a wrong value on the command line, 4 not allowed,
130 interrupted.`;

/** Whether a word may be on the command line; a command that nobody names needs no options. */
type IsNamed = (word: string) => boolean;

function nounCommand(noun: Noun, surroundings: Surroundings, isNamed: IsNamed): Command {
  const command = new Command(noun.name).summary(noun.summary);
  if (!isNamed(noun.name)) return command;
  const start = starting(surroundings);
  for (const verb of noun.verbs) command.addCommand(commandOf(noun, verb)(noun, start));
  const importable = importableOf(noun);
  if (importable !== undefined) {
    command.addCommand(importCommand(importable, surroundings));
    command.addCommand(exportCommand(importable, surroundings));
  }
  return command;
}

/** Gives the help of every command its examples. */
function addExamples(commands: readonly CommandUnknownOpts[], path: readonly string[] = []): void {
  for (const command of commands) {
    const words = [...path, command.name()];
    const text = examplesText(words.join(' '));
    if (text !== '') command.addHelpText('after', text);
    addExamples(command.commands, words);
  }
}

/**
 * The command tree; with a command line, as much of it as that can be about. Nothing in it prints an error or ends the
 * process.
 */
export function buildProgram(surroundings: Surroundings, argv?: readonly string[]): CommandUnknownOpts {
  const program = new Command('roster')
    .description("The directory of an organisation's offices and agents")
    .version(surroundings.version)
    .option(
      '--url <url>',
      'Where the service is (ROSTER_URL; of a clone, where its server listens; else http://127.0.0.1:3000)',
    )
    .option('--key <key>', 'The API key (ROSTER_KEY; for a service on this machine, .roster/key)')
    .option('--profile <name>', 'What roster login has kept under this name (ROSTER_PROFILE)')
    .option('--no-color', 'No colours (NO_COLOR; FORCE_COLOR for colours in a pipe too)')
    .option('--debug', 'With an error, say where it comes from')
    .addHelpText('after', afterHelp);
  const isNamed: IsNamed = (word) => argv?.includes(word) !== false;
  program.commandsGroup('Records:');
  for (const noun of nouns) program.addCommand(nounCommand(noun, surroundings, isNamed));
  program.commandsGroup('More:');
  for (const make of [loginCommand, logoutCommand, statusCommand, apiCommand, openCommand, completionCommand])
    program.addCommand(make(surroundings));
  program.addCommand(completeCommand(surroundings), { hidden: true });
  addExamples(program.commands);
  return program;
}
