/** PostgreSQL can't run here. The message is for people: the problem, its place and a remedy. */
export class LocalPostgresUnavailable extends Error {
  override readonly name = 'LocalPostgresUnavailable';
}

/** Another major version of PostgreSQL wrote the data. */
export class IncompatibleDataError extends LocalPostgresUnavailable {}

/** Another user of the operating system owns the data. */
export class ForeignDataError extends LocalPostgresUnavailable {}

/** Another process has the data: one at a time starts and stops a directory's server. */
export class LocalPostgresInUse extends LocalPostgresUnavailable {
  /** @param owner the process, for people; empty if unknown */
  constructor(home: string, owner: string) {
    super(`The data in ${home} are in use by ${owner || 'another process'}.`);
  }
}

/** 'ENOENT' of the system, an SQLSTATE of PostgreSQL; undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
