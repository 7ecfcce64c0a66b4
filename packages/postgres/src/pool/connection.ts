import type { AbortableOperationOptions, CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { PoolClient } from 'pg';
import { ConnectionLostError } from '../errors.ts';
import { cancelRequest } from '../protocol/cancel-request.ts';
import type { Session } from '../protocol/session.ts';
import type { EncodedStatement } from '../protocol/statement.ts';
import type { BatchResult } from '../protocol/statement-batch.ts';
import { SQLSTATE } from '../sqlstate.ts';
import type { OnStatement } from '../types.ts';

interface Lease {
  client: PoolClient;
  session: Session;
  onStatement: OnStatement | undefined;
  onRelease: () => void;
}

/** A connection that one caller holds, from `acquireConnection` to `releaseConnection`. */
export class DedicatedConnection implements DatabaseConnection {
  readonly #lease: Lease;
  #running: Promise<unknown> | undefined;
  #cancelling: Promise<unknown> | undefined;
  /** Why no statement can run on it any more. */
  #discarded: Error | undefined;
  /** Its server accepts no writes any more. */
  #isReadOnly = false;

  constructor(lease: Lease) {
    this.#lease = lease;
  }

  /** Runs a statement. If it is aborted it is cancelled on the server, and its result is dropped. */
  async executeQuery<R>(
    query: CompiledQuery,
    { signal }: AbortableOperationOptions = {},
  ): Promise<QueryResult<R>> {
    if (this.#cancelling !== undefined) await this.#cancelling;
    if (this.#discarded !== undefined) throw this.#discarded;
    const onAbort = signal && (() => this.cancelQuery());
    if (onAbort) signal.addEventListener('abort', onAbort, { once: true });
    const startedMs = performance.now();
    const running = this.#lease.session.run<R>(query);
    this.#running = running;
    let failure: Error | undefined;
    try {
      return await running;
    } catch (error) {
      failure = error as Error;
      this.#inspect(failure);
      // Kysely has already rejected with the reason of the abort, and would log an unhandled error.
      if (signal?.aborted) return { rows: [] };
      throw error;
    } finally {
      this.#running = undefined;
      if (onAbort) signal.removeEventListener('abort', onAbort);
      const durationMs = performance.now() - startedMs;
      this.#lease.onStatement?.({ sql: query.sql, durationMs, ...(failure && { error: failure }) });
    }
  }

  /** Runs statements in one transaction (`Session.runBatch`). */
  async runBatch(statements: readonly EncodedStatement[]): Promise<BatchResult[]> {
    try {
      return await this.#lease.session.runBatch(statements);
    } catch (error) {
      this.#inspect(error as Error);
      throw error;
    }
  }

  /** Records if an error shows that the next caller cannot use the connection. */
  #inspect(failure: Error & { code?: unknown }): void {
    // The pool may not have noticed yet, and would hand it out again.
    if (failure instanceof ConnectionLostError) this.discard(failure);
    if (failure.code === SQLSTATE.readOnlySqlTransaction) this.#isReadOnly = true;
  }

  /** Cancels the running statement on the server. The next statement waits until the request has been delivered. */
  async cancelQuery(): Promise<void> {
    if (this.#running === undefined) return;
    this.#cancelling ??= Promise.allSettled([cancelRequest(this.#lease.client), this.#running]).then(() => {
      this.#cancelling = undefined;
    });
    await this.#cancelling;
  }

  /** Required by Kysely. Streaming needs a cursor, which this driver does not support. */
  // biome-ignore lint/correctness/useYield: there is nothing to yield.
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('Streaming is not supported. Read the result in pages.');
  }

  /** Rejects further statements with this error, and closes the connection on release. */
  discard(why: Error): void {
    this.#discarded ??= why;
  }

  async release(): Promise<void> {
    if (this.#cancelling !== undefined) await this.#cancelling;
    this.#lease.client.release(this.#discarded !== undefined || this.#isReadOnly);
    this.#lease.onRelease();
  }
}
