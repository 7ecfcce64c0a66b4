/** What a command is given of the process that runs it. */
export interface Invocation {
  /** What was written after the name of the command. */
  args: string[];
  environment: Record<string, string | undefined>;
  /** Writes a line of what was asked for. */
  print(line: string): void;
  /** Writes a line of all else, for people. */
  say(line: string): void;
}

/** A command of `roster-server`. */
export interface Command {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** How it is called, and what its options mean. */
  usage: string;
  /** Answers the exit code: 0 for success, 1 for a failure it has told of. Throws where a person has to know more. */
  run(invocation: Invocation): Promise<number>;
}
