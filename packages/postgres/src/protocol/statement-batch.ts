import type { QueryResult } from 'kysely';
import { type Connection, DatabaseError, type Submittable } from 'pg';
import Query from 'pg/lib/query.js';
import { toConnectionError } from '../errors.ts';
import type { DataRow } from './data-row-parser.ts';
import {
  type EncodedStatement,
  type RowDescription,
  StatementExchange,
  type StatementHost,
} from './statement.ts';

/** The result of one statement of a batch that was committed; `rowError` if its rows could not be converted. */
export interface BatchResult {
  result: QueryResult<unknown>;
  rowError: Error | undefined;
}

/** Called once when a batch has ended: with an error if it was rolled back, else with the results in order. */
export type OnBatchEnded = (error: Error | undefined, results: BatchResult[]) => void;

/**
 * Several statements with one Sync, and so in one transaction: PostgreSQL commits all of them at the Sync, or rolls them
 * back at the first error and skips the rest. A subclass of `Query` for the same reason as `StatementQuery`.
 */
export class BatchQuery extends Query implements Submittable {
  readonly #host: StatementHost;
  readonly #exchanges: StatementExchange[];
  readonly #onEnded: OnBatchEnded;
  #completed = 0;
  #hasEnded = false;

  constructor(host: StatementHost, statements: readonly EncodedStatement[], onEnded: OnBatchEnded) {
    super('');
    this.#host = host;
    this.#exchanges = statements.map((statement) => new StatementExchange(host, statement));
    this.#onEnded = onEnded;
  }

  submit(connection: Connection): null {
    this.#host.corkWrites();
    for (const exchange of this.#exchanges) exchange.send(connection);
    connection.sync();
    return null;
  }

  handleRowDescription(message: RowDescription): void {
    this.#exchanges[this.#completed]?.onRowDescription(message);
  }

  handleDataRow(message: DataRow): void {
    this.#exchanges[this.#completed]?.onDataRow(message);
  }

  handleCommandComplete(message: { text: string }): void {
    this.#exchanges[this.#completed]?.onCommandComplete(message);
    this.#completed += 1;
  }

  handleEmptyQuery(): void {
    this.#completed += 1;
  }

  handleReadyForQuery(): void {
    this.#end(
      undefined,
      this.#exchanges.map(({ result, rowError }) => ({ result, rowError })),
    );
  }

  handleError(error: Error): void {
    for (const exchange of this.#exchanges) exchange.onError(error);
    this.#end(toConnectionError(error, error instanceof DatabaseError), []);
  }

  #end(error: Error | undefined, results: BatchResult[]): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#host.statementEnded();
    this.#onEnded(error, results);
  }
}
