import { tellingRows } from '../protocol/data-row-parser.ts';
import { type Opening, openingOf, type Place } from './connection-factory.ts';

/** In milliseconds; 0 for no limit. */
interface Timeouts {
  /** A statement that runs longer is cancelled. */
  statementTimeoutMs: number;
  /** A statement that waits longer for a lock fails. */
  lockTimeoutMs: number;
  /** A transaction in which nothing is asked for longer is ended, with its session. */
  idleTransactionTimeoutMs: number;
  connectTimeoutMs: number;
}

/** How the connections are opened on which requests are answered. @throws TypeError for a URL that is none. */
export function openingFor(place: Place, timeouts: Timeouts): Opening {
  const { config, ...opening } = openingOf(place);
  return {
    ...opening,
    Client: tellingRows(opening.Client),
    config: {
      ...config,
      connectionTimeoutMillis: timeouts.connectTimeoutMs,
      statement_timeout: timeouts.statementTimeoutMs,
      lock_timeout: timeouts.lockTimeoutMs,
      idle_in_transaction_session_timeout: timeouts.idleTransactionTimeoutMs,
      application_name: 'roster',
      keepAlive: true,
    },
  };
}
