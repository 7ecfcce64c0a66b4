import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { ioFor, type Runtime } from './commands/context.ts';
import { isShortHelp } from './commands/help.ts';
import { namedCommand, optionsOf } from './commands/named-command.ts';
import { rejectRepeatedOptions } from './contract/options.ts';
import { commandLine, type Environment } from './environment.ts';
import {
  type CliError,
  didYouMeanOption,
  type ExitCode,
  exitCodes,
  Interrupted,
  usageError,
} from './errors.ts';
import { buildProgram } from './program.ts';
import { type Connection, connectionOf } from './service/connection.ts';
import { type RawIoStreams, sanitizedIo } from './ui/io-streams.ts';
import { bindFields } from './ui/json-option.ts';
import { printError } from './ui/print-error.ts';

/** `agents create`, without the `roster` before it. */
function pathOf(command: CommandUnknownOpts): string {
  const { parent } = command;
  return parent === null ? '' : `${pathOf(parent)} ${command.name()}`.trim();
}

function* withSubcommands(command: CommandUnknownOpts): Generator<CommandUnknownOpts> {
  yield command;
  for (const subcommand of command.commands) yield* withSubcommands(subcommand);
}

function helpHint(command: CommandUnknownOpts, env: Environment): string {
  const isGroup = command.commands.length > 0;
  const words = `${pathOf(command)} --help${isGroup ? '' : ' --all'}`.trim();
  return `${commandLine(words, env)} lists all ${isGroup ? 'commands' : 'options'}.`;
}

/** Whether commander threw after printing help or the version, which is no error. */
function isSuccess(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}

function optionNames(command: CommandUnknownOpts): string[] {
  return optionsOf(command).flatMap(({ long }) => long ?? []);
}

/** Words of other command lines, and what they are called here. */
const synonyms: Readonly<Record<string, string>> = {
  version: '--version',
  view: 'get',
  show: 'get',
  rm: 'delete',
  remove: 'delete',
  ls: 'list',
  edit: 'update',
};

/** The command's name for an unknown word; undefined if it has nothing of that name. */
function ourWord(message: string, command: CommandUnknownOpts): string | undefined {
  const [, word = ''] = /'([^']*)'/.exec(message) ?? [];
  const ours = synonyms[word];
  const known = [...command.commands.map((one) => one.name()), ...optionNames(command)];
  return ours !== undefined && known.includes(ours) ? ours : undefined;
}

/** Turns an error of commander into a usage error; undefined if the help was printed because a subcommand is missing. */
function usageOf(
  { code, message }: CommanderError,
  command: CommandUnknownOpts,
  env: Environment,
): CliError | undefined {
  if (code === 'commander.help') return undefined;
  const [what = '', hint] = message.replace(/^error: /, '').split('\n');
  if (code === 'commander.unknownOption' && !hint) {
    const [, flag = ''] = /'([^']*)'/.exec(what) ?? [];
    return usageError(what, `${didYouMeanOption(flag, optionNames(command))}${helpHint(command, env)}`);
  }
  const help = helpHint(command, env);
  const ours = code === 'commander.unknownCommand' ? ourWord(what, command) : undefined;
  if (ours !== undefined) return usageError(what, `Did you mean ${ours}? ${help}`);
  return usageError(
    what,
    hint === undefined || hint === '' ? help : `${hint.replace(/^\((.*)\)$/, '$1')} ${help}`,
  );
}

/** The command that runs, or whose options could not be parsed. */
interface Current {
  command: CommandUnknownOpts;
}

function configure(program: CommandUnknownOpts, runtime: Runtime, current: Current, isShort: boolean): void {
  const { io } = runtime;
  for (const command of withSubcommands(program)) {
    command.configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: () => undefined,
      getOutHelpWidth: () => io.size().columns,
      getErrHelpWidth: () => io.size().columns,
      getOutHasColors: () => io.stdout.color,
      getErrHasColors: () => io.stderr.color,
    });
    command.configureHelp({ ...command.configureHelp(), showGlobalOptions: !isShort });
    command.helpOption('-h, --help', 'Show help; with --all, show all options');
    if (command.commands.length > 0) command.helpCommand('help [command]', 'Show help for a command');
    rejectRepeatedOptions(command);
    command.exitOverride((error) => {
      current.command = command;
      throw error;
    });
  }
  program.hook('preAction', (_program, action) => {
    current.command = action;
  });
}

function connectionIfResolvable(options: Record<string, unknown>, runtime: Runtime): Connection | undefined {
  try {
    return connectionOf(options, runtime);
  } catch {
    return undefined;
  }
}

async function exitCodeAfter(thrown: unknown, { command }: Current, runtime: Runtime): Promise<ExitCode> {
  if (isSuccess(thrown)) return exitCodes.ok;
  if (runtime.signal.aborted || thrown instanceof Interrupted) return exitCodes.interrupted;
  const error = thrown instanceof CommanderError ? usageOf(thrown, command, runtime.env) : thrown;
  if (error === undefined) return exitCodes.usage;
  const options: Record<string, unknown> = command.optsWithGlobals();
  const path = pathOf(command);
  return printError(error instanceof Error ? error : new Error(String(error)), {
    command: path,
    options,
    resource: path.split(' ')[0] ?? '',
    io: ioFor(runtime.io, options),
    isJson: 'json' in options || 'jsonl' in options || 'jq' in options || path === 'api',
    isDebug: options.debug === true,
    env: runtime.env,
    connection: connectionIfResolvable(options, runtime),
  });
}

const isHelp = (word: string) => word === '--help' || word === '-h';

/**
 * `help offices list` as `offices list --help`: commander looks up one word after `help`. The help of an unknown command is asked for
 * without `help` or `--help`, so that the command is rejected with the nearest one: commander would show the help of what it knows.
 */
function spelledHelp(argv: readonly string[], program: CommandUnknownOpts): readonly string[] {
  const [first, ...words] = argv;
  const asked =
    first === 'help' && words.length > 0 && !words[0]?.startsWith('-') ? [...words, '--help'] : argv;
  const { unknown } = namedCommand(asked, program);
  return unknown === undefined || unknown === 'help' ? asked : asked.filter((word) => !isHelp(word));
}

/** Runs a command line, without the names of the executable and the script. Prints all errors. Resolves to the exit code. */
export async function run(
  argv: readonly string[],
  process: Omit<Runtime, 'io'> & { io: RawIoStreams },
): Promise<ExitCode> {
  const runtime: Runtime = { ...process, io: sanitizedIo(process.io) };
  const program = buildProgram(runtime, argv);
  const current: Current = { command: program };
  configure(program, runtime, current, isShortHelp(argv));
  try {
    const spelled = spelledHelp(argv, program);
    const bound = bindFields(spelled, namedCommand(spelled, program).command);
    await program.parseAsync(bound, { from: 'user' });
    return exitCodes.ok;
  } catch (thrown) {
    return exitCodeAfter(thrown, current, runtime);
  }
}
