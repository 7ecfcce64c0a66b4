import type { Kysely } from 'kysely';
import { createKysely } from './kysely/create-kysely.ts';
import { type ConnectionCounts, RoutingExecutor } from './kysely/executor.ts';
import { RoutedKysely } from './kysely/routed-kysely.ts';
import { type ConnectOptions, resolveOptions } from './options.ts';

/**
 * A Kysely over connections to PostgreSQL, which are opened when they are needed. `destroy()` waits for what is in
 * progress and closes them.
 *
 * Statements fail with a `ConnectionLostError` if the connection breaks or none can be opened, and with an
 * `OverloadedError` if too many are waiting or PostgreSQL accepts no more connections. A read-only statement outside
 * transactions is sent again, once, if its connection breaks; one that may write never is. Raw SQL counts as a write unless
 * it was compiled with the hint `isReadOnly` (`compileOnce`).
 *
 * Aborting a statement (`signal`) removes it from the queue or drops its result. Statements in a transaction, writes, and
 * statements with `inflightQueryAbortStrategy: 'cancel query'` are cancelled on the server.
 *
 * @throws RangeError for fewer than one connection of a kind; TypeError for an invalid URL
 */
export function connect<Tables>(options: ConnectOptions): Kysely<Tables> {
  return createKysely<Tables>(resolveOptions(options));
}

/**
 * The same database on behalf of one client, which may disconnect before it is answered. Its reads outside transactions
 * are then removed from the queue, or cancelled on the server if they are slow. Writes, and everything in a transaction,
 * go on: it would be unknown whether they were committed.
 *
 * @param isDisconnected polled every 25 ms while a read is in progress, so never for a read that is faster
 * @param caller identifies the client: the slow reads of one caller hold at most half of the pipelined connections
 * @returns `db` itself if it was not opened by `connect`
 */
export function withDisconnectCheck<Tables>(
  db: Kysely<Tables>,
  isDisconnected: () => boolean,
  caller?: string,
): Kysely<Tables> {
  return db instanceof RoutedKysely
    ? (db as RoutedKysely<Tables>).withRouting({ caller: { isDisconnected, caller } })
    : db;
}

/**
 * The state of the connections of a database that was opened by `connect`.
 * @throws TypeError for any other
 */
export function connectionCounts<Tables>(db: Kysely<Tables>): ConnectionCounts {
  const executor = db.getExecutor();
  if (executor instanceof RoutingExecutor) return executor.counts();
  throw new TypeError('This database was not opened by connect.');
}
