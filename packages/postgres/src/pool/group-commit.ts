import { setTimeout as wait } from 'node:timers/promises';
import type { CompiledQuery, QueryResult } from 'kysely';
import { ConnectionLostError, OverloadedError } from '../errors.ts';
import { type EncodedStatement, encode } from '../protocol/statement.ts';
import { codeOf, SQLSTATE } from '../sqlstate.ts';
import type { DedicatedConnection } from './connection.ts';
import type { DedicatedPool } from './pool.ts';

interface GroupCommitOptions {
  pool: DedicatedPool;
  /** Connections it may use at once. */
  connectionsMax: number;
  /** Statements that wait for a connection at most. */
  waitingMax: number;
  /** The longest wait of a statement for a connection; 0 for no limit. */
  waitMs: number;
}

/** A write that its caller waits for. */
interface PendingWrite {
  query: CompiledQuery;
  statement: EncodedStatement;
  queuedMs: number;
  resolve: (result: QueryResult<unknown>) => void;
  reject: (error: unknown) => void;
}

/** Statements in one transaction at most. With more, the commit is only a small part of the cost of each. */
const BATCH_SIZE_MAX = 16;

/** Connections in use at once, while no write waits for long: with more of them, fewer writes share a commit. */
const CONNECTIONS_USUAL = 3;

/**
 * The longest wait of a statement of a batch for a lock, in milliseconds. If it has to wait longer the batch is rolled back and
 * the statement runs alone, so that the others do not wait for it, and batches do not deadlock for long.
 */
const LOCK_TIMEOUT_MS = 100;
/** The number of times that a statement runs which PostgreSQL ends because of a deadlock. */
const ATTEMPTS_MAX = 3;
/**
 * The pause before the second of these attempts; twice as long before the third. PostgreSQL gives a lock that was released to whoever
 * asks first, which is not always who waits for it: a statement that ran again at once could close the same circle again.
 */
const DEADLOCK_PAUSE_MS = 100;
/** A write that has waited for so long gets one of the further connections: the usual ones may be waiting for locks. */
const PATIENCE_MS = LOCK_TIMEOUT_MS;
const setShortLockTimeout = encode({
  sql: "select set_config('lock_timeout', $1, true)",
  parameters: [String(LOCK_TIMEOUT_MS)],
});

/**
 * Runs a statement in a transaction of its own. One that PostgreSQL has ended because of a deadlock has changed nothing and runs again,
 * after those that it met.
 */
async function runSingly(
  connection: DedicatedConnection,
  query: CompiledQuery,
): Promise<QueryResult<unknown>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connection.executeQuery(query);
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || codeOf(error) !== SQLSTATE.deadlockDetected) throw error;
      await wait(DEADLOCK_PAUSE_MS * attempt);
    }
  }
}

/**
 * Group commit of single statements that write. While a connection is free, each runs in a transaction of its own. Those
 * that arrive while all connections are busy run in the order of arrival, several in one transaction, because a commit
 * costs PostgreSQL as much as changing a row, and its disk far more. If one of them fails, the transaction is rolled back
 * and each runs again alone, so no caller sees the error of another.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #queue: PendingWrite[] = [];
  /** Connections that were requested and have not arrived. */
  #requested = 0;
  /** Connections in use. */
  #inUse = 0;
  /** Writes that have left the queue and have not ended. */
  #inProgress = 0;
  /** Halved when a batch fails; increased by one when a statement or a batch succeeds. */
  #batchSize = BATCH_SIZE_MAX;
  #onDrained: (() => void) | undefined;
  #isClosed = false;
  /** Runs while writes wait and the usual connections are in use. */
  #patience: NodeJS.Timeout | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /**
   * Runs a write, alone or in a batch.
   * @throws OverloadedError, ConnectionLostError as `DedicatedPool.acquire`; the error of PostgreSQL
   */
  async run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isClosed) throw new Error('driver has already been destroyed');
    if (this.#queue.length >= this.#options.waitingMax) {
      throw new OverloadedError(`${this.#queue.length} statements are already waiting for a connection.`);
    }
    const statement = encode(query);
    return new Promise((resolve, reject) => {
      const queuedMs = performance.now();
      this.#queue.push({
        query,
        statement,
        queuedMs,
        resolve: resolve as PendingWrite['resolve'],
        reject,
      });
      this.#requestConnections();
    });
  }

  /** Writes in the queue, except those for which a connection was requested: the pool counts these. */
  get waiting(): number {
    return Math.max(0, this.#queue.length - this.#requested);
  }

  /** Accepts no further writes, and waits for those in progress. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#queue.length + this.#inProgress === 0) return;
    await new Promise<void>((resolve) => {
      this.#onDrained = resolve;
    });
  }

  #requestConnections(): void {
    const { connectionsMax } = this.#options;
    const [oldest] = this.#queue;
    const isWaitingLong = oldest !== undefined && performance.now() - oldest.queuedMs >= PATIENCE_MS;
    const usable = isWaitingLong ? connectionsMax : Math.min(CONNECTIONS_USUAL, connectionsMax);
    const free = usable - this.#inUse - this.#requested;
    const needed = Math.min(free, this.#queue.length - this.#requested);
    if (needed < this.#queue.length - this.#requested) this.#requestLater();
    for (let count = 0; count < needed; count += 1) {
      this.#requested += 1;
      void this.#runNext();
    }
  }

  #requestLater(): void {
    this.#patience ??= setTimeout(() => {
      this.#patience = undefined;
      this.#requestConnections();
    }, PATIENCE_MS).unref();
  }

  async #runNext(): Promise<void> {
    let connection: DedicatedConnection;
    try {
      connection = await this.#options.pool.acquire({ isReported: false });
    } catch (error) {
      this.#requested -= 1;
      this.#rejectQueued(error);
      this.#requestConnections();
      return;
    }
    // An equal share of the queue for each connection that was requested.
    const share = Math.ceil(this.#queue.length / this.#requested);
    const writes = this.#queue.splice(0, Math.min(this.#batchSize, share));
    this.#requested -= 1;
    this.#inUse += 1;
    this.#inProgress += writes.length;
    const rolledBack = await this.#runOn(connection, writes);
    this.#ended(writes.length - rolledBack.length);
    this.#inUse -= 1;
    await connection.release();
    this.#requestConnections();
    for (const write of rolledBack) void this.#runAlone(write);
  }

  /** Runs writes and settles them. Returns those that were rolled back and have to run again alone. */
  async #runOn(connection: DedicatedConnection, writes: PendingWrite[]): Promise<PendingWrite[]> {
    const [first] = writes;
    if (first === undefined) return [];
    const isBatch = writes.length > 1;
    try {
      if (isBatch) await this.#runBatch(connection, writes);
      else first.resolve(await runSingly(connection, first.query));
      this.#batchSize = Math.min(this.#batchSize + 1, BATCH_SIZE_MAX);
      return [];
    } catch (error) {
      if (isBatch) this.#batchSize = Math.ceil(this.#batchSize / 2);
      // If the connection broke it is unknown whether they were committed, so they do not run again.
      if (isBatch && !(error instanceof ConnectionLostError)) return writes;
      for (const { reject } of writes) reject(error);
      return [];
    }
  }

  async #runBatch(connection: DedicatedConnection, writes: PendingWrite[]): Promise<void> {
    const statements = writes.map(({ statement }) => statement);
    const [, ...results] = await connection.runBatch([setShortLockTimeout, ...statements]);
    for (const [index, { result, rowError }] of results.entries()) {
      if (rowError === undefined) writes[index]?.resolve(result);
      else writes[index]?.reject(rowError);
    }
  }

  async #runAlone({ query, resolve, reject }: PendingWrite): Promise<void> {
    try {
      const connection = await this.#options.pool.acquire({ isReported: false });
      await runSingly(connection, query).then(resolve, reject);
      await connection.release();
    } catch (error) {
      reject(error);
    } finally {
      this.#ended(1);
    }
  }

  #ended(count: number): void {
    this.#inProgress -= count;
    if (this.#inProgress + this.#queue.length === 0) this.#onDrained?.();
  }

  /** No connection could be acquired. Rejects those that have waited for `waitMs`, or all if none can be opened. */
  #rejectQueued(why: unknown): void {
    const { waitMs } = this.#options;
    const nowMs = performance.now();
    const isRejected = ({ queuedMs }: PendingWrite) =>
      !(why instanceof OverloadedError) || nowMs - queuedMs >= waitMs;
    let count = this.#queue.findIndex((write) => !isRejected(write));
    if (count === -1) count = this.#queue.length;
    // At least one, or a connection would be requested again and again while the pool rejects at once.
    for (const { reject } of this.#queue.splice(0, Math.max(count, 1))) reject(why);
    this.#ended(0);
  }
}
