import type { QueryResult } from 'kysely';
import type { Statement } from './query-hints.ts';

/** A statement that has completed, with or without an error. */
export interface EndedStatement {
  /** Its text, without its parameter values. */
  sql: string;
  /** From the call to the result, including the wait in a queue, in milliseconds. */
  durationMs: number;
  /** The error it failed with; absent if it succeeded. */
  error?: Error & { code?: unknown };
}

/** Called when a statement has completed, in the asynchronous context of the code that ran it. */
export type OnStatement = (statement: EndedStatement) => void;

/** On whose behalf statements run. */
export interface CallerOptions {
  /**
   * Whether the client has disconnected. Polled while a read waits or runs; an event listener for each statement would
   * cost more than many a read.
   */
  isDisconnected?: (() => boolean) | undefined;
  /** Identifies the caller, to limit how many connections its slow reads may hold (`SlowReadLimit`). */
  caller?: string | undefined;
}

/** A statement that returns the LSN of the server, or a text that is ordered like it. */
export interface LsnProbe {
  sql: string;
  /** The position in its row, ordered as text; undefined if the server is not one to compare with. */
  read(row: unknown): string | undefined;
}

/** Runs a probe around a statement. */
export interface LsnCheck {
  probe: LsnProbe;
  /** The position that the server must have replayed before the statement runs; none unless given. */
  minLsn?: string | undefined;
}

export interface RunOptions extends CallerOptions {
  signal?: AbortSignal | undefined;
  /** Fails with `ReplicaBehindError` if the server has not replayed `minLsn`. */
  lsnCheck?: LsnCheck;
  /** Whether it is sent again if its connection breaks; true by default. */
  isRetryable?: boolean;
}

/** A result, and a position that includes everything the statement can have seen; absent without an LSN check. */
export type ReadResult<Row> = QueryResult<Row> & { lsn?: string | undefined };

/** Runs read-only statements outside transactions. */
export interface ReadExecutor {
  run<R>(statement: Statement, options?: RunOptions): Promise<ReadResult<R>>;
}
