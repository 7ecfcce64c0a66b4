/** What the process says of itself when it ends. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, notAllowed: 4, interrupted: 130 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

interface CliErrorOptions {
  exitCode?: ExitCode;
  /** What the user can do about it: one sentence. */
  remedy?: string | undefined;
}

/** Something the command line itself refuses, before or beside the service; `run` prints it. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  readonly remedy: string | undefined;

  constructor(message: string, { exitCode = exitCodes.failed, remedy }: CliErrorOptions = {}) {
    super(message);
    this.exitCode = exitCode;
    this.remedy = remedy;
  }
}

/** A command that cannot be understood. What is merely not allowed is for the service to refuse. */
export function usageError(message: string, remedy?: string): CliError {
  return new CliError(message, { exitCode: exitCodes.usage, remedy });
}

/** The user has interrupted a question; there is nothing to say about it. */
export class Interrupted extends Error {}
