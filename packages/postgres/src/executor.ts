import { setTimeout } from 'node:timers/promises';
import {
  type AbortableQueryOptions,
  type CompiledQuery,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type DialectAdapter,
  type QueryCompiler,
  type QueryResult,
} from 'kysely';
import type { CallerLimit } from './caller-limit.ts';
import { isReadOnly, knownOf } from './compiled-query.ts';
import { ClientDisconnectedError, ConnectionLostError, isStalePlan } from './errors.ts';
import type { Pipeline } from './pipeline.ts';
import type { PooledConnection, PooledDriver } from './pool.ts';
import { codeOf, SQLSTATE } from './sqlstate.ts';

/** The client on whose behalf reads run. */
export interface Caller {
  /** Polled while a read waits or runs, so never for one that is faster than 25 ms. */
  isDisconnected: () => boolean;
  /** Identifies the client: its reads hold at most half of the connections of the pool. */
  id: string | undefined;
}

interface Parts {
  compiler: QueryCompiler;
  adapter: DialectAdapter;
  driver: PooledDriver;
  pipeline: Pipeline;
  callerLimit: CallerLimit;
  caller?: Caller;
}

const POLL_MS = 25;
/** The most attempts of a statement that PostgreSQL ends because of a deadlock. */
const ATTEMPTS_MAX = 3;
/**
 * The pause before the second attempt; twice as long before the third. PostgreSQL gives a released lock to the first that asks: a
 * statement that ran again at once could close the same circle again.
 */
const DEADLOCK_PAUSE_MS = 100;
/** PostgreSQL cuts longer names. */
const NAME_LENGTH_MAX = 63;

/**
 * Routes statements outside transactions: short reads share the pipelined connections; everything else gets a connection of the
 * pool for itself, because nothing should wait behind a statement that may take long, wait for a lock or for the disk.
 *
 * A copy with plugins, or a query with an `AbortSignal`, is Kysely's own executor on the pool.
 */
export class RoutingExecutor extends DefaultQueryExecutor {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super(parts.compiler, parts.adapter, new DefaultConnectionProvider(parts.driver));
    this.#parts = parts;
  }

  override async executeQuery<Row>(
    query: CompiledQuery,
    options?: AbortableQueryOptions,
  ): Promise<QueryResult<Row>> {
    if (options?.signal !== undefined) return super.executeQuery<Row>(query, options);
    const { caller } = this.#parts;
    if (!isReadOnly(query))
      return afterDeadlocks(() =>
        withFreshPlan(query, (isPrepared) => this.#onConnection<Row>(query, isPrepared)),
      );
    const run = (isPrepared: boolean) => this.#read<Row>(query, isPrepared);
    try {
      return await withFreshPlan(query, run);
    } catch (error) {
      // A read may run twice.
      if (!(error instanceof ConnectionLostError) || caller?.isDisconnected()) throw error;
      return run(true);
    }
  }

  #read<Row>(query: CompiledQuery, isPrepared: boolean): Promise<QueryResult<Row>> {
    const { pipeline, caller, callerLimit } = this.#parts;
    if (knownOf(query)?.isShort) return pipeline.run<Row>(query, isPrepared);
    const run = () => this.#onConnection<Row>(query, isPrepared, caller?.isDisconnected);
    return caller?.id === undefined ? run() : callerLimit.run(caller.id, run);
  }

  async #onConnection<Row>(
    query: CompiledQuery,
    isPrepared: boolean,
    isDisconnected?: () => boolean,
  ): Promise<QueryResult<Row>> {
    const { driver } = this.#parts;
    if (isDisconnected?.()) throw new ClientDisconnectedError();
    const connection = await driver.acquireConnection();
    const poll = isDisconnected && setInterval(closeIf, POLL_MS, connection, isDisconnected);
    try {
      return await connection.run<Row>(query, isPrepared);
    } catch (error) {
      throw isDisconnected?.() ? new ClientDisconnectedError() : error;
    } finally {
      clearInterval(poll);
      await driver.releaseConnection(connection);
    }
  }

  counts() {
    const { driver, pipeline } = this.#parts;
    return { ...driver.counts(), ...pipeline.counts() };
  }

  forCaller(caller: Caller): RoutingExecutor {
    return new RoutingExecutor({ ...this.#parts, caller });
  }
}

function closeIf(connection: PooledConnection, isDisconnected: () => boolean): void {
  if (isDisconnected()) connection.close();
}

/**
 * Runs a statement in a transaction of its own. One that PostgreSQL has ended because of a deadlock has changed nothing, and runs again
 * after those that it met.
 */
async function afterDeadlocks<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || codeOf(error) !== SQLSTATE.deadlockDetected) throw error;
      await setTimeout(DEADLOCK_PAUSE_MS * attempt);
    }
  }
}

/** Runs a query outside a transaction: if its prepared statement is stale, again without one, and from then on with a new name. */
async function withFreshPlan<Row>(
  query: CompiledQuery,
  run: (isPrepared: boolean) => Promise<QueryResult<Row>>,
): Promise<QueryResult<Row>> {
  try {
    return await run(true);
  } catch (error) {
    const known = knownOf(query);
    if (!isStalePlan(error) || known?.name === undefined) throw error;
    known.name = `${known.name}_`.slice(0, NAME_LENGTH_MAX);
    return run(false);
  }
}
