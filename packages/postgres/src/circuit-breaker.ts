import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { ConnectionLostError, OverloadedError } from './errors.ts';
import type { Opening } from './hosts/connection-factory.ts';
import { SQLSTATE } from './sqlstate.ts';
import { beatsOf, Watch } from './ticker.ts';

const RETRY_MS = 250;

/** Those who hold connections, as far as the reachability of the database concerns them. */
export interface Holder {
  /** Whether it waits for anything from the database. */
  readonly isAsking: boolean;
  /** No connection can be opened now: whoever waits for one is to be refused. */
  onAway(): void;
  /**
   * Nothing was heard on any connection for long, and a new one gets no answer either, or gets it from another server:
   * those that are meant are to be cut.
   */
  onSilence(why: string, isMeant: (client: Client) => boolean): void;
}

/**
 * Whether PostgreSQL can be reached, known once for all connections, so that a request need not find out by itself.
 * When a connection cannot be opened the database is away: whoever would need a new one is refused at once, while one
 * probe tries until it gets through. When nothing is heard on any connection for a while though something is asked, the
 * probe tries too, and where it hears nothing for as long either, the connections there are count as dead. Where several
 * servers are named, all this is about finding the one that is wanted: an attempt looks for it among all of them, and where
 * it answers elsewhere than where the silence is, the connections to the silent one count as dead.
 */
export class Reachability {
  readonly #opening: Opening;
  readonly #patience: number;
  readonly #holders: Holder[] = [];
  readonly #closing = new AbortController();
  readonly #watch = new Watch(() => this.#onBeat());
  #silentBeats = 0;
  /** Why no connection could be opened last. */
  #cause: Error | undefined;
  #back = Promise.withResolvers<void>();
  #probing: Promise<void> | undefined;

  /**
   * `patienceMs` is how long the database may leave everybody without a word before it is asked for a sign of life, and how
   * long it may take to give one.
   */
  constructor({ opening, patienceMs }: { opening: Opening; patienceMs: number }) {
    this.#opening = opening;
    this.#patience = beatsOf(patienceMs);
  }

  add(holder: Holder): void {
    this.#holders.push(holder);
  }

  get isAway(): boolean {
    return this.#cause !== undefined;
  }

  /** What somebody is told who would need a new connection while the database is away. */
  refusal(): Error {
    return refusalOf(this.#cause);
  }

  /** Something is asked of the database. */
  asked(): void {
    this.#watch.wake();
  }

  /** Something came from the database. */
  heard(): void {
    this.#silentBeats = 0;
  }

  /** A connection could not be opened. Answers what those who waited for it are told. */
  failed(cause: Error): Error {
    if (this.#closing.signal.aborted) return refusalOf(cause);
    const wasAway = this.isAway;
    if (!wasAway && codesOf(cause).includes(SQLSTATE.adminShutdown)) {
      this.#probe();
      return refusalOf(cause);
    }
    this.#cause = cause;
    if (!wasAway) for (const holder of this.#holders) holder.onAway();
    this.#probe();
    return this.refusal();
  }

  /** Resolves when a connection is worth trying, or when nobody needs one any more. */
  async whenBack(signal: AbortSignal): Promise<void> {
    if (!this.isAway || signal.aborted) return;
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => resolve(), { once: true });
    await Promise.race([this.#back.promise, aborted]);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#watch.stop();
    await this.#probing;
  }

  #onBeat(): boolean {
    if (!this.#holders.some(({ isAsking }) => isAsking)) {
      this.#silentBeats = 0;
      return false;
    }
    this.#silentBeats += 1;
    if (this.#silentBeats >= this.#patience) {
      if (this.isAway) this.#silence(() => true);
      else this.#probe();
    }
    return true;
  }

  #silence(isMeant: (client: Client) => boolean): void {
    this.#silentBeats = 0;
    for (const holder of this.#holders) holder.onSilence('The database does not answer any more.', isMeant);
  }

  #probe(): void {
    this.#probing ??= this.#probeUntilBack().finally(() => {
      this.#probing = undefined;
    });
  }

  /** The next attempt does not wait for the one before, which may hang in what is over by then. */
  async #probeUntilBack(): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([this.#closing.signal, over.signal]);
    while (!signal.aborted) {
      void this.#attempt(over, signal);
      await setTimeout(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #attempt(over: AbortController, signal: AbortSignal): Promise<void> {
    try {
      this.#opening.lookAnew();
      const { host, port } = await signOfLife(this.#opening, this.#patience, signal);
      if (signal.aborted) return;
      over.abort();
      if (this.#silentBeats >= this.#patience) {
        this.#silence((client) => client.host !== host || client.port !== port);
      }
      this.#isBack();
    } catch (error) {
      // One that ends after another got through says nothing any more.
      if (signal.aborted) return;
      this.failed(error as Error);
      if (this.#silentBeats >= this.#patience) this.#silence(() => true);
    }
  }

  #isBack(): void {
    this.#silentBeats = 0;
    if (!this.isAway) return;
    this.#cause = undefined;
    this.#back.resolve();
    this.#back = Promise.withResolvers();
  }
}

/** The SQLSTATEs of an error and of what caused it. */
function codesOf({ code, cause }: Error & { code?: unknown }): unknown[] {
  return [code, ...(cause instanceof Error ? codesOf(cause) : [])];
}

function refusalOf(cause: (Error & { code?: unknown }) | undefined): Error {
  if (cause?.code === SQLSTATE.tooManyConnections) {
    return new OverloadedError('The database takes no more connections.', { cause });
  }
  return new ConnectionLostError('The database cannot be reached.', { cause });
}

/**
 * Opens a connection and runs a statement that asks for nothing, which reaches the database behind a pooler too. Answers
 * which server it was.
 */
async function signOfLife(
  { config, Client }: Opening,
  beatsMax: number,
  signal: AbortSignal,
): Promise<{ host: string; port: number }> {
  const client = new Client({ ...config, connectionTimeoutMillis: 0 });
  const give = (why: string) => client.connection.stream.destroy(new ConnectionLostError(why));
  const onAbort = () => give('The connections are being closed.');
  client.on('error', () => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  let beats = 0;
  const patience = new Watch(() => {
    beats += 1;
    if (beats > beatsMax) give('The database has not answered in time.');
    return beats <= beatsMax;
  });
  patience.wake();
  try {
    await client.connect();
    await client.query('select');
    return client;
  } finally {
    patience.stop();
    signal.removeEventListener('abort', onAbort);
    // Nobody waits for the farewell, which a dead network would never end.
    client.end().catch(() => undefined);
  }
}
