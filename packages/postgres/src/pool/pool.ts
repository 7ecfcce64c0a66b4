import { type Client, type ClientConfig, Pool, type PoolClient } from 'pg';
import type { Holder, Reachability } from '../circuit-breaker.ts';
import type { OnStatement } from '../create-kysely.ts';
import { asLoss, ConnectionLostError, OverloadedError } from '../errors.ts';
import type { Opening } from '../hosts/connection-factory.ts';
import { Session } from '../protocol/session.ts';
import { WARM_UP } from '../protocol/warm-up.ts';
import { beatsOf, Watch } from '../ticker.ts';
import { ExclusiveConnection } from './connection.ts';

export interface ExclusiveOptions {
  opening: Opening;
  reachability: Reachability;
  connectionsMax: number;
  /** Callers waiting for a connection at most. */
  waitingMax: number;
  /** How long a caller waits for a connection; 0 for as long as it takes. */
  waitMs: number;
  /** How long a connection that nobody uses stays open; 0 for as long as it takes. */
  idleMs: number;
  namesMax: number;
  silenceMs: number;
  onIdleError: (error: Error) => void;
  onStatement: OnStatement | undefined;
}

interface AcquireOptions {
  /** Whoever waits is out of the queue when it fires. */
  signal?: AbortSignal | undefined;
  /** Whether statements on the connection are told to `onStatement`; they are unless told otherwise. */
  isTold?: boolean;
}

/** A caller who waits for a connection. */
interface Caller {
  /** Waits for somebody to give one back; else it is being opened or handed over. */
  isQueued: boolean;
  beatsWaited: number;
  take: (client: PoolClient) => void;
  refuse: (why: Error) => void;
}

/** Of connections for one caller at a time. */
export interface ExclusiveCounts {
  /** Open and lent to nobody. */
  exclusiveIdle: number;
  /** Lent, or being opened. */
  exclusiveBusy: number;
  /** Callers who wait for one, alone or to share a commit. */
  exclusiveWaiting: number;
  /** Connections that broke after they were open, since the start. */
  exclusiveLost: number;
}

/** Connections for one caller at a time: for transactions, and for statements that may write. */
export class ExclusiveConnections implements Holder {
  readonly #options: ExclusiveOptions;
  readonly #pool: Pool;
  /** Every connection there is, from its first attempt to open on. */
  readonly #clients = new Set<Client>();
  /** Those that are open. */
  readonly #sessions = new WeakMap<Client, Session>();
  readonly #held = new Set<Session>();
  readonly #waiting = new Set<Caller>();
  #queue: Caller[] = [];
  /** Callers the pool knows of, who never are more than its connections: they queue here, where they can be refused. */
  #admitted = 0;
  readonly #watch = new Watch(() => this.#onBeat());
  #lost = 0;
  #onDrained: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: ExclusiveOptions) {
    this.#options = options;
    const { opening, connectionsMax, waitMs, idleMs, namesMax, onIdleError, reachability } = options;
    this.#pool = new Pool({
      ...opening.config,
      max: connectionsMax,
      connectionTimeoutMillis: waitMs,
      idleTimeoutMillis: idleMs,
      Client: rememberedIn(this.#clients, opening.Client),
      verify: (client, done) => client.query(WARM_UP, done),
    });
    // Without a listener the error of an idle connection would end the process.
    this.#pool.on('error', (error) => onIdleError(asLoss(error, false)));
    this.#pool.on('connect', (client) => {
      client.once('error', () => {
        this.#lost += 1;
      });
      // The pool itself does not listen while a connection is out; whoever runs a statement on it is told.
      client.on('error', () => undefined);
      this.#sessions.set(client, new Session(client, namesMax, reachability));
      reachability.heard();
    });
    reachability.add(this);
  }

  get isAsking(): boolean {
    for (const { isQueued } of this.#waiting) if (!isQueued) return true;
    for (const { inFlight } of this.#held) if (inFlight > 0) return true;
    return false;
  }

  /**
   * @throws OverloadedError at once when too many wait already, or after the time to wait when all are taken;
   * ConnectionLostError when none could be opened, at once where that is known already.
   */
  async acquire({ signal, isTold = true }: AcquireOptions = {}): Promise<ExclusiveConnection> {
    signal?.throwIfAborted();
    if (this.#closed !== undefined) throw new Error('driver has already been destroyed');
    const client = await this.#wait(signal);
    const session = this.#sessions.get(client);
    if (session === undefined) throw new Error('the pool gave a connection that it did not open');
    this.#held.add(session);
    this.#lookAfter();
    const onStatement = isTold ? this.#options.onStatement : undefined;
    const onRelease = () => {
      this.#held.delete(session);
      this.#leave();
    };
    return new ExclusiveConnection({ client, session, onStatement, onRelease });
  }

  counts(): ExclusiveCounts {
    const { idleCount, totalCount } = this.#pool;
    return {
      exclusiveIdle: idleCount,
      exclusiveBusy: totalCount - idleCount,
      exclusiveWaiting: this.#queue.length,
      exclusiveLost: this.#lost,
    };
  }

  /** Takes nobody more, waits for those who wait or hold a connection, and ends the connections. */
  close(): Promise<void> {
    this.#closed ??= this.#drain();
    return this.#closed;
  }

  onAway(): void {
    const { reachability } = this.#options;
    for (const caller of this.#waiting) this.#refuse(caller, reachability.refusal());
    this.#cut(reachability.refusal(), (client) => !this.#sessions.has(client));
  }

  onSilence(why: string, isMeant: (client: Client) => boolean): void {
    this.#cut(new ConnectionLostError(why), isMeant);
  }

  #cut(why: Error, isMeant: (client: Client) => boolean): void {
    for (const client of this.#clients) if (isMeant(client)) client.connection.stream.destroy(why);
  }

  /** Whoever leaves or is refused while waiting is told at once; the connection that comes after all goes back. */
  #wait(signal: AbortSignal | undefined): Promise<PoolClient> {
    const { connectionsMax, waitingMax } = this.#options;
    const isQueued = this.#admitted >= connectionsMax;
    if (isQueued && this.#queue.length >= waitingMax) {
      throw new OverloadedError(`${this.#queue.length} callers are waiting for a connection already.`);
    }
    const { promise, resolve, reject } = Promise.withResolvers<PoolClient>();
    const onAbort = signal && (() => this.#refuse(caller, signal.reason));
    if (onAbort) signal.addEventListener('abort', onAbort, { once: true });
    const ended = () => onAbort && signal.removeEventListener('abort', onAbort);
    const caller: Caller = {
      isQueued,
      beatsWaited: 0,
      take: (client) => {
        ended();
        resolve(client);
      },
      refuse: (why) => {
        ended();
        reject(why);
      },
    };
    this.#waiting.add(caller);
    this.#lookAfter();
    if (isQueued) this.#queue.push(caller);
    else this.#open(caller);
    return promise;
  }

  #lookAfter(): void {
    this.#watch.wake();
    this.#options.reachability.asked();
  }

  #refuse(caller: Caller, why: Error): void {
    if (this.#waiting.delete(caller)) caller.refuse(why);
  }

  /** Has the pool give a connection to a caller, unless it would have to open one in vain. */
  #open(caller: Caller): void {
    const { reachability } = this.#options;
    caller.isQueued = false;
    this.#admitted += 1;
    if (reachability.isAway && this.#pool.idleCount === 0) {
      this.#refuse(caller, reachability.refusal());
      this.#leave();
      return;
    }
    this.#pool.connect().then(
      (client) => {
        if (this.#waiting.delete(caller)) {
          caller.take(client);
          return;
        }
        client.release();
        this.#leave();
      },
      (cause: Error) => {
        const why = reachability.failed(cause);
        this.#refuse(caller, why);
        this.#leave();
      },
    );
  }

  /** A caller has done with the pool; the next one takes its place. */
  #leave(): void {
    this.#admitted -= 1;
    let next = this.#queue.shift();
    while (next !== undefined && !this.#waiting.has(next)) next = this.#queue.shift();
    if (next !== undefined) this.#open(next);
    else if (this.#admitted === 0) this.#onDrained?.();
  }

  #onBeat(): boolean {
    const { silenceMs, waitMs } = this.#options;
    const silenceMax = beatsOf(silenceMs);
    const waitMax = beatsOf(waitMs);
    for (const session of this.#held) session.beat(silenceMax);
    for (const caller of this.#queue) {
      caller.beatsWaited += 1;
      if (caller.beatsWaited <= waitMax) continue;
      this.#refuse(caller, new OverloadedError('No connection to the database came free in time.'));
    }
    this.#queue = this.#queue.filter((caller) => this.#waiting.has(caller));
    return this.#held.size > 0 || this.#waiting.size > 0;
  }

  async #drain(): Promise<void> {
    if (this.#admitted > 0) {
      await new Promise<void>((resolve) => {
        this.#onDrained = resolve;
      });
    }
    await this.#pool.end();
    this.#watch.stop();
  }
}

/** Clients that can be found from when they are made on: the pool shows one only when it is open. */
function rememberedIn(clients: Set<Client>, Opened: typeof Client): typeof Client {
  return class extends Opened {
    constructor(config?: string | ClientConfig) {
      super(config);
      clients.add(this);
      this.once('end', () => clients.delete(this));
    }
  };
}
