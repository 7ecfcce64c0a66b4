import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { ioFor, type Surroundings } from './context/command-context.ts';
import { type Connection, connectionOf } from './context/connection.ts';
import { didYouMean } from './errors/did-you-mean.ts';
import { type CliError, type ExitCode, exitCodes, Interrupted, usageError } from './errors/errors.ts';
import { report } from './errors/print-error.ts';
import { bindJsonFields } from './input/json-option.ts';
import { resolveShortIds } from './input/resolve-short-ids.ts';
import { guardedIo, type RawIo } from './output/sanitize.ts';
import { buildProgram } from './program.ts';

/** `agents create`, without the `roster` before it. */
function pathOf(command: CommandUnknownOpts): string {
  const { parent } = command;
  return parent === null ? '' : `${pathOf(parent)} ${command.name()}`.trim();
}

function* withSubcommands(command: CommandUnknownOpts): Generator<CommandUnknownOpts> {
  yield command;
  for (const subcommand of command.commands) yield* withSubcommands(subcommand);
}

function* withAncestors(command: CommandUnknownOpts): Generator<CommandUnknownOpts> {
  for (let at: CommandUnknownOpts | null = command; at !== null; at = at.parent) yield at;
}

function helpHint(command: CommandUnknownOpts): string {
  return `${['roster', pathOf(command), '--help'].filter(Boolean).join(' ')} says what there is.`;
}

/** Help that was asked for and the version are successes, which commander throws too. */
function isSuccess(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}

/** Options that an unknown one may mean: those that hold it as a word (`--city`), else the nearest by its letters. */
function optionsLike(flag: string, command: CommandUnknownOpts): string {
  const known = [...withAncestors(command)].flatMap(({ options }) =>
    options.flatMap(({ long }) => long ?? []),
  );
  const [word = ''] = flag.replace(/^-+/, '').toLowerCase().split('=');
  const holding = known.filter((long) => long.slice(2).split('-').includes(word));
  if (holding.length > 0) return `Did you mean ${holding.slice(0, 3).join(' or ')}? `;
  return didYouMean(`--${word}`, known);
}

/** Commander's own error as ours; help that was shown for want of a verb has said everything. */
function usageOf({ code, message }: CommanderError, command: CommandUnknownOpts): CliError | undefined {
  if (code === 'commander.help') return undefined;
  const [what = '', hint] = message.replace(/^error: /, '').split('\n');
  if (code === 'commander.unknownOption' && !hint) {
    const [, flag = ''] = /'([^']*)'/.exec(what) ?? [];
    return usageError(what, `${optionsLike(flag, command)}${helpHint(command)}`);
  }
  const help = helpHint(command);
  return usageError(
    what,
    hint === undefined || hint === '' ? help : `${hint.replace(/^\((.*)\)$/, '$1')} ${help}`,
  );
}

/** The command that runs, or that could not be understood. */
interface Current {
  command: CommandUnknownOpts;
}

/** Makes commander throw instead of printing and exiting, and notes which command it was about. */
function watch(program: CommandUnknownOpts, surroundings: Surroundings, current: Current): void {
  const { io } = surroundings;
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
    command.configureHelp({ showGlobalOptions: true });
    command.exitOverride((error) => {
      current.command = command;
      throw error;
    });
  }
  program.hook('preAction', (_program, action) => {
    current.command = action;
    resolveShortIds(action, surroundings);
  });
}

function attempted(options: Record<string, unknown>, surroundings: Surroundings): Connection | undefined {
  try {
    return connectionOf(options, surroundings);
  } catch {
    return undefined;
  }
}

async function ended(thrown: unknown, { command }: Current, surroundings: Surroundings): Promise<ExitCode> {
  if (isSuccess(thrown)) return exitCodes.ok;
  if (surroundings.signal.aborted || thrown instanceof Interrupted) return exitCodes.interrupted;
  const error = thrown instanceof CommanderError ? usageOf(thrown, command) : thrown;
  if (error === undefined) return exitCodes.usage;
  const options: Record<string, unknown> = command.optsWithGlobals();
  const path = pathOf(command);
  return report(error instanceof Error ? error : new Error(String(error)), {
    command: path,
    options,
    noun: path.split(' ')[0] ?? '',
    io: ioFor(surroundings.io, options),
    isJson: 'json' in options || 'jsonl' in options || 'jq' in options || path === 'api',
    isDebug: options.debug === true,
    env: surroundings.env,
    connection: attempted(options, surroundings),
  });
}

/**
 * Runs one command line, without the names of the process and the script in front. Answers the exit code; prints
 * every error there is, and is the only one who does.
 */
export async function run(
  argv: readonly string[],
  process: Omit<Surroundings, 'io'> & { io: RawIo },
): Promise<ExitCode> {
  const surroundings: Surroundings = { ...process, io: guardedIo(process.io) };
  const program = buildProgram(surroundings, argv);
  const current: Current = { command: program };
  watch(program, surroundings, current);
  try {
    await program.parseAsync(bindJsonFields(argv), { from: 'user' });
    return exitCodes.ok;
  } catch (thrown) {
    return ended(thrown, current, surroundings);
  }
}
