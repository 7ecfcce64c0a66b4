import type { QueryResult } from 'kysely';
import { ClientDisconnectedError, ConnectionLostError } from '../errors.ts';
import { type EncodedStatement, isStalePlan } from '../protocol/statement.ts';
import type { LsnCheck, RunOptions } from '../types.ts';

type OnSettled = (error: Error | undefined, result: QueryResult<unknown>) => void;

/** A read that its caller waits for. It may be in flight on several connections; the first result counts. */
export class PipelinedQuery {
  /** Replaced by one without a name if the prepared statement was stale. */
  statement: EncodedStatement;
  readonly lsnCheck: LsnCheck | undefined;
  readonly caller: string | undefined;
  readonly #isDisconnected: (() => boolean) | undefined;
  readonly #onSettled: OnSettled;
  /** Answered, failed, or abandoned by its caller. */
  isSettled = false;
  /** The number of connections it is in flight on. */
  attempts = 0;
  /** The tick at which it began to wait, in the queue or in flight. */
  waitingSinceTick = 0;
  /** It was sent a second time because it was behind a slow statement (a hedged request). */
  isHedged = false;
  #mayRetry: boolean;

  constructor(
    statement: EncodedStatement,
    { lsnCheck, isRetryable = true, isDisconnected, caller }: Omit<RunOptions, 'signal'>,
    onSettled: OnSettled,
  ) {
    this.statement = statement;
    this.lsnCheck = lsnCheck;
    this.caller = caller;
    this.#isDisconnected = isDisconnected;
    this.#mayRetry = isRetryable;
    this.#onSettled = onSettled;
  }

  /** Rejects it if its client has disconnected. */
  checkDisconnected(): void {
    if (!this.isSettled && this.#isDisconnected?.()) this.settle(new ClientDisconnectedError());
  }

  settle(error: Error | undefined, result: QueryResult<unknown> = { rows: [] }): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.#onSettled(error, result);
  }

  /** Whether to send it again after this error: once for a lost connection, and once for a stale prepared statement. */
  takeRetry(error: Error): boolean {
    if (isStalePlan(error) && !this.statement.isUnnamed) {
      this.statement = { ...this.statement, isUnnamed: true };
      return true;
    }
    if (!(error instanceof ConnectionLostError) || !this.#mayRetry) return false;
    this.#mayRetry = false;
    return true;
  }
}
