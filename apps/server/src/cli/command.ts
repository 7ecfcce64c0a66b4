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
