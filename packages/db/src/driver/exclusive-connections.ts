import { type ClientConfig, Pool, type PoolClient } from 'pg';
import type { OnStatement } from './dialect.ts';
import { asLoss, ConnectionLostError, OverloadedError } from './errors.ts';
import { ExclusiveConnection } from './exclusive-connection.ts';
import { Session } from './session.ts';
import { beatsOf, Watch } from './watch.ts';

export interface ExclusiveOptions {
  config: ClientConfig;
  connectionsMax: number;
  /** Callers waiting for a connection at most. */
  waitingMax: number;
  /** How long a caller waits for a connection; 0 for as long as it takes. */
  waitMs: number;
  namesMax: number;
  silenceMs: number;
  onIdleError: (error: Error) => void;
  onStatement: OnStatement | undefined;
}

/** Connections for one caller at a time: for transactions, and for statements that may write. */
export class ExclusiveConnections {
  readonly #options: ExclusiveOptions;
  readonly #pool: Pool;
  readonly #sessions = new WeakMap<PoolClient, Session>();
  readonly #held = new Set<Session>();
  readonly #watch: Watch;
  /** Callers who wait for a connection or hold one. */
  #callers = 0;
  #onDrained: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: ExclusiveOptions) {
    this.#options = options;
    const { config, connectionsMax, waitMs, onIdleError } = options;
    this.#pool = new Pool({ ...config, max: connectionsMax, connectionTimeoutMillis: waitMs });
    // Without a listener the error of an idle connection would end the process.
    this.#pool.on('error', (error) => onIdleError(asLoss(error, false)));
    // The pool itself does not listen while a connection is out; whoever runs a statement on it is told.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    const silenceMax = beatsOf(options.silenceMs);
    this.#watch = new Watch(() => {
      for (const session of this.#held) session.beat(silenceMax);
      return this.#held.size > 0;
    });
  }

  /**
   * @throws OverloadedError at once when too many wait already, or after the time to wait when all are taken;
   * ConnectionLostError when none could be opened.
   */
  async acquire(signal?: AbortSignal): Promise<ExclusiveConnection> {
    signal?.throwIfAborted();
    if (this.#closed !== undefined) throw new Error('driver has already been destroyed');
    if (this.#pool.waitingCount >= this.#options.waitingMax) {
      throw new OverloadedError(`${this.#pool.waitingCount} callers are waiting for a connection already.`);
    }
    this.#callers += 1;
    const client = await this.#connectUnless(signal).catch((error) => {
      this.#leave();
      throw error;
    });
    const session = this.#sessionOf(client);
    this.#held.add(session);
    this.#watch.wake();
    const { onStatement } = this.#options;
    const onRelease = () => {
      this.#held.delete(session);
      this.#leave();
    };
    return new ExclusiveConnection({ client, session, onStatement, onRelease });
  }

  /** Takes nobody more, waits for those who wait or hold a connection, and ends the connections. */
  close(): Promise<void> {
    this.#closed ??= this.#drain();
    return this.#closed;
  }

  /** Whoever leaves while waiting is told at once; the connection that comes after all goes back. */
  async #connectUnless(signal: AbortSignal | undefined): Promise<PoolClient> {
    const connecting = this.#connect();
    if (signal === undefined) return connecting;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([connecting, aborted]);
    } catch (error) {
      if (signal.aborted) {
        connecting.then(
          (client) => client.release(),
          () => undefined,
        );
      }
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #connect(): Promise<PoolClient> {
    const { connectionsMax } = this.#options;
    const wasTaken = this.#pool.idleCount === 0 && this.#pool.totalCount >= connectionsMax;
    try {
      return await this.#pool.connect();
    } catch (cause) {
      // A pool that is still full says nothing about the database, only that nobody gave a connection back.
      const isTaken = wasTaken && this.#pool.idleCount === 0 && this.#pool.totalCount >= connectionsMax;
      if (isTaken) throw new OverloadedError('No connection to the database came free in time.', { cause });
      throw new ConnectionLostError('The database cannot be reached.', { cause });
    }
  }

  #sessionOf(client: PoolClient): Session {
    const known = this.#sessions.get(client);
    if (known !== undefined) return known;
    const session = new Session(client, this.#options.namesMax);
    this.#sessions.set(client, session);
    return session;
  }

  #leave(): void {
    this.#callers -= 1;
    if (this.#callers === 0) this.#onDrained?.();
  }

  async #drain(): Promise<void> {
    if (this.#callers > 0) {
      await new Promise<void>((resolve) => {
        this.#onDrained = resolve;
      });
    }
    await this.#pool.end();
    this.#watch.stop();
  }
}
