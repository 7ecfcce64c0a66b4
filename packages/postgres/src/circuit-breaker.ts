import { setTimeout } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { ConnectionLostError, toConnectError } from './errors.ts';

const PROBE_INTERVAL_MS = 250;
const WATCH_INTERVAL_MS = 100;

/**
 * Shared by all connections to one database. It opens when a connection cannot be opened, or when the database has not
 * completed anything for a while and does not answer a probe either. While it is open, callers that need a new connection are
 * rejected at once, and one probe tries to connect up to four times a second; the first success closes it.
 */
export class CircuitBreaker {
  readonly #config: ClientConfig;
  readonly #unresponsiveMs: number;
  readonly #onUnresponsive: Set<(error: Error) => void> = new Set();
  readonly #destroyed = new AbortController();
  #cause: Error | undefined;
  #probing: Promise<void> | undefined;
  #inFlight = 0;
  #respondedMs = 0;
  #watch: NodeJS.Timeout | undefined;

  /** @param unresponsiveMs the time without any response after which a probe is sent, and the longest time of a probe */
  constructor(config: ClientConfig, unresponsiveMs: number) {
    this.#config = config;
    this.#unresponsiveMs = unresponsiveMs;
  }

  get isOpen(): boolean {
    return this.#cause !== undefined;
  }

  /** The error for those who need a new connection while the circuit is open. */
  error(): Error {
    return toConnectError(this.#cause ?? new Error('The database is unavailable.'));
  }

  /** Calls a function when the database does not respond: what is in flight will not be answered. */
  onUnresponsive(listener: (error: Error) => void): void {
    this.#onUnresponsive.add(listener);
  }

  /** To be called when a statement is sent. */
  sent(): void {
    if (this.#inFlight === 0) this.#respondedMs = performance.now();
    this.#inFlight += 1;
    this.#watch ??= setInterval(() => this.#check(), WATCH_INTERVAL_MS).unref();
  }

  /** To be called when a statement has ended, whether or not it failed. */
  ended(): void {
    this.#inFlight -= 1;
    this.#respondedMs = performance.now();
  }

  /** To be called when a connection could not be opened. Returns the error for those who waited for it. */
  connectFailed(cause: Error): Error {
    if (!this.#destroyed.signal.aborted) {
      this.#cause = cause;
      this.#startProbing();
    }
    return toConnectError(cause);
  }

  /** Ends the probes. */
  async destroy(): Promise<void> {
    this.#destroyed.abort();
    clearInterval(this.#watch);
    await this.#probing;
  }

  #check(): void {
    if (this.#inFlight === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    } else if (performance.now() - this.#respondedMs > this.#unresponsiveMs) this.#startProbing();
  }

  #startProbing(): void {
    this.#probing ??= this.#probeUntilConnected().finally(() => {
      this.#probing = undefined;
    });
  }

  /** Starts the next attempt without waiting for the one before, which may hang in a network that works again by then. */
  async #probeUntilConnected(): Promise<void> {
    const connected = new AbortController();
    const signal = AbortSignal.any([this.#destroyed.signal, connected.signal]);
    while (!signal.aborted) {
      void this.#attempt(connected);
      await setTimeout(PROBE_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #attempt(connected: AbortController): Promise<void> {
    const client = new Client({
      ...this.#config,
      connectionTimeoutMillis: this.#unresponsiveMs,
      query_timeout: this.#unresponsiveMs,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      // Reaches the server even behind a pooler.
      await client.query('select');
      connected.abort();
      this.#respondedMs = performance.now();
      this.#cause = undefined;
    } catch (error) {
      if (connected.signal.aborted || this.#destroyed.signal.aborted) return;
      this.#cause = error as Error;
      if (performance.now() - this.#respondedMs <= this.#unresponsiveMs) return;
      const lost = new ConnectionLostError('The database does not respond.', { cause: error });
      for (const listener of this.#onUnresponsive) listener(lost);
    } finally {
      // Not awaited: over a dead network it would never end.
      client.end().catch(() => undefined);
    }
  }
}
