import { setTimeout } from 'node:timers/promises';
import type { QueryResult } from 'kysely';
import type { Client } from 'pg';
import type { Reachability } from '../circuit-breaker.ts';
import { asLoss, ConnectionLostError } from '../errors.ts';
import type { Opening } from '../hosts/connection-factory.ts';
import { cancelRunning } from '../protocol/cancel-request.ts';
import { Session } from '../protocol/session.ts';
import type { Ended } from '../protocol/statement.ts';
import { WARM_UP } from '../protocol/warm-up.ts';
import { sendMarked } from '../replicas/lsn-check.ts';
import { SQLSTATE } from '../sqlstate.ts';
import type { Job } from './query.ts';

const RETRY_FIRST_MS = 25;
const RETRY_MAX_MS = 1_000;
/** Statements on one connection at most: enough to hide the way there and back, few enough to wait behind. */
const DEPTH_MAX = 32;
const STRAY = 'The statement was cancelled in the place of the one before it.';

export interface PipelineEvents {
  /** It is open and takes statements, or has more room than before. */
  onRoom: () => void;
  /** It broke while nothing was in flight. */
  onIdleError: (error: Error) => void;
  /** It broke after it was open. */
  onLost: () => void;
  /** A statement ended on it, well or not. */
  onEnded: (job: Job, error: Error | undefined, result: QueryResult<unknown>) => void;
}

export interface PipelineOptions {
  opening: Opening;
  /** Names of statements at most; 0 for none. */
  namesMax: number;
  reachability: Reachability;
}

/** One connection that many share: statements are sent without waiting for the answers of those before. */
export class Pipeline {
  readonly #opening: Opening;
  readonly #namesMax: number;
  readonly #events: PipelineEvents;
  readonly #reachability: Reachability;
  /** What was sent and not answered, oldest first. */
  readonly jobs: Job[] = [];
  #session: Session | undefined;
  #connecting: Promise<void> | undefined;
  /** The connection that is being opened or was opened last. */
  #client: Client | undefined;
  /** How long to wait before connecting; longer with every failure, nothing once a statement was answered. */
  #waitMs = 0;
  /** The connection on whose statement a cancellation is under way. */
  #cancelling: Session | undefined;
  /** The statement that was cancelled last, and the connection it was under way on. */
  #cancelled: { job: Job; session: Session } | undefined;
  readonly #closing = new AbortController();
  /** Beats of the watch with nothing in flight. */
  beatsIdle = 0;

  constructor({ opening, namesMax, reachability }: PipelineOptions, events: PipelineEvents) {
    this.#opening = opening;
    this.#namesMax = namesMax;
    this.#reachability = reachability;
    this.#events = events;
    this.#open();
  }

  get isOpen(): boolean {
    return this.#session !== undefined;
  }

  /** Its oldest statement runs for so long that nothing more should be put behind it. */
  get isSlow(): boolean {
    return this.#session?.isSlow ?? false;
  }

  /** Whether it takes another statement. After a slow one it takes one at a time until one is quick again. */
  get hasRoom(): boolean {
    const session = this.#session;
    if (session === undefined || session.isSlow || session === this.#cancelling) return false;
    return this.jobs.length < (session.wasSlow ? 1 : DEPTH_MAX);
  }

  /** What stands behind a slow statement and may go elsewhere, each told once. */
  takeStuck(mustWait: (job: Job) => boolean): Job[] {
    if (!this.isSlow) return [];
    const stuck = this.jobs.slice(1).filter((job) => !job.isSettled && !job.isRescued && !mustWait(job));
    for (const job of stuck) job.isRescued = true;
    return stuck;
  }

  send(job: Job): void {
    const session = this.#session;
    if (session === undefined) throw new Error('a statement was given to a connection that is not open');
    this.jobs.push(job);
    job.attempts += 1;
    this.beatsIdle = 0;
    const ended: Ended = (error, result) => {
      // Answers come in the order of the statements, so this is the first, or among the first.
      this.jobs.splice(this.jobs.indexOf(job), 1);
      job.attempts -= 1;
      if (!(error instanceof ConnectionLostError)) this.#waitMs = 0;
      else if (this.#session === session) this.#lose();
      const isStray = error !== undefined && this.#isStray(job, error, session);
      this.#events.onEnded(job, isStray ? new ConnectionLostError(STRAY, { cause: error }) : error, result);
    };
    if (job.marked === undefined) session.send(job, ended);
    else sendMarked(session, { order: job, marked: job.marked }, ended);
  }

  beat(silenceMax: number): void {
    if (this.jobs.length === 0) this.beatsIdle += 1;
    this.#session?.beat(silenceMax);
    if (this.isSlow && this.jobs[0]?.isSettled) this.#cancel(this.jobs[0]);
  }

  /** Nobody waits for it any more, and what stands behind it may have nowhere else to go. Meanwhile it takes nothing new. */
  #cancel(job: Job): void {
    const session = this.#session;
    if (session === undefined || session === this.#cancelling) return;
    if (this.#cancelled?.job === job && this.#cancelled.session === session) return;
    this.#cancelling = session;
    this.#cancelled = { job, session };
    void cancelRunning(session.client).then(() => {
      this.#cancelling = undefined;
      this.#events.onRoom();
    });
  }

  /** Whether a cancellation came when the statement it was meant for had ended, and has hit the one behind it. */
  #isStray(job: Job, error: Error & { code?: unknown }, session: Session): boolean {
    const { wasSlow } = session;
    return (
      error.code === SQLSTATE.queryCanceled &&
      !wasSlow &&
      this.#cancelled?.session === session &&
      this.#cancelled.job !== job
    );
  }

  /** Ends the connection at once where it is meant, open or not, with all that is in flight; another one is opened. */
  cut(why: string, isMeant: (client: Client) => boolean): void {
    const client = this.#client;
    if (client && isMeant(client)) client.connection.stream.destroy(new ConnectionLostError(why));
  }

  /** Ends it after what is under way; the watch goes on until then. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#session?.client.end();
    await this.#connecting;
  }

  #open(): void {
    this.#connecting ??= this.#keepTrying().finally(() => {
      this.#connecting = undefined;
    });
  }

  async #keepTrying(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      if (this.#waitMs > 0) {
        await setTimeout(this.#waitMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
      await this.#reachability.whenBack(signal);
      this.#waitMs = Math.min(Math.max(this.#waitMs * 2, RETRY_FIRST_MS), RETRY_MAX_MS);
      try {
        return await this.#connect();
      } catch (error) {
        this.#reachability.failed(error as Error);
      }
    }
  }

  async #connect(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const { Client, config } = this.#opening;
    const client = new Client({ ...config, pipeline: true });
    this.#client = client;
    let broken: Error | undefined;
    client.on('error', (error) => {
      broken ??= error;
      if (this.#session?.client !== client) return;
      // What was in flight is told by node-postgres; what nobody waited for is told here.
      if (this.jobs.length === 0) this.#events.onIdleError(asLoss(error, false));
      this.#lose();
    });
    await client.connect();
    if (broken !== undefined) throw broken;
    // Nobody waits for it, and a connection that breaks meanwhile is told of as any other.
    client.query(WARM_UP).catch(() => undefined);
    if (this.#closing.signal.aborted) return client.end();
    this.#reachability.heard();
    this.#session = new Session(client, this.#namesMax, this.#reachability);
    this.beatsIdle = 0;
    this.#events.onRoom();
  }

  #lose(): void {
    this.#session?.cut('The connection to the database was lost.');
    this.#session = undefined;
    if (this.#closing.signal.aborted) return;
    this.#events.onLost();
    this.#open();
  }
}
