import { DatabaseError } from 'pg';
import { SQLSTATE } from './sqlstate.ts';

/**
 * No connection to PostgreSQL: it could not be opened, broke, or stopped responding. It is unknown whether a write that
 * was in flight has been committed. `cause` is the error of the socket or the server.
 */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
  /** The SQLSTATE that PostgreSQL itself uses for it. */
  readonly code = SQLSTATE.connectionFailure;
}

/** Nothing was sent. */
export class CannotConnectError extends ConnectionLostError {}

/** Too many statements for the connections there are. Nothing was sent, so it is safe to retry later. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
  readonly code = SQLSTATE.tooManyConnections;
}

/** The client disconnected before the result of its read; the read was cancelled. */
export class ClientDisconnectedError extends Error {
  override readonly name = 'ClientDisconnectedError';
  readonly code = SQLSTATE.queryCanceled;

  constructor() {
    super('The client has disconnected.');
  }
}

/** The SQLSTATEs with which PostgreSQL ends the session. */
const sessionEnds: ReadonlySet<string | undefined> = new Set([
  SQLSTATE.adminShutdown,
  SQLSTATE.crashShutdown,
  SQLSTATE.cannotConnectNow,
  SQLSTATE.idleSessionTimeout,
  SQLSTATE.idleInTransactionSessionTimeout,
]);

/** The function of PostgreSQL that rejects a prepared statement of which a table has changed. */
const STALE = 'RevalidateCachedQuery';

/** A `ConnectionLostError` if the error of a statement means that its connection must be replaced, else the error itself. */
export function toStatementError(error: Error): Error {
  if (error instanceof ConnectionLostError || error instanceof TypeError || error instanceof RangeError)
    return error;
  if (error instanceof DatabaseError && error.code === SQLSTATE.tooManyConnections)
    return toConnectError(error);
  if (error instanceof DatabaseError && !sessionEnds.has(error.code) && error.routine !== STALE) return error;
  return new ConnectionLostError('The connection to the database was lost.', { cause: error });
}

/** The error for those who need a connection when none can be opened. */
export function toConnectError(cause: Error): Error {
  if (cause instanceof DatabaseError && cause.code === SQLSTATE.tooManyConnections)
    return new OverloadedError('The database accepts no more connections.', { cause });
  return new CannotConnectError('Cannot connect to the database.', { cause });
}
