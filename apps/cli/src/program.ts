import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { records } from '@roster/contract/records';
import { apiCommand } from './commands/api.ts';
import { completeCommand, completionCommand } from './commands/completion/completion.ts';
import { contextFactory, type Runtime } from './commands/context.ts';
import { addHelp, everydayVerbs, isShortHelp } from './commands/help.ts';
import { commandOf } from './commands/index.ts';
import { loginCommand } from './commands/login/login.ts';
import { logoutCommand } from './commands/login/logout.ts';
import { mcpCommand } from './commands/mcp/mcp.ts';
import { openCommand } from './commands/open.ts';
import { exportCommand } from './commands/records/export.ts';
import { importCommand } from './commands/records/import/import.ts';
import { statusCommand } from './commands/status.ts';
import { whoamiCommand } from './commands/whoami.ts';
import { importableOf, type Resource, resources } from './contract/resources.ts';
import { commandLine } from './environment.ts';

const afterHelp = (login: string) => `
Data goes to stdout: a table on a terminal, tab-separated values in a pipe (\\t, \\n, \\r and \\\\ are escaped), JSON with
--json. Everything else goes to stderr. A change prints one sentence on a terminal, and the record in a pipe.

Options win over environment variables, these over the profile, and the profile over a server started in this directory
or a parent. That server's key is sent only to its own address. To store a profile: ${login}

Exit codes: 0 success, 1 error, 2 invalid command line, 4 not allowed, 130 interrupted.`;

/** Whether a word is on the command line; commands that are not named there are built without options. */
type IsNamed = (word: string) => boolean;

function resourceCommand(resource: Resource, runtime: Runtime, isNamed: IsNamed): CommandUnknownOpts {
  const noun: CommandUnknownOpts = new Command(resource.name);
  noun.summary(resource.summary).description(resource.summary);
  if (!isNamed(resource.name)) return noun;
  const start = contextFactory(runtime);
  const commands = resource.operations.map((verb) => commandOf(resource, verb)(resource, start));
  const importable = importableOf(resource);
  if (importable !== undefined)
    commands.push(importCommand(importable, runtime), exportCommand(importable, runtime));
  const named = (verb: string) => commands.filter((command) => command.name() === verb);
  const everyday = importable === undefined ? [] : everydayVerbs.flatMap(named);
  for (const command of everyday) noun.addCommand(command);
  if (everyday.length > 0) noun.commandsGroup('More commands:');
  for (const command of commands) if (!everyday.includes(command)) noun.addCommand(command);
  return noun;
}

/** Builds the command tree; given a command line, only the commands that it names. Commands never print errors or exit. */
export function buildProgram(runtime: Runtime, argv?: readonly string[]): CommandUnknownOpts {
  const login = commandLine('login', runtime.env);
  const program = new Command(commandLine('', runtime.env))
    .description(
      `The command line of Roster, the directory of your ${new Intl.ListFormat('en-GB').format(Object.keys(records))}`,
    )
    .version(runtime.version, '-V, --version', 'Print the version')
    .option(
      '--url <url>',
      'URL of the service (or ROSTER_URL). Defaults to the server started here, or http://127.0.0.1:3000',
    )
    .option('--key <key>', 'API key (or ROSTER_KEY). Defaults to .roster/key for a server started here')
    .option('--profile <name>', `Profile stored by ${login} (or ROSTER_PROFILE)`)
    .option('--no-color', 'Print without colours (or NO_COLOR; FORCE_COLOR colours a pipe)')
    .option('--debug', 'Print the stack trace of an error')
    .addHelpText('after', afterHelp(login));
  const isNamed: IsNamed = (word) => argv?.includes(word) !== false;
  program.commandsGroup('Records:');
  for (const resource of resources) program.addCommand(resourceCommand(resource, runtime, isNamed));
  program.commandsGroup('More:');
  for (const make of [
    loginCommand,
    logoutCommand,
    statusCommand,
    whoamiCommand,
    apiCommand,
    openCommand,
    mcpCommand,
    completionCommand,
  ])
    program.addCommand(make(runtime));
  program.addCommand(completeCommand(runtime), { hidden: true });
  addHelp(program.commands, runtime.env, { isShort: isShortHelp(argv ?? []) });
  return program;
}
