import { DefaultConnectionProvider, type Dialect, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { CircuitBreaker } from '../circuit-breaker.ts';
import { PollingMigrationLock } from '../migration-lock.ts';
import type { ResolvedOptions } from '../options.ts';
import { PipelinePool } from '../pipeline/pool.ts';
import { GroupCommit } from '../pool/group-commit.ts';
import { DedicatedPool } from '../pool/pool.ts';
import { DedicatedDriver } from './driver.ts';
import { RoutingExecutor } from './executor.ts';
import { RoutedKysely } from './routed-kysely.ts';

/**
 * Assembles the Kysely. Its driver is not told what a connection is needed for, so reads and writes are routed one step
 * earlier, in the executor.
 */
export function createKysely<Tables>(options: ResolvedOptions): RoutedKysely<Tables> {
  const { factory, preparedStatementsMax, timeouts, onStatement, onIdleError } = options;
  const { max, waitingMax, idleTimeoutMs } = options.pool;
  const { connections, pendingMax } = options.pipeline;
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
  return new RoutedKysely<Tables>({ config: { dialect }, dialect, driver, executor });
}
