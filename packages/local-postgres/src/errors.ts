/**
 * The embedded PostgreSQL cannot be used here. The message is for the person who started us: it says why, and
 * that a server of their own (DATABASE_URL) is the way out.
 */
export class EmbeddedUnavailable extends Error {
  override readonly name = 'EmbeddedUnavailable';

  /**
   * @param why one or more whole sentences: what is wrong, where, and what can be done about it
   * @param options the error behind it, when there is one
   */
  constructor(why: string, options?: ErrorOptions) {
    super(
      `The embedded PostgreSQL cannot be used. ${why}\n` +
        'To use a PostgreSQL server of your own instead, set DATABASE_URL=postgres://user:password@host/database.',
      options,
    );
  }
}

/** The system's code of an error ('ENOENT', or PostgreSQL's five characters), undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return undefined;
}
