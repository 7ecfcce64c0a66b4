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

/** Too many statements for the connections there are. Nothing was sent, so it is safe to retry later. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
  readonly code = SQLSTATE.tooManyConnections;
}

/** The client disconnected before its read was answered; the read was cancelled. */
export class ClientDisconnectedError extends Error {
  override readonly name = 'ClientDisconnectedError';
  readonly code = SQLSTATE.queryCanceled;

  constructor() {
    super('The client has disconnected.');
  }
}

/** A replica has not replayed the position that a read requires; its result was discarded. */
export class ReplicaBehindError extends Error {
  override readonly name = 'ReplicaBehindError';
}

/** The SQLSTATEs with which PostgreSQL ends the session. */
const sessionEnds = new Set<string>([
  SQLSTATE.adminShutdown,
  SQLSTATE.crashShutdown,
  SQLSTATE.cannotConnectNow,
  SQLSTATE.idleSessionTimeout,
  SQLSTATE.idleInTransactionSessionTimeout,
]);

/**
 * A `ConnectionLostError` if the error means that the connection is gone, else the error itself.
 * @param isFromServer whether it is an error response of PostgreSQL to a statement; only those can leave the session open
 */
export function toConnectionError(error: Error & { code?: unknown }, isFromServer: boolean): Error {
  if (error instanceof ConnectionLostError) return error;
  if (isFromServer && !sessionEnds.has(String(error.code))) return error;
  return new ConnectionLostError('The connection to the database was lost.', { cause: error });
}
