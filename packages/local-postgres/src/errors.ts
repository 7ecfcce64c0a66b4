/**
 * PostgreSQL cannot be run here. The message is for the person who started the program: one or more sentences that
 * say what is wrong, where, and what can be done about it; then the advice of the program, if it gave any.
 */
export class LocalPostgresUnavailable extends Error {
  override readonly name = 'LocalPostgresUnavailable';

  /**
   * @param why one or more whole sentences
   * @param options the error that caused it, if there is one
   */
  constructor(why: string, options?: ErrorOptions) {
    super(why, options);
  }
}

/** Data that another major version of PostgreSQL wrote, which this one cannot open. */
export class IncompatibleDataError extends LocalPostgresUnavailable {}

/** The `code` of an error: 'ENOENT' of the system, an SQLSTATE of PostgreSQL; undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return undefined;
}
