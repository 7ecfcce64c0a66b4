/** PostgreSQL cannot be run here. The message is for people: what is wrong, where, and what can be done about it. */
export class LocalPostgresUnavailable extends Error {
  override readonly name = 'LocalPostgresUnavailable';
}

/** Data that another major version of PostgreSQL wrote, which this one cannot open. */
export class IncompatibleDataError extends LocalPostgresUnavailable {}

/** Another process has the data: one process at a time starts and stops the server of a directory. */
export class LocalPostgresInUse extends LocalPostgresUnavailable {
  /** @param owner the process, for people; empty if it is not known */
  constructor(home: string, owner: string) {
    super(`The data in ${home} are in use by ${owner || 'another process'}.`);
  }
}

/** The `code` of an error: 'ENOENT' of the system, an SQLSTATE of PostgreSQL; undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
