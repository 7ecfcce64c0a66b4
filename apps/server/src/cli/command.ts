export interface Invocation {
  args: string[];
  environment: Record<string, string | undefined>;
  /** To stdout: what was asked for. */
  print(line: string): void;
  /** To stderr: everything else, for people. */
  printError(line: string): void;
}

export const INVALID_ARGUMENTS = 2;

export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

export class UsageError extends Error {}

/** Returns undefined without a file. Throws UsageError for several. */
export function fileIn(positionals: readonly string[]): string | undefined {
  if (positionals.length > 1) throw new UsageError(`one file, not ${positionals.length}`);
  return positionals[0];
}

export interface Command {
  name: string;
  summary: string;
  usage: string;
  /** Returns the exit code: 0, or 1 for a failure that it has printed. Throws any other failure. */
  run(invocation: Invocation): Promise<number>;
}
