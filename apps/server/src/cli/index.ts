import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { BaselineChangedError, LocalPostgresUnavailable } from '@roster/db';
import { ConfigError } from '../config/config.ts';
import { ServeError } from '../server.ts';
import { problemLines } from './check/index.ts';
import { type Command, CommandError, INVALID_ARGUMENTS, type Invocation, UsageError } from './command.ts';
import { commands } from './commands.ts';

const FAILED = 1;

function help(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'roster-server [command] [options]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    '  --check    the same as check',
    '  --help     this, or with a command what that one does',
    '  --version  the version',
    '',
    'Settings come from the environment; `roster-server settings` lists them.',
  ].join('\n');
}

function version(): string {
  const file = readFileSync(findPackageJSON(import.meta.url) ?? '', 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}

function commandOf([first = 'serve', ...rest]: string[]): { command: Command | undefined; args: string[] } {
  const named = commands.find(({ name }) => name === first.replace(/^--check$/, 'check'));
  if (named !== undefined) return { command: named, args: rest };
  // Options without a command are those of `serve`, which rejects unknown ones.
  const isOption = first.startsWith('-');
  return isOption
    ? { command: commands.find(({ name }) => name === 'serve'), args: [first, ...rest] }
    : { command: undefined, args: rest };
}

function isInvalidArgument(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  return (
    error instanceof TypeError && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')
  );
}

/** Returns the exit code: 0, 1 if the command failed, 2 if the arguments are invalid, 130 or 143 after a signal. */
export async function run(argv: string[], io: Omit<Invocation, 'args'>): Promise<number> {
  const { command, args } = commandOf(argv);
  if (command === undefined) {
    io.printError(
      `There is no command ${argv[0]}; there are ${commands.map(({ name }) => name).join(', ')}.`,
    );
    return INVALID_ARGUMENTS;
  }
  if (args.includes('--help') || args.includes('-h')) {
    io.print(args.length === argv.length ? help() : command.usage);
    return 0;
  }
  if (args[0] === '--version') {
    io.print(version());
    return 0;
  }
  try {
    return await command.run({ ...io, args });
  } catch (error) {
    if (isInvalidArgument(error)) {
      io.printError(`${error.message}\n\n${command.usage}`);
      return INVALID_ARGUMENTS;
    }
    if (error instanceof CommandError) {
      io.printError(error.message);
      return error.exitCode;
    }
    const isExpected =
      error instanceof ConfigError ||
      error instanceof LocalPostgresUnavailable ||
      error instanceof BaselineChangedError ||
      error instanceof ServeError;
    io.printError(isExpected ? error.message : await explain(command.name, error, io.environment));
    return FAILED;
  }
}

/** The problems that `--check` finds; else the message of a system error; else the stack. */
async function explain(
  command: string,
  error: unknown,
  environment: Invocation['environment'],
): Promise<string> {
  const lines = await problemLines(environment, command).catch(() => []);
  if (lines.length > 0) return [`Roster cannot ${command}:`, ...lines].join('\n');
  const isOfSystem = error instanceof Error && 'syscall' in error;
  return `Roster cannot ${command}: ${isOfSystem ? error.message : stackOf(error)}`;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
