import { SQLSTATE } from './sqlstate.ts';

/**
 * No connection to PostgreSQL: it could not be made, broke, or went silent. Whether a write that was under way has
 * happened is not known. `cause` says what the network or the server said.
 */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
  /** As an error of PostgreSQL itself has it. */
  readonly code = SQLSTATE.connectionFailure;
}

/** More work than the connections carry: refused before anything was sent, so it may be tried again later. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
  readonly code = SQLSTATE.tooManyConnections;
}

/** Whoever asked has left before there was an answer; a read was given up. */
export class CallerLeftError extends Error {
  override readonly name = 'CallerLeftError';
  readonly code = SQLSTATE.queryCanceled;

  constructor() {
    super('Whoever asked has left.');
  }
}

/** A replica had not yet replayed what its caller has seen; the answer was thrown away. */
export class BehindError extends Error {
  override readonly name = 'BehindError';
}

/** With these PostgreSQL ends the session. */
const sessionEnds = new Set<string>([
  SQLSTATE.adminShutdown,
  SQLSTATE.crashShutdown,
  SQLSTATE.cannotConnectNow,
  SQLSTATE.idleSessionTimeout,
  SQLSTATE.idleInTransactionSessionTimeout,
]);

/** What a session said, where only the answer of PostgreSQL to a statement leaves the session alive. */
export function asLoss(error: Error & { code?: unknown }, isAnswer: boolean): Error {
  if (error instanceof ConnectionLostError) return error;
  if (isAnswer && !sessionEnds.has(String(error.code))) return error;
  return new ConnectionLostError('The connection to the database was lost.', { cause: error });
}
