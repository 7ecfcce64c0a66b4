/** The call of a command: the arguments and the streams of the process that runs it. */
export interface Invocation {
  /** The arguments after the name of the command. */
  args: string[];
  environment: Record<string, string | undefined>;
  /** Writes a line to stdout: what was asked for. */
  print(line: string): void;
  /** Writes a line to stderr: everything else, for people. */
  printError(line: string): void;
}

export const INVALID_ARGUMENTS = 2;

/** A failure whose message is all that is printed, with the exit code that it leads to. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The arguments of a command are invalid; its usage is printed below the message. */
export class UsageError extends Error {}

/** The only file that arguments name; undefined if they name none. Throws UsageError for several. */
export function fileIn(positionals: readonly string[]): string | undefined {
  if (positionals.length > 1) throw new UsageError(`one file, not ${positionals.length}`);
  return positionals[0];
}

/** A command of `roster-server`. */
export interface Command {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** The usage line, and the meaning of its options. */
  usage: string;
  /** Returns the exit code: 0 for success, 1 for a failure that it has printed. Throws any other failure. */
  run(invocation: Invocation): Promise<number>;
}
