import type { QueryResult } from 'kysely';
import type { Client } from 'pg';
import type { Holder } from '../circuit-breaker.ts';
import { ConnectionLostError, OverloadedError } from '../errors.ts';
import { isStale, orderOf } from '../protocol/statement.ts';
import type { Statement } from '../query-hints.ts';
import type { Marked, MarkedResult } from '../replicas/lsn-check.ts';
import { beatsOf, Watch } from '../ticker.ts';
import { CallerShares } from './caller-shares.ts';
import { Pipeline, type PipelineEvents, type PipelineOptions } from './connection.ts';
import { Job } from './query.ts';

export interface PipelinesOptions extends PipelineOptions {
  /** Connections in ordinary times; up to four more are opened while slow statements hold some. */
  pipelines: number;
  /** Statements waiting and under way at most. */
  pendingMax: number;
  /** How long a statement waits for a connection. */
  waitMs: number;
  /** How long a connection with something to answer may say nothing. */
  silenceMs: number;
  onIdleError: (error: Error) => void;
}

/** How a statement is run, and for whom, where they may leave before it is answered. */
export interface RunOptions {
  signal?: AbortSignal | undefined;
  /** Asked now and then while the statement waits or runs; a listener for each statement would cost more than many a read. */
  hasLeft?: (() => boolean) | undefined;
  /** For whom it is: the slow reads of one caller hold a share of the connections at most (`CallerShares`). */
  caller?: string | undefined;
  /** Marks to be sent around the statement, which may then fail with `BehindError`. */
  marked?: Marked;
  /** Whether it is sent again when its connection breaks; it is unless told otherwise. */
  isRepeatable?: boolean;
}

/** Where statements go that only read, outside transactions. */
export interface Reads {
  run<R>(statement: Statement, options?: RunOptions): Promise<MarkedResult<R>>;
}

/** Of the connections that reads share. */
export interface PipelineCounts {
  /** Open, and taking statements. */
  pipelinesOpen: number;
  /** Statements that wait for room on one. */
  pipelinedWaiting: number;
  /** Statements that are waiting or under way. */
  pipelinedPending: number;
  /** Connections that broke after they were open, since the start. */
  pipelinesLost: number;
}

/** Statements on every connection before another is opened. */
const DEPTH_BEFORE_NEXT = 8;
/** Connections beside the ordinary ones, at most. */
const EXTRA_MAX = 4;
/** Beats an extra connection lives with nothing to do. */
const EXTRA_IDLE = beatsOf(5_000);

export function pipelinesAtMost(pipelines: number): number {
  return pipelines + EXTRA_MAX;
}

/**
 * Reads outside transactions, on a few shared connections. A statement goes to the connection with the fewest in
 * flight. One that has been busy with the same statement for 50 ms gets no more, and what stands behind that statement
 * is sent again on another connection; whichever answers first counts.
 */
export class Pipelines implements Reads, Holder {
  readonly #options: PipelinesOptions;
  readonly #events: PipelineEvents;
  readonly #watch = new Watch(() => this.#onBeat());
  readonly #silenceMax: number;
  readonly #waitMax: number;
  readonly #connections = new Set<Pipeline>();
  readonly #shares: CallerShares;
  #waiting: Job[] = [];
  #beats = 0;
  #pending = 0;
  #lost = 0;
  #onDrained: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: PipelinesOptions) {
    this.#options = options;
    this.#silenceMax = beatsOf(options.silenceMs);
    this.#waitMax = beatsOf(options.waitMs);
    this.#shares = new CallerShares(Math.ceil(options.pipelines / 2));
    this.#events = {
      onRoom: () => this.#sendWaiting(),
      onIdleError: options.onIdleError,
      onLost: () => {
        this.#lost += 1;
      },
      onEnded: (job, error, result) => this.#onEnded(job, error, result),
    };
    options.reachability.add(this);
  }

  get isAsking(): boolean {
    return this.#pending > 0;
  }

  /**
   * Runs a statement that only reads. When whoever waits for it aborts it or has left, it is taken out of the queue; one that was sent already runs to its end
   * and its answer is dropped, because a cancellation might hit a neighbour on the same connection; it is cancelled
   * when it is slow and nobody waits for a neighbour any more.
   * @throws OverloadedError at once when too much is waiting and under way, or after the time to wait when every
   * connection is busy; ConnectionLostError; what PostgreSQL says; the signal's reason.
   */
  run<R>(statement: Statement, options: RunOptions = {}): Promise<MarkedResult<R>> {
    const { signal } = options;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.#closed !== undefined) throw new Error('driver has already been destroyed');
      if (this.#pending >= this.#options.pendingMax) {
        throw new OverloadedError(`${this.#pending} statements are waiting for the database already.`);
      }
      const order = orderOf(statement);
      const onAbort = signal && (() => job.settle(signal.reason));
      const onSettled = (error: Error | undefined, result: QueryResult<unknown>) => {
        if (onAbort) signal.removeEventListener('abort', onAbort);
        this.#pending -= 1;
        if (this.#pending === 0) this.#onDrained?.();
        if (error === undefined) resolve(result as MarkedResult<R>);
        else reject(error);
      };
      const job = new Job(order, options, onSettled);
      job.sinceBeat = this.#beats;
      if (onAbort) signal.addEventListener('abort', onAbort, { once: true });
      this.#pending += 1;
      this.#watch.wake();
      this.#options.reachability.asked();
      this.#place(job);
    });
  }

  counts(): PipelineCounts {
    let open = 0;
    for (const { isOpen } of this.#connections) if (isOpen) open += 1;
    return {
      pipelinesOpen: open,
      pipelinedWaiting: this.#waiting.length,
      pipelinedPending: this.#pending,
      pipelinesLost: this.#lost,
    };
  }

  get pending(): number {
    return this.#pending;
  }

  /** Takes nothing more, waits for what is under way, and ends the connections. */
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
    this.#watch.stop();
  }

  #place(job: Job): void {
    if (this.#shares.mustWait(job)) {
      this.#waiting.push(job);
      return;
    }
    const connection = this.#freest();
    if (connection !== undefined) connection.send(job);
    else if (this.#isCutOff) job.settle(this.#options.reachability.refusal());
    else this.#waiting.push(job);
    if (connection === undefined || connection.jobs.length > DEPTH_BEFORE_NEXT) this.#openAnother();
  }

  #freest(): Pipeline | undefined {
    let freest: Pipeline | undefined;
    for (const connection of this.#connections) {
      if (!connection.hasRoom) continue;
      if (freest === undefined || connection.jobs.length < freest.jobs.length) freest = connection;
    }
    return freest;
  }

  /** Opens a connection where fewer than wanted are free of slow statements. */
  #openAnother(): void {
    const { pipelines } = this.#options;
    if (this.#connections.size >= pipelinesAtMost(pipelines)) return;
    let usable = 0;
    for (const { isSlow } of this.#connections) if (!isSlow) usable += 1;
    if (usable >= pipelines || this.#closed !== undefined) return;
    this.#connections.add(new Pipeline(this.#options, this.#events));
  }

  #sendWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const [place, job] of waiting.entries()) {
      if (job.isSettled) continue;
      if (this.#shares.mustWait(job)) {
        this.#waiting.push(job);
        continue;
      }
      const connection = this.#freest();
      if (connection === undefined) {
        this.#waiting.push(...waiting.slice(place));
        if (this.#isCutOff) this.onAway();
        this.#openAnother();
        return;
      }
      connection.send(job);
    }
  }

  #onEnded(job: Job, error: Error | undefined, result: QueryResult<unknown>): void {
    const isLost = error instanceof ConnectionLostError;
    if (error === undefined) job.settle(undefined, result);
    // With attempts left, another connection is at it.
    else if (!isLost || job.attempts === 0) {
      if (!job.isSettled && job.mayRepeat(error, isStale(error))) {
        job.sinceBeat = this.#beats;
        this.#waiting.unshift(job);
      } else job.settle(error);
    }
    if (this.#waiting.length > 0) this.#sendWaiting();
  }

  /** No connection is open, and none can be opened now. */
  get #isCutOff(): boolean {
    if (!this.#options.reachability.isAway) return false;
    for (const { isOpen } of this.#connections) if (isOpen) return false;
    return true;
  }

  onAway(): void {
    if (!this.#isCutOff) return;
    const { reachability } = this.#options;
    for (const job of this.#waiting.splice(0)) job.settle(reachability.refusal());
  }

  onSilence(why: string, isMeant: (client: Client) => boolean): void {
    for (const connection of this.#connections) connection.cut(why, isMeant);
  }

  #onBeat(): boolean {
    this.#beats += 1;
    for (const job of this.#waiting) job.dropIfLeft();
    for (const connection of this.#connections) {
      for (const job of connection.jobs) job.dropIfLeft();
      connection.beat(this.#silenceMax);
      this.#closeExtra(connection);
    }
    this.#shares.update(this.#connections);
    for (const connection of this.#connections) {
      this.#waiting.push(...connection.takeStuck((job) => this.#shares.mustWait(job)));
    }
    this.#giveUpWaiting();
    if (this.#waiting.length > 0) this.#sendWaiting();
    return this.#pending > 0 || this.#isBusy();
  }

  #isBusy(): boolean {
    if (this.#connections.size > this.#options.pipelines) return true;
    for (const { jobs } of this.#connections) if (jobs.length > 0) return true;
    return false;
  }

  #closeExtra(connection: Pipeline): void {
    if (this.#connections.size <= this.#options.pipelines || connection.beatsIdle < EXTRA_IDLE) return;
    this.#connections.delete(connection);
    connection.close().catch(this.#options.onIdleError);
  }

  /** What was sent and is not the oldest on any connection has not begun, and is given up as what was not sent. */
  #giveUpWaiting(): void {
    const begun = new Set<Job | undefined>();
    for (const { jobs } of this.#connections) begun.add(jobs[0]);
    const notBegun = new Set<Job>();
    for (const jobs of [...[...this.#connections].map(({ jobs }) => jobs), this.#waiting]) {
      for (const job of jobs) if (!job.isSettled && !begun.has(job)) notBegun.add(job);
    }
    for (const job of notBegun) if (this.#beats - job.sinceBeat > this.#waitMax) job.settle(this.#tooLate());
    this.#shares.refuseExcess(notBegun);
    this.#waiting = this.#waiting.filter(({ isSettled }) => !isSettled);
  }

  #tooLate(): Error {
    for (const { isOpen } of this.#connections) {
      if (isOpen) return new OverloadedError('No connection to the database came free in time.');
    }
    return new ConnectionLostError('No connection to the database could be opened in time.');
  }
}
