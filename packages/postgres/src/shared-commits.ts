import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type QueryResult } from 'kysely';
import { ConnectionLostError } from './errors.ts';
import type { Pipeline, SharedSession } from './pipeline.ts';

const CHANGES_MAX = 16;
/** A change that waits longer for a lock is not short: it runs alone, and so do the others. */
const LOCK_MS = 100;
/** After changes that could not share a commit, the next ones run alone for this time, so that bad requests can't slow all down. */
const PAUSE_MS = 100;

const begin = CompiledQuery.raw(`begin; set local lock_timeout = ${LOCK_MS}`);
const commit = CompiledQuery.raw('commit');

/** Each function runs in the asynchronous context of the code that makes the change. */
interface Change {
  /** Sends it, and returns the function that returns its result once it is committed. */
  send: (session: SharedSession) => Promise<() => void>;
  runAlone: () => void;
  reject: (error: unknown) => void;
}

/**
 * Runs changes that are made at the same time in one transaction, so that they share a commit: for one change, waiting for the disk and
 * waking processes costs as much as the change itself. If any of them fails, all are rolled back, and each runs alone.
 */
export class SharedCommits {
  readonly #lane: Pipeline;
  readonly #transactionsMax: number;
  /** Calls a function in the asynchronous context of no request. */
  readonly #ofNone = AsyncLocalStorage.snapshot();
  readonly #waiting: Change[] = [];
  #running = 0;
  #isDue = false;
  #aloneUntilMs = 0;

  /** @param transactionsMax transactions at a time */
  constructor(lane: Pipeline, transactionsMax: number) {
    this.#lane = lane;
    this.#transactionsMax = transactionsMax;
  }

  /**
   * Runs a change.
   * @param runAlone runs it in a transaction and on a connection of its own
   * @throws what `runAlone` throws; ConnectionLostError
   */
  run<Row>(query: CompiledQuery, runAlone: () => Promise<QueryResult<Row>>): Promise<QueryResult<Row>> {
    if (performance.now() < this.#aloneUntilMs) return runAlone();
    return new Promise((resolve, reject) => {
      const inContext = AsyncLocalStorage.snapshot();
      this.#waiting.push({
        send: async (session) => {
          const result = await inContext(() => session.executeFor<Row>(undefined, query));
          return () => resolve(result);
        },
        runAlone: () => inContext(runAlone).then(resolve, reject),
        reject,
      });
      this.#startSoon();
    });
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
    while (this.#waiting.length > 0 && this.#running < this.#transactionsMax) {
      const changes = this.#waiting.splice(0, CHANGES_MAX);
      const session = changes.length > 1 ? this.#lane.findSession(undefined) : undefined;
      if (session === undefined) for (const { runAlone } of changes) runAlone();
      else void this.#runTogether(changes, session);
    }
  }

  async #runTogether(changes: Change[], session: SharedSession): Promise<void> {
    this.#running += 1;
    // All are sent at once, so that nothing of others comes between them.
    const began = this.#ofNone(() => session.executeFor(undefined, begin));
    const sent = changes.map(({ send }) => send(session));
    const committing = this.#ofNone(() => session.executeFor<{ command: string }>(undefined, commit));
    const [, ended, ...results] = await Promise.allSettled([began, committing, ...sent]);
    this.#running -= 1;
    if (ended.status === 'rejected' && ended.reason instanceof ConnectionLostError)
      for (const { reject } of changes) reject(ended.reason);
    // PostgreSQL ends a transaction in which a statement has failed with ROLLBACK.
    else if (ended.status === 'fulfilled' && ended.value.rows[0]?.command === 'COMMIT')
      results.forEach((result, at) => {
        if (result.status === 'fulfilled') result.value();
        else changes[at]?.reject(result.reason);
      });
    else {
      this.#aloneUntilMs = performance.now() + PAUSE_MS;
      for (const { runAlone } of changes) runAlone();
    }
    this.#start();
  }
}
