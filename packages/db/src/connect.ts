import {
  type ConnectOptions,
  connect as connectTo,
  type Listener,
  type ListenOptions,
  listen as listenTo,
} from '@roster/postgres';
import type { Kysely } from 'kysely';
import type { Database } from './tables.ts';

/**
 * Opens a pool of connections to a database with the tables of this package.
 * @see ConnectOptions for what can be set, with units and defaults
 * @throws RangeError if fewer than one connection of a kind is configured
 */
export function connect(options: ConnectOptions): Kysely<Database> {
  return connectTo<Database>({ applicationName: 'roster', ...options });
}

/** Listens to notification channels of such a database. */
export function listen(options: ListenOptions): Listener {
  return listenTo({ applicationName: 'roster listener', ...options });
}
