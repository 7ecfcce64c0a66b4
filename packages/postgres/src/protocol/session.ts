import type { CompiledQuery, QueryResult } from 'kysely';
import { type Client, DatabaseError } from 'pg';
import { ConnectionLostError, toConnectionError } from '../errors.ts';
import { hintsOf } from '../query-hints.ts';
import { PreparedStatementCache } from './prepared-statement-cache.ts';
import {
  changing,
  type EncodedStatement,
  encode,
  isStalePlan,
  type OnEnded,
  StatementExchange,
  type StatementHost,
  StatementQuery,
} from './statement.ts';
import { BatchQuery, type BatchResult, type OnBatchEnded } from './statement-batch.ts';

/** Ticks after which the oldest statement counts as slow: at least 50 ms. */
export const SLOW_TICKS = 3;

/**
 * A statement to run once on every new connection. glibc returns what a statement allocated to the system when it ends,
 * and the next statement faults it in again page by page. After a large block was freed, glibc keeps up to twice its size
 * (`M_TRIM_THRESHOLD`, mallopt(3)), here 2 MB for each connection.
 *
 * A sequential scan of a large table begins at the first block, and not where another one is (`synchronize_seqscans`), so that
 * two statements with a LIMIT and no ORDER BY read the same rows.
 */
export const WARM_UP =
  "select set_config('synchronize_seqscans', 'off', false), length(repeat(' ', 1000000))";

/** Notes that the database responds, as the circuit breaker does. */
interface MessageListener {
  messageReceived(): void;
}

/** An open connection: its prepared statements, what is in flight on it, and for how long it has been silent. */
export class Session implements StatementHost {
  readonly client: Client;
  readonly preparedStatements: PreparedStatementCache | undefined;
  /** Statements that were sent and have not ended. */
  inFlight = 0;
  /** Ticks since the oldest of them became the oldest. */
  #ticksOfOldest = 0;
  /** Ticks since the last message was received while something was in flight. */
  #silentTicks = 0;
  /** Whether the statement that ended last was slow. */
  wasSlow = false;
  /** The position of the server at the last probe; the server has only moved forward since. */
  lastLsn: string | undefined;
  #isCorked = false;
  readonly #breaker: MessageListener;

  /** @param preparedStatementsMax 0 disables prepared statements */
  constructor(client: Client, preparedStatementsMax: number, breaker: MessageListener) {
    this.client = client;
    this.#breaker = breaker;
    if (preparedStatementsMax > 0)
      this.preparedStatements = new PreparedStatementCache(preparedStatementsMax);
  }

  /** Whether the oldest statement has run for so long that nothing should be sent behind it. */
  get isSlow(): boolean {
    return this.#ticksOfOldest >= SLOW_TICKS;
  }

  /** Sends a statement behind those in flight. */
  send(statement: EncodedStatement, onEnded: OnEnded): void {
    this.#begin();
    this.client.query(new StatementQuery(this, new StatementExchange(this, statement), onEnded));
  }

  /** Runs one statement. */
  async run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // Raw SQL without parameters may hold several statements, which the extended query protocol rejects.
    const isSimple =
      query.parameters.length === 0 && query.query.kind === 'RawNode' && !hintsOf(query).isBinary;
    if (isSimple) return this.#runSimple<R>(query.sql);
    const statement = encode(query);
    const isInTransaction = this.client.getTransactionStatus() !== 'I';
    try {
      return await this.#runExtended<R>(statement);
    } catch (error) {
      // In a transaction nothing can be repeated: the error has aborted it.
      if (isInTransaction || !isStalePlan(error as Error)) throw error;
      return this.#runExtended<R>({ ...statement, isUnnamed: true });
    }
  }

  #runExtended<R>(statement: EncodedStatement): Promise<QueryResult<R>> {
    return new Promise((resolve, reject) =>
      this.send(statement, (error, result) =>
        error === undefined ? resolve(result as QueryResult<R>) : reject(error),
      ),
    );
  }

  /**
   * Runs statements in one transaction and commits it.
   * @throws the error of the first that fails, and then all were rolled back; ConnectionLostError, and then the outcome is
   *   unknown
   */
  runBatch(statements: readonly EncodedStatement[]): Promise<BatchResult[]> {
    return new Promise((resolve, reject) => {
      this.#begin();
      const onEnded: OnBatchEnded = (error, results) =>
        error === undefined ? resolve(results) : reject(error);
      this.client.query(new BatchQuery(this, statements, onEnded));
    });
  }

  /** Runs text with the simple query protocol. For COMMIT and ROLLBACK the only row has the command that took effect. */
  async #runSimple<R>(sql: string): Promise<QueryResult<R>> {
    this.#begin();
    try {
      const { command, rowCount, rows } = await this.client.query(sql);
      if (command === 'COMMIT' || command === 'ROLLBACK') return { rows: [{ command }] as R[] };
      return { rows: rows ?? [], ...(changing.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) };
    } catch (error) {
      throw toConnectionError(error as Error, error instanceof DatabaseError);
    } finally {
      this.statementEnded();
    }
  }

  /** To be called on each tick. Destroys the connection if it has been silent for more than `silentTicksMax`. */
  tick(silentTicksMax: number): void {
    if (this.inFlight === 0) return;
    this.#ticksOfOldest += 1;
    this.#silentTicks += 1;
    if (this.#silentTicks > silentTicksMax) this.destroy('The database did not respond in time.');
  }

  /** Ends the connection at once; everything in flight fails with a `ConnectionLostError`. */
  destroy(message: string): void {
    this.client.connection.stream.destroy(new ConnectionLostError(message));
  }

  /**
   * Writes everything that is sent in this iteration of the event loop with one system call. Requests of different clients
   * arrive on different sockets in the same iteration, and a system call costs more than a statement.
   */
  corkWrites(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const { stream } = this.client.connection;
    stream.cork();
    setImmediate(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  messageReceived(): void {
    this.#silentTicks = 0;
    this.#breaker.messageReceived();
  }

  statementEnded(): void {
    this.inFlight -= 1;
    this.wasSlow = this.isSlow;
    this.#ticksOfOldest = 0;
    this.messageReceived();
  }

  #begin(): void {
    if (this.inFlight === 0) {
      this.#ticksOfOldest = 0;
      this.#silentTicks = 0;
    }
    this.inFlight += 1;
  }
}
