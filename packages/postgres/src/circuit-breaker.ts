import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { ConnectionLostError, OverloadedError } from './errors.ts';
import type { ConnectionFactory } from './hosts/connection-factory.ts';
import { SQLSTATE } from './sqlstate.ts';
import { Ticker, toTicks } from './ticker.ts';

const PROBE_INTERVAL_MS = 250;

/** A holder of connections, which the circuit breaker asks and closes. */
export interface ConnectionOwner {
  /** Whether it waits for the database. */
  readonly isWaiting: boolean;
  /** The circuit has opened: callers that wait for a new connection must be rejected. */
  onOpen(): void;
  /** Connections for which `isDead` returns true will not respond any more and must be destroyed. */
  onUnresponsive(message: string, isDead: (client: Client) => boolean): void;
}

export interface CircuitBreakerOptions {
  factory: ConnectionFactory;
  /** For how long no connection may receive anything before a probe is sent, and how long a probe may take. */
  unresponsiveMs: number;
}

/**
 * A circuit breaker with active probes, shared by all connections to one database.
 *
 * It opens when a connection cannot be opened. While it is open, callers that need a new connection are rejected at once, and
 * one probe tries to connect up to four times a second; the first success closes it.
 *
 * It also probes when statements are in flight but no connection has received anything for a while. If the probe gets no
 * response either, all connections are destroyed. If the probe reaches another of several hosts, those to the silent host are.
 */
export class CircuitBreaker {
  readonly #factory: ConnectionFactory;
  readonly #unresponsiveTicks: number;
  readonly #owners: ConnectionOwner[] = [];
  readonly #destroyed = new AbortController();
  readonly #ticker = new Ticker(() => this.#onTick());
  #silentTicks = 0;
  /** The error of the last attempt to connect, while the circuit is open. */
  #cause: Error | undefined;
  #closed = Promise.withResolvers<void>();
  #probing: Promise<void> | undefined;

  constructor({ factory, unresponsiveMs }: CircuitBreakerOptions) {
    this.#factory = factory;
    this.#unresponsiveTicks = toTicks(unresponsiveMs);
  }

  register(owner: ConnectionOwner): void {
    this.#owners.push(owner);
  }

  get isOpen(): boolean {
    return this.#cause !== undefined;
  }

  /** The error for those who need a new connection while the circuit is open. */
  error(): Error {
    return toRejection(this.#cause);
  }

  /** To be called when something is sent to the database, or a connection is opened. */
  requestSent(): void {
    this.#ticker.start();
  }

  /** To be called when anything is received. */
  messageReceived(): void {
    this.#silentTicks = 0;
  }

  /** To be called when a connection could not be opened. Returns the error for those who waited for it. */
  connectFailed(cause: Error): Error {
    if (this.#destroyed.signal.aborted) return toRejection(cause);
    const wasOpen = this.isOpen;
    if (!wasOpen && codesOf(cause).includes(SQLSTATE.adminShutdown)) {
      this.#startProbing();
      return toRejection(cause);
    }
    this.#cause = cause;
    if (!wasOpen) for (const owner of this.#owners) owner.onOpen();
    this.#startProbing();
    return this.error();
  }

  /** Resolves when the circuit is closed, or when the signal is aborted. */
  async whenClosed(signal: AbortSignal): Promise<void> {
    if (!this.isOpen || signal.aborted) return;
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => resolve(), { once: true });
    await Promise.race([this.#closed.promise, aborted]);
  }

  /** Ends the probes. */
  async destroy(): Promise<void> {
    this.#destroyed.abort();
    this.#ticker.stop();
    await this.#probing;
  }

  #onTick(): boolean {
    if (!this.#owners.some(({ isWaiting }) => isWaiting)) {
      this.#silentTicks = 0;
      return false;
    }
    this.#silentTicks += 1;
    if (this.#silentTicks >= this.#unresponsiveTicks) {
      if (this.isOpen) this.#destroyConnections(() => true);
      else this.#startProbing();
    }
    return true;
  }

  #destroyConnections(isDead: (client: Client) => boolean): void {
    this.#silentTicks = 0;
    for (const owner of this.#owners) owner.onUnresponsive('The database does not respond.', isDead);
  }

  #startProbing(): void {
    this.#probing ??= this.#probeUntilConnected().finally(() => {
      this.#probing = undefined;
    });
  }

  /** Starts the next attempt without waiting for the previous one, which may hang in a network that works again by then. */
  async #probeUntilConnected(): Promise<void> {
    const connected = new AbortController();
    const signal = AbortSignal.any([this.#destroyed.signal, connected.signal]);
    while (!signal.aborted) {
      void this.#attempt(connected, signal);
      await setTimeout(PROBE_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #attempt(connected: AbortController, signal: AbortSignal): Promise<void> {
    try {
      this.#factory.invalidate();
      const { host, port } = await probe(this.#factory, this.#unresponsiveTicks, signal);
      if (signal.aborted) return;
      connected.abort();
      if (this.#silentTicks >= this.#unresponsiveTicks) {
        this.#destroyConnections((client) => client.host !== host || client.port !== port);
      }
      this.#close();
    } catch (error) {
      // The result of an attempt that ends after another has succeeded is outdated.
      if (signal.aborted) return;
      this.connectFailed(error as Error);
      if (this.#silentTicks >= this.#unresponsiveTicks) this.#destroyConnections(() => true);
    }
  }

  #close(): void {
    this.#silentTicks = 0;
    if (!this.isOpen) return;
    this.#cause = undefined;
    this.#closed.resolve();
    this.#closed = Promise.withResolvers();
  }
}

/** The codes of an error and of its causes. */
function codesOf({ code, cause }: Error & { code?: unknown }): unknown[] {
  return [code, ...(cause instanceof Error ? codesOf(cause) : [])];
}

function toRejection(cause: (Error & { code?: unknown }) | undefined): Error {
  if (cause?.code === SQLSTATE.tooManyConnections) {
    return new OverloadedError('The database accepts no more connections.', { cause });
  }
  return new ConnectionLostError('Cannot connect to the database.', { cause });
}

/**
 * Opens a connection and runs an empty `select`, which reaches the server even behind a pooler.
 * @returns the server that responded
 * @throws what prevents it; ConnectionLostError after `ticksMax`, or if the signal is aborted
 */
async function probe(
  { config, Client }: ConnectionFactory,
  ticksMax: number,
  signal: AbortSignal,
): Promise<{ host: string; port: number }> {
  const client = new Client({ ...config, connectionTimeoutMillis: 0 });
  const abandon = (message: string) => client.connection.stream.destroy(new ConnectionLostError(message));
  const onAbort = () => abandon('The connections are being closed.');
  client.on('error', () => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  let ticks = 0;
  const timeout = new Ticker(() => {
    ticks += 1;
    if (ticks > ticksMax) abandon('The database did not respond in time.');
    return ticks <= ticksMax;
  });
  timeout.start();
  try {
    await client.connect();
    await client.query('select');
    return client;
  } finally {
    timeout.stop();
    signal.removeEventListener('abort', onAbort);
    // Not awaited: over a dead network it would never end.
    client.end().catch(() => undefined);
  }
}
