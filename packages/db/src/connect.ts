import {
  type ConnectOptions,
  connect as connectTo,
  type Listener,
  type ListenOptions,
  listen as listenTo,
  openReplicas as openReplicasOf,
  type Replicas,
  type ReplicasOptions,
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

/**
 * Routes reads to the standbys of such a database that have replayed what the reader has seen. The terms of its primaries
 * are in the table `primary_term`.
 * @throws TypeError if `db` was not opened by `connect`, or a URL is not valid
 */
export function openReplicas(options: Omit<ReplicasOptions<Database>, 'termTable'>): Replicas {
  return openReplicasOf({ applicationName: 'roster', ...options, termTable: 'primary_term' });
}

/** Listens to notification channels of such a database. */
export function listen(options: ListenOptions): Listener {
  return listenTo({ applicationName: 'roster listener', ...options });
}
