/** What a command gets of the process that runs it. */
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
  /** How to call it, and what its options mean. */
  usage: string;
  /** Returns the exit code: 0 for success, 1 for a failure that it has printed. Throws any other failure. */
  run(invocation: Invocation): Promise<number>;
}
