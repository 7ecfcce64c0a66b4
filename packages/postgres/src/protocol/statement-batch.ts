import type { QueryResult } from 'kysely';
import { type Connection, DatabaseError, Query, type Submittable } from 'pg';
import { asLoss } from '../errors.ts';
import type { RowMessage } from './data-row-parser.ts';
import type { Session } from './session.ts';
import { type Fields, type Order, StatementPart } from './statement.ts';

/** What came of one statement of a batch that was committed; `broken` where its rows could not be read. */
export interface Outcome {
  result: QueryResult<unknown>;
  broken: Error | undefined;
}

/** Told once how a batch ended: with what came of all, or with the error for which nothing of it has happened. */
export type BatchEnded = (error: Error | undefined, outcomes: Outcome[]) => void;

/**
 * Statements on their way over one connection with one sync, and so in one transaction: PostgreSQL commits all of them at
 * the end, or rolls back all of them after the first error and runs none of the rest.
 */
export class WireBatch implements Submittable {
  readonly #session: Session;
  readonly #parts: StatementPart[];
  readonly #ended: BatchEnded;
  #done = 0;
  #isOver = false;

  constructor(session: Session, orders: readonly Order[], ended: BatchEnded) {
    this.#session = session;
    this.#parts = orders.map((order) => new StatementPart(session, order));
    this.#ended = ended;
  }

  submit(connection: Connection): null {
    this.#session.gatherWrites();
    for (const part of this.#parts) part.send(connection);
    connection.sync();
    return null;
  }

  handleRowDescription(message: Fields): void {
    this.#parts[this.#done]?.takeColumns(message);
  }

  handleDataRow(message: RowMessage): void {
    this.#parts[this.#done]?.takeRow(message);
  }

  handleCommandComplete(message: { text: string }): void {
    this.#parts[this.#done]?.takeCommand(message);
    this.#done += 1;
  }

  handleEmptyQuery(): void {
    this.#done += 1;
  }

  handleReadyForQuery(): void {
    this.#end(
      undefined,
      this.#parts.map(({ result, broken }) => ({ result, broken })),
    );
  }

  handleError(error: Error): void {
    for (const part of this.#parts) part.failed(error);
    this.#end(asLoss(error, error instanceof DatabaseError), []);
  }

  #end(error: Error | undefined, outcomes: Outcome[]): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#session.answered();
    this.#ended(error, outcomes);
  }
}

// node-postgres takes only instances of its Query where it sends statements ahead.
Object.setPrototypeOf(WireBatch.prototype, Query.prototype);
