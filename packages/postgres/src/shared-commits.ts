import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type QueryResult } from 'kysely';
import { ConnectionLostError } from './errors.ts';
import type { Pipeline, SharedSession } from './pipeline.ts';
import { codeOf, SQLSTATE } from './sqlstate.ts';

const CHANGES_MAX = 32;
/** More at a time would each have fewer changes, and so more commits. */
const TRANSACTIONS_MAX = 2;
/** The longest wait for a lock on a shared connection. */
export const SHORT_LOCK_MS = 100;
/** After a change has failed, those of the same caller run apart for this time, so that bad requests can't slow others down. */
const APART_MS = 100;
/** The attempts to commit a change with others. */
const ATTEMPTS_MAX = 2;

const begin = CompiledQuery.raw('begin');
const commit = CompiledQuery.raw('commit');

/** The errors of a change on a shared connection that it may not have on one for itself. */
const errorsOfSharing: ReadonlySet<string | undefined> = new Set([
  SQLSTATE.lockNotAvailable,
  SQLSTATE.deadlockDetected,
  SQLSTATE.invalidSqlStatementName,
]);

/** Each function runs in the asynchronous context of the code that makes the change. */
interface Change {
  caller: string | undefined;
  /** Number of times it was sent with others. */
  attempts: number;
  /** Sends it, and returns the function that returns its result once it is committed. */
  send: (session: SharedSession) => Promise<() => void>;
  /** Runs it on a connection for itself, to its result or its error. */
  runApart: () => Promise<void>;
  reject: (error: unknown) => void;
}

/**
 * Runs changes that are made at the same time in one transaction, so that they share a commit: for one change, waiting for the disk and
 * waking processes costs as much as the change itself. If one of them fails, all are rolled back: it runs apart, on a connection for itself,
 * and so do the next ones of its caller; the others are made together again.
 */
export class SharedCommits {
  readonly #lane: Pipeline;
  /** Calls a function in the asynchronous context of no request. */
  readonly #ofNone = AsyncLocalStorage.snapshot();
  readonly #waiting: Change[] = [];
  #running = 0;
  #isDue = false;
  /** The callers whose changes run apart, each with the number of reasons. */
  readonly #apart = new Map<string | undefined, number>();

  constructor(lane: Pipeline) {
    this.#lane = lane;
  }

  /**
   * Runs a change.
   * @param runAlone runs it in a transaction and on a connection of its own
   * @throws what `runAlone` throws; ConnectionLostError
   */
  run<Row>(
    query: CompiledQuery,
    { caller, runAlone }: { caller: string | undefined; runAlone: () => Promise<QueryResult<Row>> },
  ): Promise<QueryResult<Row>> {
    const runApart = () =>
      runAlone().catch((error) => {
        this.#keepApart(caller);
        throw error;
      });
    if (this.#apart.has(caller)) return runApart();
    return new Promise((resolve, reject) => {
      const inContext = AsyncLocalStorage.snapshot();
      this.#waiting.push({
        caller,
        attempts: 0,
        send: async (session) => {
          const result = await inContext(() => session.executeQuery<Row>(query));
          return () => resolve(result);
        },
        runApart: () => inContext(runApart).then(resolve, reject),
        reject,
      });
      this.#startSoon();
    });
  }

  /** Lets the changes of a caller run apart until one that failed has run, and for a while after it. */
  #keepApart(caller: string | undefined, running = Promise.resolve()): void {
    const count = (by: 1 | -1) => {
      const reasons = (this.#apart.get(caller) ?? 0) + by;
      if (reasons === 0) this.#apart.delete(caller);
      else this.#apart.set(caller, reasons);
    };
    count(1);
    void running.then(() => setTimeout(count, APART_MS, -1).unref());
  }

  /** When all requests that have arrived by now have made their changes. */
  #startSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#start();
    });
  }

  #start(): void {
    while (this.#waiting.length > 0 && this.#running < TRANSACTIONS_MAX) {
      const session = this.#lane.findSession(undefined);
      const changes = this.#waiting.splice(0, CHANGES_MAX);
      if (session === undefined) for (const { runApart } of changes) void runApart();
      else void this.#run(changes, session);
    }
  }

  async #run(changes: Change[], session: SharedSession): Promise<void> {
    this.#running += 1;
    const [only, second] = changes;
    await (only !== undefined && second === undefined
      ? this.#runOne(only, session)
      : this.#runTogether(changes, session));
    this.#running -= 1;
    this.#start();
  }

  /** PostgreSQL commits it by itself. */
  async #runOne(change: Change, session: SharedSession): Promise<void> {
    try {
      (await change.send(session))();
    } catch (error) {
      const isOfSharing = errorsOfSharing.has(codeOf(error));
      if (!isOfSharing) change.reject(error);
      this.#keepApart(change.caller, isOfSharing ? change.runApart() : undefined);
    }
  }

  async #runTogether(changes: Change[], session: SharedSession): Promise<void> {
    // All are sent at once, so that nothing of others comes between them.
    const began = this.#ofNone(() => session.executeQuery(begin));
    const sent = changes.map(({ send }) => send(session));
    const committing = this.#ofNone(() => session.executeQuery<{ command: string }>(commit));
    const [, ended, ...results] = await Promise.allSettled([began, committing, ...sent]);
    if (ended.status === 'rejected' && ended.reason instanceof ConnectionLostError)
      for (const { reject } of changes) reject(ended.reason);
    // PostgreSQL ends a transaction in which a statement has failed with ROLLBACK.
    else if (ended.status === 'fulfilled' && ended.value.rows[0]?.command === 'COMMIT')
      results.forEach((result, at) => {
        if (result.status === 'fulfilled') result.value();
        else changes[at]?.reject(result.reason);
      });
    else this.#shareAgain(changes, results);
  }

  /** Nothing is committed: the change that has failed runs apart, the others together. At the commit it is unknown which one failed. */
  #shareAgain(changes: Change[], results: PromiseSettledResult<unknown>[]): void {
    const isCause = (result: PromiseSettledResult<unknown>) =>
      result.status === 'rejected' && codeOf(result.reason) !== SQLSTATE.inFailedSqlTransaction;
    const failed = changes[results.findIndex(isCause)];
    if (failed !== undefined) this.#keepApart(failed.caller, failed.runApart());
    const others: Change[] = [];
    for (const change of changes) {
      change.attempts += 1;
      if (change === failed) continue;
      if (failed !== undefined && change.attempts < ATTEMPTS_MAX && !this.#apart.has(change.caller))
        others.push(change);
      else void change.runApart();
    }
    this.#waiting.unshift(...others);
  }
}
