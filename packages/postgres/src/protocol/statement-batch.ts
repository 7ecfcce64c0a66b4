import type { QueryResult } from 'kysely';
import type { Connection } from 'pg';
import {
  type EncodedStatement,
  noRows,
  StatementExchange,
  type StatementHost,
  StatementQuery,
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
 * back at the first error and skips the rest.
 */
export class BatchQuery extends StatementQuery {
  readonly #exchanges: readonly StatementExchange[];

  constructor(host: StatementHost, statements: readonly EncodedStatement[], onEnded: OnBatchEnded) {
    const exchanges = statements.map((statement) => new StatementExchange(host, statement));
    super(host, exchanges[0] as StatementExchange, (error) =>
      onEnded(error, error === undefined ? exchanges : []),
    );
    this.#exchanges = exchanges;
  }

  protected override send(connection: Connection): void {
    for (const exchange of this.#exchanges) exchange.send(connection);
  }

  override handleCommandComplete(message: { text: string }): void {
    super.handleCommandComplete(message);
    this.#next();
  }

  override handleEmptyQuery(): void {
    this.#next();
  }

  /** Expects the messages of the next statement. */
  #next(): void {
    this.exchange = this.#exchanges[this.#exchanges.indexOf(this.exchange) + 1] ?? this.exchange;
  }

  override handleReadyForQuery(): void {
    this.end(undefined, noRows);
  }

  override handleError(error: Error): void {
    for (const exchange of this.#exchanges) if (exchange !== this.exchange) exchange.onError(error);
    super.handleError(error);
  }
}
