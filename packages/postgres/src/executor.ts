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
 * Routes statements outside transactions: short ones share the pipelined connections of their lane; everything else gets a connection
 * of the pool for itself, because nothing should wait behind a statement that may take long.
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
    if (!isReadOnly(query)) {
      const runAlone = () => afterDeadlocks(() => this.#onConnection<Row>(query));
      return knownOf(query)?.lane === 'changes' ? this.driver.commits.run(query, runAlone) : runAlone();
    }
    try {
      return await (this.#onShared<Row>(query) ?? this.#readAlone<Row>(query));
    } catch (error) {
      // A read may run twice. Sent right behind the same statement, which could not be prepared, it has its error yet to get.
      if (codeOf(error) === SQLSTATE.invalidSqlStatementName) return this.#readAlone<Row>(unnamed(query));
      if (!(error instanceof ConnectionLostError) || this.#parts.caller?.isDisconnected()) throw error;
      return this.#readAlone<Row>(query);
    }
  }

  /** Undefined if no shared connection may run it. */
  #onShared<Row>(query: CompiledQuery): Promise<QueryResult<Row>> | undefined {
    const { lane } = knownOf(query) ?? {};
    const caller = lane === 'pages' ? this.#parts.caller : undefined;
    const session = lane && this.driver.lanes[lane].findSession(caller?.id);
    // If it cannot be terminated, its statement ends after the time limit.
    const close = () => session && this.driver.terminate(session).catch(() => undefined);
    return session && whileConnected(caller, close, () => session.executeFor<Row>(caller?.id, query));
  }

  #readAlone<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { caller, callerLimit } = this.#parts;
    const run = () => this.#onConnection<Row>(query, caller);
    return caller?.id === undefined ? run() : callerLimit.run(caller.id, run);
  }

  async #onConnection<Row>(query: CompiledQuery, caller?: Caller): Promise<QueryResult<Row>> {
    if (caller?.isDisconnected()) throw new ClientDisconnectedError();
    const session = await this.driver.acquireConnection();
    try {
      return await whileConnected(
        caller,
        () => session.close(),
        () => session.executeQuery<Row>(query),
      );
    } finally {
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

/** Runs a statement, and closes its connection if the caller disconnects meanwhile. */
async function whileConnected<Result>(
  caller: Caller | undefined,
  close: () => unknown,
  run: () => Promise<Result>,
): Promise<Result> {
  if (caller === undefined) return run();
  const poll = setInterval(() => {
    if (!caller.isDisconnected()) return;
    clearInterval(poll);
    close();
  }, POLL_MS);
  try {
    return await run();
  } catch (error) {
    throw caller.isDisconnected() ? new ClientDisconnectedError() : error;
  } finally {
    clearInterval(poll);
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
