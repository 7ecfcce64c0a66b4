/**
 * No connection to PostgreSQL: it could not be made, broke, or went silent. Whether a write that was under way has
 * happened is not known. `cause` says what the network or the server said.
 */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
  /** SQLSTATE connection_failure, so that it is told like an error of PostgreSQL itself. */
  readonly code = '08006';
}

/** More work than the connections carry: refused before anything was sent, so it may be tried again later. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
  /** SQLSTATE too_many_connections. */
  readonly code = '53300';
}

/** Whoever asked has left before there was an answer; a read was given up. */
export class CallerLeftError extends Error {
  override readonly name = 'CallerLeftError';
  /** SQLSTATE query_canceled. */
  readonly code = '57014';

  constructor() {
    super('Whoever asked has left.');
  }
}

/** A replica had not yet replayed what its caller has seen; the answer was thrown away. */
export class BehindError extends Error {
  override readonly name = 'BehindError';
}

/** SQLSTATEs with which PostgreSQL ends a session: by an operator, a crash, a start-up not finished, idleness (in a transaction, too). */
const sessionEnds = new Set(['57P01', '57P02', '57P03', '57P05', '25P03']);

/** What a session said, where only the answer of PostgreSQL to a statement leaves the session alive. */
export function asLoss(error: Error & { code?: unknown }, isAnswer: boolean): Error {
  if (error instanceof ConnectionLostError) return error;
  if (isAnswer && !sessionEnds.has(String(error.code))) return error;
  return new ConnectionLostError('The connection to the database was lost.', { cause: error });
}
