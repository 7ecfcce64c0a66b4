/** A statement that has ended, with or without an error. */
export interface EndedStatement {
  /** Its text, without its parameter values. */
  sql: string;
  /** From the call to the result, in milliseconds; of a short read with the wait for a connection. */
  durationMs: number;
  /** The error it failed with; absent if it succeeded. */
  error?: Error & { code?: unknown };
}

/** Called when a statement has ended, in the asynchronous context of the code that ran it. */
export type OnStatement = (statement: EndedStatement) => void;
