import { setTimeout } from 'node:timers/promises';
import {
  type AbortableQueryOptions,
  type CompiledQuery,
  type DatabaseConnection,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type Dialect,
  Kysely,
  type QueryResult,
} from 'kysely';
import type { CallerLimit } from './caller-limit.ts';
import { isReadOnly, knownOf, type Lane, unnamed } from './compiled-query.ts';
import { ClientDisconnectedError, ConnectionLostError } from './errors.ts';
import type { PooledDriver } from './pool.ts';
import { codeOf, SQLSTATE } from './sqlstate.ts';

/** The client on whose behalf statements run. */
interface Caller {
  /** Asked before a read is sent, and every 25 ms while it runs. */
  isDisconnected: () => boolean;
  /** Identifies the client: it holds at most half of the connections of the pool. */
  id: string | undefined;
}

interface Parts {
  dialect: Dialect;
  driver: PooledDriver;
  /** Of connections of the pool. */
  callerLimit: CallerLimit;
  /** Of pages in flight on shared connections: what is sent cannot be left out when its client disconnects. */
  pageLimit: CallerLimit;
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

/** Gives transactions their connections within the limit of their caller. */
class LimitedConnections extends DefaultConnectionProvider {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super(parts.driver);
    this.#parts = parts;
  }

  override provideConnection<Result>(
    consumer: (connection: DatabaseConnection) => Promise<Result>,
  ): Promise<Result> {
    const { caller, callerLimit } = this.#parts;
    return callerLimit.run(caller?.id, () => super.provideConnection(consumer));
  }
}

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
    super(dialect.createQueryCompiler(), dialect.createAdapter(), new LimitedConnections(parts));
    this.driver = driver;
    this.#parts = parts;
  }

  override executeQuery<Row>(
    query: CompiledQuery,
    options?: AbortableQueryOptions,
  ): Promise<QueryResult<Row>> {
    if (options?.signal !== undefined) return super.executeQuery<Row>(query, options);
    if (isReadOnly(query)) return this.#read<Row>(query);
    const runAlone = () => afterDeadlocks(() => this.#onConnection<Row>(query));
    if (knownOf(query)?.lane !== 'changes') return runAlone();
    return this.driver.commits.run(query, { caller: this.#parts.caller?.id, runAlone });
  }

  async #read<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { caller, pageLimit } = this.#parts;
    const { lane } = knownOf(query) ?? {};
    const readAlone = (alone: CompiledQuery) => this.#onConnection<Row>(alone, caller);
    const read = () => {
      // A client that resets its connections may leave many reads behind.
      if (caller?.isDisconnected()) throw new ClientDisconnectedError();
      return this.#onShared<Row>(query, lane) ?? readAlone(query);
    };
    try {
      return await (lane === 'pages' ? pageLimit.run(caller?.id, read) : read());
    } catch (error) {
      // A read may run twice. Sent right behind the same statement, which could not be prepared, it has its error yet to get.
      if (codeOf(error) === SQLSTATE.invalidSqlStatementName) return readAlone(unnamed(query));
      if (!(error instanceof ConnectionLostError) || caller?.isDisconnected()) throw error;
      return readAlone(query);
    }
  }

  /** Undefined if no shared connection may run it. */
  #onShared<Row>(query: CompiledQuery, lane: Lane | undefined): Promise<QueryResult<Row>> | undefined {
    const caller = lane === 'pages' ? this.#parts.caller : undefined;
    const session = lane && this.driver.lanes[lane].findSession(caller?.id);
    if (session === undefined || caller === undefined) return session?.executeQuery<Row>(query);
    const { place } = session;
    const end = () => session.isSlowAt(place) && this.driver.terminate(session);
    return whileConnected(caller, end, () => session.executeFor<Row>(caller.id, query));
  }

  /** @param reader ends the statement when it disconnects */
  #onConnection<Row>(query: CompiledQuery, reader?: Caller): Promise<QueryResult<Row>> {
    const { caller, callerLimit, driver } = this.#parts;
    return callerLimit.run(caller?.id, async () => {
      if (reader?.isDisconnected()) throw new ClientDisconnectedError();
      const session = await driver.acquireConnection();
      try {
        const run = () => session.executeQuery<Row>(query);
        return await (reader === undefined ? run() : whileConnected(reader, () => session.close(), run));
      } finally {
        session.release();
      }
    });
  }

  /** The database whose statements it runs, for one client if there is one. */
  database<Tables>(caller?: Caller): Kysely<Tables> {
    const { dialect, driver } = this.#parts;
    const executor = caller === undefined ? this : new RoutingExecutor({ ...this.#parts, caller });
    return new Kysely<Tables>({ config: { dialect }, dialect, driver, executor });
  }
}

/**
 * Runs a statement, and ends it if the caller disconnects meanwhile.
 * @param end returns false if it cannot be ended yet
 */
async function whileConnected<Result>(
  caller: Caller,
  end: () => boolean,
  run: () => Promise<Result>,
): Promise<Result> {
  const poll = setInterval(() => {
    if (caller.isDisconnected() && end()) clearInterval(poll);
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
