import {
  DefaultConnectionProvider,
  type Dialect,
  type Kysely,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { CircuitBreaker } from './circuit-breaker.ts';
import { DedicatedDriver } from './driver.ts';
import { RoutingExecutor } from './executor.ts';
import type { ConnectionFactory } from './hosts/connection-factory.ts';
import { PollingMigrationLock } from './migration-lock.ts';
import { PipelinePool } from './pipeline/pool.ts';
import { GroupCommit } from './pool/group-commit.ts';
import { DedicatedPool } from './pool/pool.ts';
import { RoutedKysely } from './routed-kysely.ts';
import type { OnStatement } from './types.ts';

/** The options of `connect` with all defaults applied. */
export interface ResolvedOptions {
  factory: ConnectionFactory;
  pool: { max: number; waitingMax: number; idleTimeoutMs: number };
  pipeline: { connections: number; pendingMax: number };
  preparedStatementsMax: number;
  timeouts: { connectMs: number; silenceMs: number; unresponsiveMs: number };
  onStatement: OnStatement | undefined;
  onIdleError: (error: Error) => void;
}

/**
 * Assembles the Kysely. Its driver is not told what a connection is needed for, so reads and writes are routed one step
 * earlier, in the executor.
 * @throws RangeError for fewer than one connection of a kind
 */
export function createKysely<Tables>(options: ResolvedOptions): RoutedKysely<Tables> {
  const { factory, preparedStatementsMax, timeouts, onStatement, onIdleError } = options;
  const { max, waitingMax, idleTimeoutMs } = options.pool;
  const { connections, pendingMax } = options.pipeline;
  if (!(connections >= 1 && max >= 1)) {
    throw new RangeError('At least one connection of each kind is required.');
  }
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
      const exclusiveWaiting = counts.exclusiveWaiting + groupCommit.waiting;
      return { ...counts, exclusiveWaiting, ...pipelines.counts() };
    },
    onStatement,
  });
  const dialect: Dialect = {
    createDriver: () => driver,
    createQueryCompiler: () => compiler,
    createAdapter: () => adapter,
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
  return new RoutedKysely<Tables>({ config: { dialect }, dialect, driver, executor }, pipelines);
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
    ? (db as RoutedKysely<Tables>).withDisconnectCheck({ isDisconnected, caller })
    : db;
}
