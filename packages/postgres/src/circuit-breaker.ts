import { EventEmitter } from 'node:events';
import { Client, type ClientConfig } from 'pg';
import { ConnectionLostError, toConnectError } from './errors.ts';

const PROBE_INTERVAL_MS = 250;
const CHECK_INTERVAL_MS = 100;

/**
 * Shared by all connections to one database. It opens when a connection cannot be opened, or when the database has not
 * completed anything for a while and does not respond to a probe either: its connections are then dead (event `unresponsive`). While
 * it is open, callers that need a new connection are rejected at once, and probes try to connect four times a second; the first
 * success closes it.
 */
export class CircuitBreaker extends EventEmitter<{ unresponsive: [] }> {
  readonly #config: ClientConfig;
  readonly #unresponsiveMs: number;
  /** The operations that wait for the database, each as the function that fails it. */
  readonly #inFlight = new Set<(why: Error) => void>();
  readonly #checks = setInterval(() => this.#check(), CHECK_INTERVAL_MS).unref();
  #probes: NodeJS.Timeout | undefined;
  #cause: Error | undefined;
  #respondedMs = 0;
  #isDestroyed = false;

  /** @param unresponsiveMs the time without any response after which a probe is sent, and the longest time of a probe */
  constructor(config: ClientConfig, unresponsiveMs: number) {
    super();
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

  /** Starts an operation of node-postgres and waits for its callback, but fails if the database does not respond. */
  waitFor<Result>(start: (done: (error?: Error | null, result?: Result) => void) => void): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.#inFlight.size === 0) this.#respondedMs = performance.now();
      this.#inFlight.add(reject);
      start((error, result) => {
        this.#inFlight.delete(reject);
        this.#respondedMs = performance.now();
        if (error) reject(error);
        else resolve(result as Result);
      });
    });
  }

  /** To be called when a connection could not be opened. Returns the error for those who waited for it. */
  connectFailed(cause: Error): Error {
    this.#cause = cause;
    this.#startProbing();
    return toConnectError(cause);
  }

  /** Ends the probes. */
  destroy(): void {
    this.#isDestroyed = true;
    clearInterval(this.#checks);
    clearInterval(this.#probes);
  }

  #check(): void {
    if (this.#inFlight.size > 0 && this.#isSilent()) this.#startProbing();
  }

  #isSilent(): boolean {
    return performance.now() - this.#respondedMs > this.#unresponsiveMs;
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
      this.#respondedMs = performance.now();
      this.#cause = undefined;
      clearInterval(probes);
      if (this.#probes === probes) this.#probes = undefined;
    } catch (error) {
      if (this.#probes !== probes) return;
      this.#cause = error as Error;
      if (!this.#isSilent()) return;
      const lost = new ConnectionLostError('The database does not respond.', { cause: error });
      for (const fail of this.#inFlight) fail(lost);
      this.#inFlight.clear();
      this.emit('unresponsive');
    } finally {
      // Not awaited: over a dead network it would never end.
      client.end().catch(() => undefined);
    }
  }
}
