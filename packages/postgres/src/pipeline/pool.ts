import type { QueryResult } from 'kysely';
import type { Client } from 'pg';
import type { ConnectionOwner } from '../circuit-breaker.ts';
import { ConnectionLostError, OverloadedError } from '../errors.ts';
import { encode } from '../protocol/statement.ts';
import type { Statement } from '../query-hints.ts';
import { Ticker, toTicks } from '../ticker.ts';
import type { ReadExecutor, ReadResult, RunOptions } from '../types.ts';
import { PipelineConnection, type PipelineConnectionOptions, type PipelineEvents } from './connection.ts';
import { PipelinedQuery } from './query.ts';
import { SlowReadLimit } from './slow-read-limit.ts';

export interface PipelinePoolOptions extends PipelineConnectionOptions {
  /** The usual number of connections; up to four more are opened while slow statements hold some. */
  connections: number;
  /** Statements waiting or in flight at most. */
  pendingMax: number;
  /** The longest wait of a statement until it starts; 0 for no limit. */
  waitMs: number;
  /** The longest silence of a connection with something in flight; 0 for no limit. */
  silenceMs: number;
  onIdleError: (error: Error) => void;
}

export interface PipelineCounts {
  /** Open connections. */
  pipelineOpen: number;
  /** Statements that wait for room on a connection. */
  pipelineWaiting: number;
  /** Statements that are waiting or in flight. */
  pipelinePending: number;
  /** Connections that broke after they were open, since the start. */
  pipelineLost: number;
}

/** Statements in flight on every connection before another connection is opened. */
const DEPTH_BEFORE_NEXT = 8;
/** Connections beyond the usual number at most. */
export const EXTRA_MAX = 4;
/** Ticks after which an idle extra connection is closed. */
const EXTRA_IDLE_TICKS = toTicks(5_000);

/** The largest number of connections that a pool has open at once. */
export function pipelineConnectionsMax(connections: number): number {
  return connections + EXTRA_MAX;
}

/**
 * Runs read-only statements outside transactions on a few pipelined connections. Each goes to the connection with the
 * fewest in flight. When a statement has run for 50 ms its connection accepts no more, and what is in flight behind it is
 * sent again on another connection (a hedged request); the first result counts.
 */
export class PipelinePool implements ReadExecutor, ConnectionOwner {
  readonly #options: PipelinePoolOptions;
  readonly #events: PipelineEvents;
  readonly #ticker = new Ticker(() => this.#onTick());
  readonly #silentTicksMax: number;
  readonly #waitTicksMax: number;
  readonly #connections = new Set<PipelineConnection>();
  readonly #limit: SlowReadLimit;
  #waiting: PipelinedQuery[] = [];
  #ticks = 0;
  #pending = 0;
  #lost = 0;
  #onDrained: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: PipelinePoolOptions) {
    this.#options = options;
    this.#silentTicksMax = toTicks(options.silenceMs);
    this.#waitTicksMax = toTicks(options.waitMs);
    this.#limit = new SlowReadLimit(Math.ceil(options.connections / 2));
    this.#events = {
      onRoom: () => this.#sendWaiting(),
      onIdleError: options.onIdleError,
      onLost: () => {
        this.#lost += 1;
      },
      onEnded: (query, error, result) => this.#onEnded(query, error, result),
    };
    options.breaker.register(this);
  }

  get isWaiting(): boolean {
    return this.#pending > 0;
  }

  /**
   * Runs a read-only statement. If it is aborted, or its client disconnects, it is removed from the queue. If it was sent
   * already its result is dropped, because a CancelRequest might hit another statement on the same connection; it is
   * cancelled if it is slow.
   * @throws OverloadedError at once if too many are pending, or if it has not started after `waitMs`; ConnectionLostError;
   *   the error of PostgreSQL; the reason of the signal
   */
  run<R>(statement: Statement, options: RunOptions = {}): Promise<ReadResult<R>> {
    const { signal } = options;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.#closed !== undefined) throw new Error('driver has already been destroyed');
      if (this.#pending >= this.#options.pendingMax) {
        throw new OverloadedError(`${this.#pending} statements are already waiting for the database.`);
      }
      const encoded = encode(statement);
      const onAbort = signal && (() => query.settle(signal.reason));
      const onSettled = (error: Error | undefined, result: QueryResult<unknown>) => {
        if (onAbort) signal.removeEventListener('abort', onAbort);
        this.#pending -= 1;
        if (this.#pending === 0) this.#onDrained?.();
        if (error === undefined) resolve(result as ReadResult<R>);
        else reject(error);
      };
      const query = new PipelinedQuery(encoded, options, onSettled);
      query.waitingSinceTick = this.#ticks;
      if (onAbort) signal.addEventListener('abort', onAbort, { once: true });
      this.#pending += 1;
      this.#ticker.start();
      this.#options.breaker.requestSent();
      this.#dispatch(query);
    });
  }

  counts(): PipelineCounts {
    let open = 0;
    for (const { isOpen } of this.#connections) if (isOpen) open += 1;
    return {
      pipelineOpen: open,
      pipelineWaiting: this.#waiting.length,
      pipelinePending: this.#pending,
      pipelineLost: this.#lost,
    };
  }

  /** Statements that are waiting or in flight. */
  get pending(): number {
    return this.#pending;
  }

  /** Accepts no further statements, waits for those that are pending, and closes the connections. */
  close(): Promise<void> {
    this.#closed ??= this.#drain();
    return this.#closed;
  }

  async #drain(): Promise<void> {
    if (this.#pending > 0) {
      await new Promise<void>((resolve) => {
        this.#onDrained = resolve;
      });
    }
    await Promise.all([...this.#connections].map((connection) => connection.close()));
    this.#ticker.stop();
  }

  #dispatch(query: PipelinedQuery): void {
    if (this.#limit.mustWait(query)) {
      this.#waiting.push(query);
      return;
    }
    const connection = this.#leastBusy();
    if (connection !== undefined) connection.send(query);
    else if (this.#isUnavailable) query.settle(this.#options.breaker.error());
    else this.#waiting.push(query);
    if (connection === undefined || connection.queries.length > DEPTH_BEFORE_NEXT) this.#openAnother();
  }

  #leastBusy(): PipelineConnection | undefined {
    let best: PipelineConnection | undefined;
    for (const connection of this.#connections) {
      if (!connection.hasRoom) continue;
      if (best === undefined || connection.queries.length < best.queries.length) best = connection;
    }
    return best;
  }

  /** Opens a connection if fewer than the usual number are not held by slow statements. */
  #openAnother(): void {
    const { connections } = this.#options;
    if (this.#connections.size >= pipelineConnectionsMax(connections)) return;
    let usable = 0;
    for (const { isSlow } of this.#connections) if (!isSlow) usable += 1;
    if (usable >= connections || this.#closed !== undefined) return;
    this.#connections.add(new PipelineConnection(this.#options, this.#events));
  }

  #sendWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const [index, query] of waiting.entries()) {
      if (query.isSettled) continue;
      if (this.#limit.mustWait(query)) {
        this.#waiting.push(query);
        continue;
      }
      const connection = this.#leastBusy();
      if (connection === undefined) {
        this.#waiting.push(...waiting.slice(index));
        if (this.#isUnavailable) this.onOpen();
        this.#openAnother();
        return;
      }
      connection.send(query);
    }
  }

  #onEnded(query: PipelinedQuery, error: Error | undefined, result: QueryResult<unknown>): void {
    const isLost = error instanceof ConnectionLostError;
    if (error === undefined) query.settle(undefined, result);
    // If the connection was lost while the query is in flight on another one, that one will answer.
    else if (!isLost || query.attempts === 0) {
      if (!query.isSettled && query.takeRetry(error)) {
        query.waitingSinceTick = this.#ticks;
        this.#waiting.unshift(query);
      } else query.settle(error);
    }
    if (this.#waiting.length > 0) this.#sendWaiting();
  }

  /** Whether no connection is open, and none can be opened now. */
  get #isUnavailable(): boolean {
    if (!this.#options.breaker.isOpen) return false;
    for (const { isOpen } of this.#connections) if (isOpen) return false;
    return true;
  }

  onOpen(): void {
    if (!this.#isUnavailable) return;
    const { breaker } = this.#options;
    for (const query of this.#waiting.splice(0)) query.settle(breaker.error());
  }

  onUnresponsive(message: string, isDead: (client: Client) => boolean): void {
    for (const connection of this.#connections) connection.destroyIf(isDead, message);
  }

  #onTick(): boolean {
    this.#ticks += 1;
    for (const query of this.#waiting) query.checkDisconnected();
    for (const connection of this.#connections) {
      for (const query of connection.queries) query.checkDisconnected();
      connection.tick(this.#silentTicksMax);
      this.#closeIfUnneeded(connection);
    }
    this.#limit.update(this.#connections);
    for (const connection of this.#connections) {
      this.#waiting.push(...connection.takeBlocked((query) => this.#limit.mustWait(query)));
    }
    this.#rejectWaiting();
    if (this.#waiting.length > 0) this.#sendWaiting();
    return this.#pending > 0 || this.#isBusy();
  }

  #isBusy(): boolean {
    if (this.#connections.size > this.#options.connections) return true;
    for (const { queries } of this.#connections) if (queries.length > 0) return true;
    return false;
  }

  #closeIfUnneeded(connection: PipelineConnection): void {
    const isExtra = this.#connections.size > this.#options.connections;
    if (!isExtra || connection.idleTicks < EXTRA_IDLE_TICKS) return;
    this.#connections.delete(connection);
    connection.close().catch(this.#options.onIdleError);
  }

  /** Rejects what has waited for too long. Only the oldest statement on each connection has started; the others still wait. */
  #rejectWaiting(): void {
    const started = new Set<PipelinedQuery | undefined>();
    for (const { queries } of this.#connections) started.add(queries[0]);
    const notStarted = new Set<PipelinedQuery>();
    for (const queries of [...[...this.#connections].map(({ queries }) => queries), this.#waiting]) {
      for (const query of queries) if (!query.isSettled && !started.has(query)) notStarted.add(query);
    }
    for (const query of notStarted) {
      if (this.#ticks - query.waitingSinceTick > this.#waitTicksMax) query.settle(this.#timeoutError());
    }
    this.#limit.rejectExcess(notStarted);
    this.#waiting = this.#waiting.filter(({ isSettled }) => !isSettled);
  }

  #timeoutError(): Error {
    for (const { isOpen } of this.#connections) {
      if (isOpen) return new OverloadedError('No connection to the database became free in time.');
    }
    return new ConnectionLostError('No connection to the database could be opened in time.');
  }
}
