import type { CompiledQuery, QueryResult } from 'kysely';
import { type Client, DatabaseError } from 'pg';
import type { Reachability } from '../circuit-breaker.ts';
import { asLoss, ConnectionLostError } from '../errors.ts';
import { isBinary } from '../query-hints.ts';
import { StatementNames } from './prepared-statement-cache.ts';
import { type Ended, isStale, type Order, orderOf, WireStatement } from './statement.ts';
import { type BatchEnded, type Outcome, WireBatch } from './statement-batch.ts';

/** Beats after which the oldest statement counts as slow: at least 50 ms. */
const SLOW_BEATS = 3;

/** One connection that is open: what it has parsed, what it is doing, and since when it has said nothing. */
export class Session {
  readonly client: Client;
  readonly names: StatementNames | undefined;
  /** Statements sent and not answered. */
  inFlight = 0;
  /** Beats of the watch since the oldest of them became the oldest. */
  beatsOfOldest = 0;
  /** Beats of the watch since anything was heard. */
  beatsOfSilence = 0;
  /** The statement answered last was a slow one. */
  wasSlow = false;
  /** How far its database had come when it was last asked (a mark); it only goes on from there. */
  reached: string | undefined;
  #isGathering = false;
  readonly #reachability: Reachability;

  constructor(client: Client, namesMax: number, reachability: Reachability) {
    this.client = client;
    this.#reachability = reachability;
    this.names = namesMax > 0 ? new StatementNames(namesMax) : undefined;
  }

  /** Its oldest statement runs for so long that nothing more should be put behind it. */
  get isSlow(): boolean {
    return this.beatsOfOldest >= SLOW_BEATS;
  }

  /** Sends a statement, behind those sent before. */
  send(order: Order, ended: Ended): void {
    this.#begin();
    this.client.query(new WireStatement(this, order, ended));
  }

  /** Runs one statement to its end. */
  async run<R>(statement: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters, query } = statement;
    // Raw SQL without parameters may hold several statements, which the extended protocol refuses.
    const isText = parameters.length === 0 && query.kind === 'RawNode' && !isBinary(statement);
    if (isText) return this.#runText<R>(sql);
    const order = orderOf(statement);
    const isInTransaction = this.client.getTransactionStatus() !== 'I';
    try {
      return await this.#runOne<R>(order);
    } catch (error) {
      // In a transaction nothing can be repeated: its error has ended it.
      if (isInTransaction || !isStale(error as Error)) throw error;
      return this.#runOne<R>({ ...order, isNameless: true });
    }
  }

  #runOne<R>(order: Order): Promise<QueryResult<R>> {
    return new Promise((resolve, reject) =>
      this.send(order, (error, result) =>
        error === undefined ? resolve(result as QueryResult<R>) : reject(error),
      ),
    );
  }

  /**
   * Runs statements in one transaction that commits at their end. Rejects with the error of the first that fails, and then
   * none has happened; with `ConnectionLostError`, and then nobody knows.
   */
  runTogether(orders: readonly Order[]): Promise<Outcome[]> {
    return new Promise((resolve, reject) => {
      this.#begin();
      const ended: BatchEnded = (error, outcomes) =>
        error === undefined ? resolve(outcomes) : reject(error);
      this.client.query(new WireBatch(this, orders, ended));
    });
  }

  /** Runs text by the simple protocol; answers the rows, or for COMMIT and ROLLBACK what has become of it. */
  async #runText<R>(sql: string): Promise<QueryResult<R>> {
    this.#begin();
    try {
      const { command, rowCount, rows } = await this.client.query(sql);
      if (command === 'COMMIT' || command === 'ROLLBACK') return { rows: [{ command }] as R[] };
      const isChange = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE';
      return { rows: rows ?? [], ...(isChange && { numAffectedRows: BigInt(rowCount ?? 0) }) };
    } catch (error) {
      throw asLoss(error as Error, error instanceof DatabaseError);
    } finally {
      this.answered();
    }
  }

  /** One beat of the watch; a session that has said nothing for `silenceMax` beats is cut. */
  beat(silenceMax: number): void {
    if (this.inFlight === 0) return;
    this.beatsOfOldest += 1;
    this.beatsOfSilence += 1;
    if (this.beatsOfSilence > silenceMax) this.cut('The database has not answered in time.');
  }

  /** Ends the connection at once: everything in flight fails. */
  cut(why: string): void {
    this.client.connection.stream.destroy(new ConnectionLostError(why));
  }

  /**
   * Everything written until the event loop has heard of all that arrived by now leaves in one system call: requests of
   * other callers come on other sockets, each with a turn of its own, and a system call costs more than a statement.
   */
  gatherWrites(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const { stream } = this.client.connection;
    stream.cork();
    setImmediate(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }

  heard(): void {
    this.beatsOfSilence = 0;
    this.#reachability.heard();
  }

  answered(): void {
    this.inFlight -= 1;
    this.wasSlow = this.isSlow;
    this.beatsOfOldest = 0;
    this.heard();
  }

  #begin(): void {
    if (this.inFlight === 0) {
      this.beatsOfOldest = 0;
      this.beatsOfSilence = 0;
    }
    this.inFlight += 1;
  }
}
