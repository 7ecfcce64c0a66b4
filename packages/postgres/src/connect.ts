import type { Kysely } from 'kysely';
import { createKysely, type OnStatement } from './create-kysely.ts';
import { type ConnectionCounts, PartingExecutor } from './executor.ts';
import type { Place } from './hosts/connection-factory.ts';
import { openingFor } from './hosts/request-connections.ts';
import { pipelinesAtMost } from './pipeline/pool.ts';

export interface ConnectOptions {
  /**
   * Where PostgreSQL is: a `postgres://` URL, of one server or of several of which one takes writes; what the embedded
   * one answers; or what `sharedPlace` made of a URL, so that several of these search for that server together.
   */
  connection: Place;
  /** Connections at most for transactions and for statements that may write, one caller each; 10 by default. */
  connectionsMax?: number;
  /** Callers at most who wait for one of them; more are refused with `OverloadedError`; 1,000 by default. */
  waitingMax?: number;
  /**
   * Connections that statements which only read share outside transactions, sent without waiting for the answers of
   * those before; 4 by default, each a core of PostgreSQL's. Up to four more are open while slow statements hold some.
   */
  pipelines?: number;
  /** Such statements at most, waiting and under way; more are refused with `OverloadedError`; 1,000 by default. */
  pendingMax?: number;
  /**
   * Whether PostgreSQL keeps statements parsed under names; true by default. To be turned off behind a pooler that
   * gives each transaction another connection and does not know names (PgBouncer before 1.21, or with
   * `max_prepared_statements` at 0).
   */
  namedStatements?: boolean;
  /** Names at most on each connection, the one used longest ago gives way; 250 by default. */
  namesMax?: number;
  /** A statement that runs longer is cancelled by PostgreSQL; 5,000 ms by default, 0 for no limit. */
  statementTimeoutMs?: number;
  /**
   * A statement that waits longer for a lock somebody else holds is given up by PostgreSQL; 3,000 ms by default, without
   * limit where statements have none, 0 for no limit.
   */
  lockTimeoutMs?: number;
  /**
   * A transaction in which nothing was asked for so long is ended by PostgreSQL with its session: whoever began it stands
   * still or is gone, and others may wait for its locks. 10,000 ms by default, without limit where statements have none.
   */
  idleTransactionTimeoutMs?: number;
  /** How long to wait for a connection, new or free; 3,000 ms by default. */
  connectTimeoutMs?: number;
  /** A connection for one caller that nobody has used for so long is closed; 10,000 ms by default, 0 keeps it open. */
  idleTimeoutMs?: number;
  /**
   * When something is asked and nothing is heard on any connection for so long, a new connection is tried; when that
   * is not answered for as long either, the database counts as gone: all connections are given up, and callers refused
   * at once until it answers. 1,000 ms by default.
   */
  patienceMs?: number;
  /**
   * A connection that has something to answer and says nothing for so long is given up, with `ConnectionLostError`
   * for all it was asked; a second more than `statementTimeoutMs` by default, without limit where that has none. Whoever
   * lets a statement run longer (`set local statement_timeout`) needs a longer silence too.
   */
  silenceTimeoutMs?: number;
  /**
   * Told of every statement when it has ended, well or not, with its text and without its values; called in the
   * asynchronous context of whoever asked for the statement.
   */
  onStatement?: OnStatement;
  /** Told of errors of idle connections, which nobody else waits for; they are replaced by themselves. */
  onIdleError?: (error: Error) => void;
}

const LOCK_TIMEOUT_MS = 3_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 10;
const PIPELINES = 4;

/** How many connections `connect` may have open at once with these options. */
export function connectionsAtMost({
  connectionsMax = CONNECTIONS_MAX,
  pipelines = PIPELINES,
}: Pick<ConnectOptions, 'connectionsMax' | 'pipelines'>): number {
  return connectionsMax + pipelinesAtMost(pipelines);
}

/**
 * A Kysely over connections to PostgreSQL. Nothing is opened until the first query. The caller ends it with
 * `destroy()`, which waits for what is under way.
 * @throws RangeError where fewer than one connection of a kind is asked for.
 *
 * While no connection can be opened, whoever would need a new one is refused at once with `ConnectionLostError` (with
 * `OverloadedError` where PostgreSQL has as many as it takes), and one probe tries again up to four times a second.
 *
 * A statement outside transactions that only reads is sent again, once, when its connection breaks; one that may write
 * never is. Raw SQL counts as a write unless it was `prepared` as a read. Aborting a statement (`signal`) takes it out
 * of the queue or drops its answer; a statement in a transaction, a write, and one executed with
 * `inflightQueryAbortStrategy: 'cancel query'` is cancelled on the server.
 */
export function connect<Tables>(options: ConnectOptions): Kysely<Tables> {
  const { connection, statementTimeoutMs = 5_000, connectTimeoutMs = 3_000 } = options;
  const isBounded = statementTimeoutMs > 0;
  return createKysely<Tables>({
    opening: openingFor(connection, {
      statementTimeoutMs,
      connectTimeoutMs,
      lockTimeoutMs: options.lockTimeoutMs ?? (isBounded ? LOCK_TIMEOUT_MS : 0),
      idleTransactionTimeoutMs:
        options.idleTransactionTimeoutMs ?? (isBounded ? IDLE_TRANSACTION_TIMEOUT_MS : 0),
    }),
    connectionsMax: options.connectionsMax ?? CONNECTIONS_MAX,
    waitingMax: options.waitingMax ?? 1_000,
    pipelines: options.pipelines ?? PIPELINES,
    pendingMax: options.pendingMax ?? 1_000,
    namesMax: options.namedStatements === false ? 0 : (options.namesMax ?? 250),
    waitMs: connectTimeoutMs,
    idleMs: options.idleTimeoutMs ?? 10_000,
    patienceMs: options.patienceMs ?? 1_000,
    silenceMs: options.silenceTimeoutMs ?? (isBounded ? statementTimeoutMs + 1_000 : 0),
    onStatement: options.onStatement,
    onIdleError: (error) => options.onIdleError?.(error),
  });
}

/** What the connections of a Kysely that `connect` made are doing now. Throws TypeError for any other. */
export function connectionCounts<Tables>(db: Kysely<Tables>): ConnectionCounts {
  const executor = db.getExecutor();
  if (executor instanceof PartingExecutor) return executor.counts();
  throw new TypeError('This database was not opened by connect.');
}
