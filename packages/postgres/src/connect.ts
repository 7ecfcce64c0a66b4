import {
  DefaultConnectionProvider,
  type Dialect,
  type Kysely,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { CircuitBreaker } from './circuit-breaker.ts';
import { DedicatedDriver } from './kysely/driver.ts';
import { type ConnectionCounts, RoutingExecutor } from './kysely/executor.ts';
import { RoutedKysely } from './kysely/routed-kysely.ts';
import { PollingMigrationLock } from './migration-lock.ts';
import { type ConnectOptions, resolveOptions } from './options.ts';
import { PipelinePool } from './pipeline/pool.ts';
import { GroupCommit } from './pool/group-commit.ts';
import { DedicatedPool } from './pool/pool.ts';

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
  const resolved = resolveOptions(options);
  const { factory, preparedStatementsMax, timeouts, onStatement, onIdleError } = resolved;
  const { max, waitingMax, idleTimeoutMs } = resolved.pool;
  const { connections, pendingMax } = resolved.pipeline;
  const breaker = new CircuitBreaker({ factory, unresponsiveMs: timeouts.unresponsiveMs });
  const shared = {
    factory,
    breaker,
    preparedStatementsMax,
    waitMs: timeouts.connectMs,
    silenceMs: timeouts.silenceMs,
    onIdleError,
  };
  const pipelines = new PipelinePool({ ...shared, connections, pendingMax });
  const pool = new DedicatedPool({ ...shared, max, waitingMax, idleTimeoutMs, onStatement });
  const groupCommit = new GroupCommit({ pool, connectionsMax: max, waitingMax, waitMs: shared.waitMs });
  const driver = new DedicatedDriver({ groupCommit, pool, pipelines, breaker });
  const compiler = new PostgresQueryCompiler();
  const adapter = new PollingMigrationLock();
  const executor = new RoutingExecutor({
    compiler,
    adapter,
    dedicated: new DefaultConnectionProvider(driver),
    groupCommit,
    reads: pipelines,
    counts: () => {
      const counts = pool.counts();
      const dedicatedWaiting = counts.dedicatedWaiting + groupCommit.waiting;
      return { ...counts, dedicatedWaiting, ...pipelines.counts(), isCircuitOpen: breaker.isOpen };
    },
    onStatement,
  });
  const dialect: Dialect = {
    createDriver: () => driver,
    createQueryCompiler: () => compiler,
    createAdapter: () => adapter,
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
  // The driver is not told what a connection is needed for, so reads and writes are routed one step earlier, in the executor.
  return new RoutedKysely<Tables>({ config: { dialect }, dialect, driver, executor });
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
