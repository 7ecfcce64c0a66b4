/**
 * PostgreSQL cannot be run here. The message is for the person who started the program: one or more sentences that
 * say what is wrong, where, and what can be done about it; then the advice of the program, if it gave any.
 */
export class LocalPostgresUnavailable extends Error {
  override readonly name = 'LocalPostgresUnavailable';
}

/** Data that another major version of PostgreSQL wrote, which this one cannot open. */
export class IncompatibleDataError extends LocalPostgresUnavailable {}

/** Another process has the data: one process at a time starts and stops the server of a directory. */
export class LocalPostgresInUse extends LocalPostgresUnavailable {
  readonly owner: number | undefined;

  /**
   * @param home the directory with the data, for people
   * @param owner the id of the process that has them; undefined if it is in another container, where it cannot be seen
   */
  constructor(home: string, owner: number | undefined) {
    super(
      owner === undefined
        ? `The data in ${home} are in use by a process in another container.`
        : `The data in ${home} are in use by process ${owner}.`,
    );
    this.owner = owner;
  }
}

/** Completes the message of an error for the caller: what cannot be done, why, and the advice. */
export function withAdvice<Unavailable extends LocalPostgresUnavailable>(
  error: Unavailable,
  advice: (error: LocalPostgresUnavailable) => string,
): Unavailable {
  error.message = `The local PostgreSQL cannot be used. ${error.message}${advice(error)}`;
  return error;
}

/** The `code` of an error: 'ENOENT' of the system, an SQLSTATE of PostgreSQL; undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return undefined;
}

/** The message of an error. Anything else that was thrown, as a string. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
