import { Client, type ClientConfig } from 'pg';
import { ConnectionLostError, toConnectError } from './errors.ts';

const PROBE_INTERVAL_MS = 250;
const WATCH_INTERVAL_MS = 100;

/**
 * Shared by all connections to one database. It opens when a connection cannot be opened, or when the database has not
 * completed anything for a while and does not answer a probe either. While it is open, callers that need a new connection are
 * rejected at once, and probes try to connect four times a second; the first success closes it.
 */
export class CircuitBreaker {
  readonly #config: ClientConfig;
  readonly #unresponsiveMs: number;
  readonly #onUnresponsive: (() => void)[] = [];
  /** The statements and callers that wait for the database, each as the function that fails it. */
  readonly #inFlight = new Set<(why: Error) => void>();
  #cause: Error | undefined;
  #respondedMs = 0;
  #watch: NodeJS.Timeout | undefined;
  #probes: NodeJS.Timeout | undefined;
  #isDestroyed = false;

  /** @param unresponsiveMs the time without any response after which a probe is sent, and the longest time of a probe */
  constructor(config: ClientConfig, unresponsiveMs: number) {
    this.#config = { ...config, connectionTimeoutMillis: unresponsiveMs, query_timeout: unresponsiveMs };
    this.#unresponsiveMs = unresponsiveMs;
  }

  get isOpen(): boolean {
    return this.#cause !== undefined;
  }

  /** The error for those who need a new connection while the circuit is open. */
  error(): Error {
    return toConnectError(this.#cause ?? new Error('The database is unavailable.'));
  }

  /** Calls a function when the database does not respond, so that its connections are dead. */
  onUnresponsive(listener: () => void): void {
    this.#onUnresponsive.push(listener);
  }

  /** To be called when something is sent. If the database does not respond, it fails. */
  sent(fail: (why: Error) => void): void {
    if (this.#inFlight.size === 0) this.#respondedMs = performance.now();
    this.#inFlight.add(fail);
    this.#watch ??= setInterval(() => this.#check(), WATCH_INTERVAL_MS).unref();
  }

  /** To be called when what was sent has ended, whether or not it failed. */
  ended(fail: (why: Error) => void): void {
    this.#inFlight.delete(fail);
    this.#respondedMs = performance.now();
  }

  /** To be called when a connection could not be opened. Returns the error for those who waited for it. */
  connectFailed(cause: Error): Error {
    if (!this.#isDestroyed) this.#cause = cause;
    this.#startProbing();
    return toConnectError(cause);
  }

  /** Ends the probes. */
  destroy(): void {
    this.#isDestroyed = true;
    clearInterval(this.#watch);
    clearInterval(this.#probes);
  }

  #check(): void {
    if (this.#inFlight.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    } else if (performance.now() - this.#respondedMs > this.#unresponsiveMs) this.#startProbing();
  }

  /** A probe does not wait for the one before, which may hang in a network that works again by then. */
  #startProbing(): void {
    if (this.#isDestroyed || this.#probes !== undefined) return;
    const probes = setInterval(() => this.#probe(probes), PROBE_INTERVAL_MS).unref();
    this.#probes = probes;
    void this.#probe(probes);
  }

  async #probe(probes: NodeJS.Timeout): Promise<void> {
    const client = new Client(this.#config);
    client.on('error', () => undefined);
    try {
      await client.connect();
      // Reaches the server even behind a pooler.
      await client.query('select');
      clearInterval(probes);
      if (this.#probes === probes) this.#probes = undefined;
      this.#respondedMs = performance.now();
      this.#cause = undefined;
    } catch (error) {
      if (this.#probes !== probes || this.#isDestroyed) return;
      this.#cause = error as Error;
      if (performance.now() - this.#respondedMs <= this.#unresponsiveMs) return;
      const lost = new ConnectionLostError('The database does not respond.', { cause: error });
      for (const fail of this.#inFlight) fail(lost);
      this.#inFlight.clear();
      for (const listener of this.#onUnresponsive) listener();
    } finally {
      // Not awaited: over a dead network it would never end.
      client.end().catch(() => undefined);
    }
  }
}
