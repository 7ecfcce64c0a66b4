import {
  type ConnectOptions,
  connect as connectTo,
  type Listener,
  type ListenOptions,
  listen as listenTo,
} from '@roster/postgres';
import type { Kysely } from 'kysely';
import type { Database } from './tables.ts';

/** Throws a RangeError for less than one connection of a kind. */
export function connect(options: ConnectOptions): Kysely<Database> {
  return connectTo<Database>({ applicationName: 'roster', ...options });
}

export function listen(options: ListenOptions): Listener {
  return listenTo({ applicationName: 'roster listener', ...options });
}
