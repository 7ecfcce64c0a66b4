import type { AbortableOperationOptions, CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { PoolClient } from 'pg';
import type { OnStatement } from '../create-kysely.ts';
import { ConnectionLostError } from '../errors.ts';
import { cancelRunning } from '../protocol/cancel-request.ts';
import type { Session } from '../protocol/session.ts';
import type { Order } from '../protocol/statement.ts';
import type { Outcome } from '../protocol/statement-batch.ts';
import { SQLSTATE } from '../sqlstate.ts';

interface Lent {
  client: PoolClient;
  session: Session;
  onStatement: OnStatement | undefined;
  onRelease: () => void;
}

/** A connection of one caller alone, as Kysely drives it, from `acquireConnection` to `releaseConnection`. */
export class ExclusiveConnection implements DatabaseConnection {
  readonly #lent: Lent;
  #running: Promise<unknown> | undefined;
  #cancelling: Promise<unknown> | undefined;
  #unusable: Error | undefined;
  #isOutdated = false;

  constructor(lent: Lent) {
    this.#lent = lent;
  }

  /** Runs a statement. An abort cancels it on the server, and its answer, whatever it is, is nobody's any more. */
  async executeQuery<R>(
    query: CompiledQuery,
    { signal }: AbortableOperationOptions = {},
  ): Promise<QueryResult<R>> {
    if (this.#cancelling !== undefined) await this.#cancelling;
    if (this.#unusable !== undefined) throw this.#unusable;
    const onAbort = signal && (() => this.cancelQuery());
    if (onAbort) signal.addEventListener('abort', onAbort, { once: true });
    const startedMs = performance.now();
    const running = this.#lent.session.run<R>(query);
    this.#running = running;
    let failure: Error | undefined;
    try {
      return await running;
    } catch (error) {
      failure = error as Error;
      this.#judge(failure);
      // Kysely has told the caller of the abort already, and would print what nobody waits for.
      if (signal?.aborted) return { rows: [] };
      throw error;
    } finally {
      this.#running = undefined;
      if (onAbort) signal.removeEventListener('abort', onAbort);
      const durationMs = performance.now() - startedMs;
      this.#lent.onStatement?.({ sql: query.sql, durationMs, ...(failure && { error: failure }) });
    }
  }

  /** Runs statements that share a commit (`Session.runTogether`). */
  async runTogether(orders: readonly Order[]): Promise<Outcome[]> {
    try {
      return await this.#lent.session.runTogether(orders);
    } catch (error) {
      this.#judge(error as Error);
      throw error;
    }
  }

  /** Whether the connection is any use to the next caller after this. */
  #judge(failure: Error & { code?: unknown }): void {
    // The pool may not have heard of it yet, and would lend it to the next.
    if (failure instanceof ConnectionLostError) this.discard(failure);
    // A server that takes no writes any more is no use to the next caller either.
    if (failure.code === SQLSTATE.readOnlySqlTransaction) this.#isOutdated = true;
  }

  /** Cancels what is running on the server. Nothing else is sent here before the request has been delivered. */
  async cancelQuery(): Promise<void> {
    if (this.#running === undefined) return;
    this.#cancelling ??= Promise.allSettled([cancelRunning(this.#lent.client), this.#running]).then(() => {
      this.#cancelling = undefined;
    });
    await this.#cancelling;
  }

  /** Kysely asks for it; reading a result piece by piece needs a cursor, which this driver does not offer. */
  // biome-ignore lint/correctness/useYield: there is nothing to yield.
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('streaming is not supported: read pages');
  }

  /** Not to be used again, for this reason. */
  discard(why: Error): void {
    this.#unusable ??= why;
  }

  async release(): Promise<void> {
    if (this.#cancelling !== undefined) await this.#cancelling;
    this.#lent.client.release(this.#unusable !== undefined || this.#isOutdated);
    this.#lent.onRelease();
  }
}
