import type { QueryResult } from 'kysely';
import { CallerLeftError, ConnectionLostError } from '../errors.ts';
import type { Order, Wire } from '../protocol/statement.ts';
import type { Marked } from '../replicas/lsn-check.ts';
import type { RunOptions } from './pool.ts';

/** A read somebody waits for. It may be under way on more than one connection; the first answer counts. */
export class Job implements Order {
  readonly sql: string;
  readonly values: Wire;
  readonly isBinary: boolean;
  /** The marks to be sent around it. */
  readonly marked: Marked | undefined;
  /** For whom it is, where that is known. */
  readonly caller: string | undefined;
  readonly #onSettled: (error: Error | undefined, result: QueryResult<unknown>) => void;
  /** Nobody waits any more: answered, failed or aborted. */
  isSettled = false;
  /** The connections it is under way on. */
  attempts = 0;
  /** The beat of the watch at which it began to wait for its turn on a connection. */
  sinceBeat = 0;
  /** It has been sent a second time because it stood behind a slow statement. */
  isRescued = false;
  isNameless = false;
  readonly #hasLeft: (() => boolean) | undefined;
  #hasLostConnection: boolean;

  constructor(
    { sql, values, isBinary }: Order,
    { marked, isRepeatable = true, hasLeft, caller }: Omit<RunOptions, 'signal'>,
    onSettled: (error: Error | undefined, result: QueryResult<unknown>) => void,
  ) {
    this.sql = sql;
    this.values = values;
    this.isBinary = isBinary;
    this.marked = marked;
    this.caller = caller;
    this.#hasLostConnection = !isRepeatable;
    this.#onSettled = onSettled;
    this.#hasLeft = hasLeft;
  }

  /** Settles it where whoever asked has left meanwhile. */
  dropIfLeft(): void {
    if (!this.isSettled && this.#hasLeft?.()) this.settle(new CallerLeftError());
  }

  settle(error: Error | undefined, result: QueryResult<unknown> = { rows: [] }): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.#onSettled(error, result);
  }

  /** Whether it may be sent again after this error: once for a lost connection, once for a name that was not parsed. */
  mayRepeat(error: Error, isStale: boolean): boolean {
    if (isStale && !this.isNameless) {
      this.isNameless = true;
      return true;
    }
    if (!(error instanceof ConnectionLostError) || this.#hasLostConnection) return false;
    this.#hasLostConnection = true;
    return true;
  }
}
