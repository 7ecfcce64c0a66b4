import { setTimeout } from 'node:timers/promises';
import type { QueryResult } from 'kysely';
import type { Client } from 'pg';
import type { CircuitBreaker } from '../circuit-breaker.ts';
import { ConnectionLostError, toConnectionError } from '../errors.ts';
import type { ConnectionFactory } from '../hosts/connection-factory.ts';
import { cancelRequest } from '../protocol/cancel-request.ts';
import { Session, WARM_UP } from '../protocol/session.ts';
import { isStalePlan, type OnEnded } from '../protocol/statement.ts';
import { SQLSTATE } from '../sqlstate.ts';
import { sendWithLsnCheck } from './lsn-check.ts';
import type { PipelinedQuery } from './query.ts';

const RETRY_FIRST_MS = 25;
const RETRY_MAX_MS = 1_000;
/** Statements in flight on one connection at most: enough to hide the round trip, few enough to wait behind. */
const DEPTH_MAX = 32;

export interface PipelineEvents {
  /** The connection is open, or has more room than before. */
  onRoom: () => void;
  /** It broke while nothing was in flight. */
  onIdleError: (error: Error) => void;
  /** It broke after it was open. */
  onLost: () => void;
  /** A statement has ended on it. */
  onEnded: (query: PipelinedQuery, error: Error | undefined, result: QueryResult<unknown>) => void;
}

export interface PipelineConnectionOptions {
  factory: ConnectionFactory;
  /** 0 disables prepared statements. */
  preparedStatementsMax: number;
  breaker: CircuitBreaker;
}

/** A connection that sends statements without waiting for the results of those before. Reopens itself when it breaks. */
export class PipelineConnection {
  readonly #options: PipelineConnectionOptions;
  readonly #events: PipelineEvents;
  /** The statements in flight, the oldest first. */
  readonly queries: PipelinedQuery[] = [];
  #session: Session | undefined;
  #connecting: Promise<void> | undefined;
  /** The connection that is being opened, or was opened last. */
  #client: Client | undefined;
  /** The delay before the next attempt to connect: doubled by each failure, none after a statement was answered. */
  #retryMs = 0;
  /** The session for which a CancelRequest is in progress. */
  #cancelling: Session | undefined;
  /** The query that was cancelled last, and the session it was in flight on. */
  #cancelled: { query: PipelinedQuery; session: Session } | undefined;
  readonly #closing = new AbortController();
  /** Ticks without anything in flight. */
  idleTicks = 0;

  constructor(options: PipelineConnectionOptions, events: PipelineEvents) {
    this.#options = options;
    this.#events = events;
    this.#open();
  }

  get isOpen(): boolean {
    return this.#session !== undefined;
  }

  /** Whether its oldest statement is so slow that nothing should be sent behind it. */
  get isSlow(): boolean {
    return this.#session?.isSlow ?? false;
  }

  /** Whether it accepts a statement. After a slow statement it accepts one at a time, until one was fast. */
  get hasRoom(): boolean {
    const session = this.#session;
    if (session === undefined || session.isSlow || session === this.#cancelling) return false;
    return this.queries.length < (session.wasSlow ? 1 : DEPTH_MAX);
  }

  /** Takes the statements that are blocked behind a slow one and may be sent on another connection as well; each is returned once. */
  takeBlocked(mustWait: (query: PipelinedQuery) => boolean): PipelinedQuery[] {
    if (!this.isSlow) return [];
    const blocked = this.queries
      .slice(1)
      .filter((query) => !query.isSettled && !query.isHedged && !mustWait(query));
    for (const query of blocked) query.isHedged = true;
    return blocked;
  }

  send(query: PipelinedQuery): void {
    const session = this.#session;
    if (session === undefined) throw new Error('The connection is not open.');
    this.queries.push(query);
    query.attempts += 1;
    this.idleTicks = 0;
    const { statement, lsnCheck } = query;
    const onEnded: OnEnded = (error, result) => {
      // Results arrive in the order of the statements, so this is one of the first.
      this.queries.splice(this.queries.indexOf(query), 1);
      query.attempts -= 1;
      if (!(error instanceof ConnectionLostError)) this.#retryMs = 0;
      else if (this.#session === session) this.#lose();
      // It was rejected on another connection for the same reason before, and is sent again without a prepared statement.
      const isResent = statement !== query.statement;
      if (isResent && error !== undefined && isStalePlan(error)) return this.#events.onRoom();
      const isStray = error !== undefined && this.#isStrayCancel(query, error, session);
      this.#events.onEnded(query, isStray ? strayCancel(error) : error, result);
    };
    if (lsnCheck === undefined) session.send(statement, onEnded);
    else sendWithLsnCheck(session, { statement, lsnCheck }, onEnded);
  }

  /** To be called on each tick. */
  tick(silentTicksMax: number): void {
    if (this.queries.length === 0) this.idleTicks += 1;
    this.#session?.tick(silentTicksMax);
    if (this.isSlow && this.queries[0]?.isSettled) this.#cancel(this.queries[0]);
  }

  /** Cancels a query that no one waits for but that blocks others. Until then the connection accepts nothing new. */
  #cancel(query: PipelinedQuery): void {
    const session = this.#session;
    if (session === undefined || session === this.#cancelling) return;
    if (this.#cancelled?.query === query && this.#cancelled.session === session) return;
    this.#cancelling = session;
    this.#cancelled = { query, session };
    void cancelRequest(session.client).then(() => {
      this.#cancelling = undefined;
      this.#events.onRoom();
    });
  }

  /** Whether a CancelRequest arrived after its statement had ended, and cancelled the next one instead. */
  #isStrayCancel(query: PipelinedQuery, error: Error & { code?: unknown }, session: Session): boolean {
    const { wasSlow } = session;
    return (
      error.code === SQLSTATE.queryCanceled &&
      !wasSlow &&
      this.#cancelled?.session === session &&
      this.#cancelled.query !== query
    );
  }

  /** Destroys the connection, open or not, if it is dead. What is in flight fails, and another is opened. */
  destroyIf(isDead: (client: Client) => boolean, message: string): void {
    const client = this.#client;
    if (client && isDead(client)) client.connection.stream.destroy(new ConnectionLostError(message));
  }

  /** Closes it after what is in flight; `tick` must be called until then. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#session?.client.end();
    await this.#connecting;
  }

  #open(): void {
    this.#connecting ??= this.#connectUntilOpen().finally(() => {
      this.#connecting = undefined;
    });
  }

  async #connectUntilOpen(): Promise<void> {
    const { signal } = this.#closing;
    const { breaker } = this.#options;
    while (!signal.aborted) {
      if (this.#retryMs > 0) {
        await setTimeout(this.#retryMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
      await breaker.whenClosed(signal);
      this.#retryMs = Math.min(Math.max(this.#retryMs * 2, RETRY_FIRST_MS), RETRY_MAX_MS);
      try {
        return await this.#connect();
      } catch (error) {
        breaker.connectFailed(error as Error);
      }
    }
  }

  async #connect(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const { factory, preparedStatementsMax, breaker } = this.#options;
    const client = new factory.Client({ ...factory.config, pipeline: true });
    this.#client = client;
    let failure: Error | undefined;
    client.on('error', (error) => {
      failure ??= error;
      if (this.#session?.client !== client) return;
      // node-postgres rejects what is in flight. If nothing is, the error is reported here.
      if (this.queries.length === 0) this.#events.onIdleError(toConnectionError(error, false));
      this.#lose();
    });
    await client.connect();
    if (failure !== undefined) throw failure;
    // Not awaited. If the connection breaks meanwhile, the listener above reports it.
    client.query(WARM_UP).catch(() => undefined);
    if (this.#closing.signal.aborted) return client.end();
    breaker.messageReceived();
    this.#session = new Session(client, preparedStatementsMax, breaker);
    this.idleTicks = 0;
    this.#events.onRoom();
  }

  #lose(): void {
    this.#session?.destroy('The connection to the database was lost.');
    this.#session = undefined;
    if (this.#closing.signal.aborted) return;
    this.#events.onLost();
    this.#open();
  }
}

/** Lets the pool retry the statement, as after a lost connection. */
function strayCancel(cause: Error): ConnectionLostError {
  return new ConnectionLostError('A CancelRequest for the previous statement cancelled this one.', { cause });
}
