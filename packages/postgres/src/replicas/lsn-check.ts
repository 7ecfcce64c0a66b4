import type { QueryResult } from 'kysely';
import { BehindError } from '../errors.ts';
import type { Session } from '../protocol/session.ts';
import { type Ended, type Order, orderOf } from '../protocol/statement.ts';

/** A statement that says how far a database has come, to be sent around others on the same connection. */
export interface Mark {
  sql: string;
  /** What its row says; undefined where the database is none that counts. Of two, the greater is the later. */
  read(row: unknown): string | undefined;
}

export interface Marked {
  mark: Mark;
  /** How far the database must have come before the statement runs; anywhere unless given. */
  after?: string | undefined;
}

/** An answer, and how far the database had come when it was given: it shows nothing later. */
export type MarkedResult<Row> = QueryResult<Row> & { reached?: string | undefined };

/**
 * Sends a statement with marks around it. A connection's statements run in their order and its database only moves
 * forward, so what a mark before says holds for the statement, and the statement has seen nothing that comes after what
 * the mark behind it says. The mark before is left out where an earlier one on this connection says enough.
 *
 * Ends with BehindError where the database had not come so far; then the answer is worth nothing.
 */
export function sendMarked(
  session: Session,
  { order, marked: { mark, after } }: { order: Order; marked: Marked },
  ended: Ended,
): void {
  const look = orderOf({ sql: mark.sql, parameters: [] });
  let refusal: Error | undefined;
  let answer: QueryResult<unknown> = { rows: [] };
  const learn = (error: Error | undefined, { rows: [row] }: QueryResult<unknown>) => {
    session.reached = error === undefined ? mark.read(row) : undefined;
    return session.reached;
  };
  if (after !== undefined && !isReached(session.reached, after)) {
    session.send(look, (error, result) => {
      const isFarEnough = isReached(learn(error, result), after);
      refusal = error ?? (isFarEnough ? undefined : new BehindError());
    });
  }
  session.send(order, (error, result) => {
    refusal ??= error;
    answer = result;
  });
  session.send(look, (error, result) => {
    const reached = learn(error, result);
    const whole: MarkedResult<unknown> = { ...answer, reached };
    ended(refusal ?? error, whole);
  });
}

function isReached(reached: string | undefined, after: string): boolean {
  return reached !== undefined && reached >= after;
}
