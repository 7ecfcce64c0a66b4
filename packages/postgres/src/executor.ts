import { setTimeout } from 'node:timers/promises';
import {
  type AbortableQueryOptions,
  type CompiledQuery,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type Dialect,
  Kysely,
  type QueryResult,
} from 'kysely';
import type { CallerLimit } from './caller-limit.ts';
import { isReadOnly, knownOf, unnamed } from './compiled-query.ts';
import { ClientDisconnectedError, ConnectionLostError } from './errors.ts';
import type { PooledDriver } from './pool.ts';
import { codeOf, SQLSTATE } from './sqlstate.ts';

/** The client on whose behalf reads run. */
interface Caller {
  /** Polled while a read waits or runs, so never for one that is faster than 25 ms. */
  isDisconnected: () => boolean;
  /** Identifies the client: its reads hold at most half of the connections of the pool. */
  id: string | undefined;
}

interface Parts {
  dialect: Dialect;
  driver: PooledDriver;
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

/**
 * Routes statements outside transactions: short reads share the pipelined connections; everything else gets a connection of the
 * pool for itself, because nothing should wait behind a statement that may take long, wait for a lock or for the disk.
 *
 * A copy with plugins, or a query with an `AbortSignal`, is Kysely's own executor on the pool.
 */
export class RoutingExecutor extends DefaultQueryExecutor {
  readonly driver: PooledDriver;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    const { dialect, driver } = parts;
    super(dialect.createQueryCompiler(), dialect.createAdapter(), new DefaultConnectionProvider(driver));
    this.driver = driver;
    this.#parts = parts;
  }

  override async executeQuery<Row>(
    query: CompiledQuery,
    options?: AbortableQueryOptions,
  ): Promise<QueryResult<Row>> {
    if (options?.signal !== undefined) return super.executeQuery<Row>(query, options);
    if (!isReadOnly(query)) return afterDeadlocks(() => this.#onConnection<Row>(query));
    try {
      return await this.#read<Row>(query);
    } catch (error) {
      // A read may run twice. Sent right behind the same statement, which could not be prepared, it has its error yet to get.
      if (codeOf(error) === SQLSTATE.invalidSqlStatementName) return this.#read<Row>(unnamed(query));
      if (!(error instanceof ConnectionLostError) || this.#parts.caller?.isDisconnected()) throw error;
      return this.#read<Row>(query);
    }
  }

  #read<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { caller, callerLimit } = this.#parts;
    if (knownOf(query)?.isShort) return this.driver.pipeline.run<Row>(query);
    const run = () => this.#onConnection<Row>(query, caller?.isDisconnected);
    return caller?.id === undefined ? run() : callerLimit.run(caller.id, run);
  }

  /** @param isDisconnected closes the connection when it becomes true */
  async #onConnection<Row>(query: CompiledQuery, isDisconnected?: () => boolean): Promise<QueryResult<Row>> {
    if (isDisconnected?.()) throw new ClientDisconnectedError();
    const session = await this.driver.acquireConnection();
    const poll = isDisconnected && setInterval(() => isDisconnected() && session.close(), POLL_MS);
    try {
      return await session.executeQuery<Row>(query);
    } catch (error) {
      throw isDisconnected?.() ? new ClientDisconnectedError() : error;
    } finally {
      clearInterval(poll);
      session.release();
    }
  }

  /** The database whose statements it runs, for one client if there is one. */
  database<Tables>(caller?: Caller): Kysely<Tables> {
    const { dialect, driver } = this.#parts;
    const executor = caller === undefined ? this : new RoutingExecutor({ ...this.#parts, caller });
    return new Kysely<Tables>({ config: { dialect }, dialect, driver, executor });
  }
}

/** Runs a statement in a transaction of its own. One that PostgreSQL has ended because of a deadlock has changed nothing. */
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
