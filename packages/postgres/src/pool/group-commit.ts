import type { CompiledQuery, QueryResult } from 'kysely';
import { ConnectionLostError, OverloadedError } from '../errors.ts';
import { type Order, orderOf } from '../protocol/statement.ts';
import type { ExclusiveConnection } from './connection.ts';
import type { ExclusiveConnections } from './pool.ts';

interface SharedCommitsOptions {
  connections: ExclusiveConnections;
  /** Transactions of several statements at once, at most. */
  connectionsMax: number;
  /** Statements that wait for a connection at most. */
  waitingMax: number;
  /** How long one waits for a connection; 0 for as long as it takes. */
  waitMs: number;
}

/** A statement somebody waits for. */
interface Write {
  query: CompiledQuery;
  order: Order;
  askedMs: number;
  resolve: (result: QueryResult<unknown>) => void;
  reject: (error: unknown) => void;
}

/** Statements in one transaction at most: beyond so many, a commit has a small part in what each costs. */
const TOGETHER_MAX = 8;

/**
 * A statement that waits longer for a lock than this, in milliseconds, does so in a transaction of its own: others
 * neither wait for it, nor do its locks and theirs wait for each other for long.
 */
const LOCK_TIMEOUT_MS = 100;
const shortly = orderOf({
  sql: "select set_config('lock_timeout', $1, true)",
  parameters: [String(LOCK_TIMEOUT_MS)],
});

/**
 * Single statements that write, each of which is a transaction to whoever asked for it. To commit costs PostgreSQL about
 * as much as to change a record, and its disk far more; so what comes while all connections are busy is run in the order
 * it came, several statements in one transaction. Where one of them fails, none has happened, and each is run again in a
 * transaction of its own: so nobody meets another's error, and whoever fails learns why.
 */
export class SharedCommits {
  readonly #options: SharedCommitsOptions;
  readonly #queue: Write[] = [];
  /** Connections that were asked for and are not there yet. */
  #asked = 0;
  /** Connections on which statements run. */
  #running = 0;
  /** Statements taken from the queue and not ended. */
  #taken = 0;
  /** How many run together: halved when they fail, and more again by one each time they do not. */
  #together = TOGETHER_MAX;
  #onDrained: (() => void) | undefined;
  #isClosed = false;

  constructor(options: SharedCommitsOptions) {
    this.#options = options;
  }

  /**
   * Runs a statement, alone or with others.
   * @throws OverloadedError and ConnectionLostError as `ExclusiveConnections.acquire`.
   */
  async run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isClosed) throw new Error('driver has already been destroyed');
    if (this.#queue.length >= this.#options.waitingMax) {
      throw new OverloadedError(`${this.#queue.length} statements are waiting for a connection already.`);
    }
    const order = orderOf(query);
    return new Promise((resolve, reject) => {
      const askedMs = performance.now();
      this.#queue.push({ query, order, askedMs, resolve: resolve as Write['resolve'], reject });
      this.#ask();
    });
  }

  /** Statements that wait beside those for which a connection was asked. */
  get waiting(): number {
    return Math.max(0, this.#queue.length - this.#asked);
  }

  /** Takes nothing more, and waits for what is there. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#queue.length + this.#taken === 0) return;
    await new Promise<void>((resolve) => {
      this.#onDrained = resolve;
    });
  }

  #ask(): void {
    const free = this.#options.connectionsMax - this.#running - this.#asked;
    const wanted = Math.min(free, this.#queue.length - this.#asked);
    for (let count = 0; count < wanted; count += 1) {
      this.#asked += 1;
      void this.#serve();
    }
  }

  async #serve(): Promise<void> {
    let connection: ExclusiveConnection;
    try {
      connection = await this.#options.connections.acquire({ isTold: false });
    } catch (error) {
      this.#asked -= 1;
      this.#refuse(error);
      this.#ask();
      return;
    }
    // As many for each connection that is to come.
    const writes = this.#queue.splice(
      0,
      Math.min(this.#together, Math.ceil(this.#queue.length / this.#asked)),
    );
    this.#asked -= 1;
    this.#running += 1;
    this.#taken += writes.length;
    const unsettled = await this.#runOn(connection, writes);
    this.#settled(writes.length - unsettled.length);
    this.#running -= 1;
    await connection.release();
    this.#ask();
    for (const write of unsettled) void this.#runAlone(write);
  }

  /** Runs statements and settles them; answers those that have not happened and are to be run each alone. */
  async #runOn(connection: ExclusiveConnection, writes: Write[]): Promise<Write[]> {
    const [first] = writes;
    if (first === undefined) return [];
    try {
      if (writes.length === 1) {
        first.resolve(await connection.executeQuery(first.query));
        this.#wentWell();
        return [];
      }
      const [, ...outcomes] = await connection.runTogether([shortly, ...writes.map(({ order }) => order)]);
      this.#wentWell();
      for (const [index, { result, broken }] of outcomes.entries()) {
        if (broken === undefined) writes[index]?.resolve(result);
        else writes[index]?.reject(broken);
      }
      return [];
    } catch (error) {
      const isTheirOwn = writes.length === 1;
      if (!isTheirOwn) this.#together = Math.ceil(this.#together / 2);
      // Where the connection broke it is not known whether they have happened, so they are not run again.
      if (!isTheirOwn && !(error instanceof ConnectionLostError)) return writes;
      for (const { reject } of writes) reject(error);
      return [];
    }
  }

  #wentWell(): void {
    this.#together = Math.min(this.#together + 1, TOGETHER_MAX);
  }

  async #runAlone({ query, resolve, reject }: Write): Promise<void> {
    try {
      const connection = await this.#options.connections.acquire({ isTold: false });
      await connection.executeQuery(query).then(resolve, reject);
      await connection.release();
    } catch (error) {
      reject(error);
    } finally {
      this.#settled(1);
    }
  }

  #settled(count: number): void {
    this.#taken -= count;
    if (this.#taken + this.#queue.length === 0) this.#onDrained?.();
  }

  /** No connection came: those who have waited for it are refused, and where none can be opened, everybody. */
  #refuse(why: unknown): void {
    const { waitMs } = this.#options;
    const nowMs = performance.now();
    const isRefused = ({ askedMs }: Write) => !(why instanceof OverloadedError) || nowMs - askedMs >= waitMs;
    let count = this.#queue.findIndex((write) => !isRefused(write));
    if (count === -1) count = this.#queue.length;
    // At least one, or a connection that is refused at once would be asked for again and again.
    for (const { reject } of this.#queue.splice(0, Math.max(count, 1))) reject(why);
    this.#settled(0);
  }
}
