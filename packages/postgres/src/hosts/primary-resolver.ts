import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { ConnectionLostError } from '../errors.ts';
import { openDatabaseSocket } from '../protocol/host-addresses.ts';
import { SQLSTATE } from '../sqlstate.ts';
import { type Address, type ConnectionParameters, parseConnectionString } from './connection-string.ts';
import { ServerRole } from './server-role.ts';

/** The delay before the next host is probed beside one that has not responded, and before a host is probed again. */
const STAGGER_MS = 250;
/** The longest wait for the other hosts once one of them has failed, in milliseconds. */
const GRACE_MS = 1_000;
const PROBE_TIMEOUT_MS = 3_000;
/** The time for which a resolved address is used without another search, in milliseconds. */
const TTL_MS = 1_000;

/**
 * Finds the host that accepts writes among several (libpq's `target_session_attrs`). Pools, pipelines and listeners share
 * one resolver, and invalidate it when they lose a connection or find that their server accepts no writes.
 */
export class PrimaryResolver {
  readonly target: ConnectionParameters;
  readonly #applicationName: string | undefined;
  #resolved: Address | undefined;
  #resolvedMs = 0;
  /** The address to probe first: the one that was resolved last. */
  #last: Address;
  #search: Promise<Address> | undefined;

  /**
   * @param applicationName the name of its connections in `pg_stat_activity`
   * @throws TypeError for an invalid URL, without repeating it
   */
  constructor(url: string, applicationName?: string) {
    this.#applicationName = applicationName;
    this.target = parseConnectionString(url);
    [this.#last] = this.target.addresses;
  }

  /**
   * The address of the primary, cached for one second. Concurrent calls share one search. The hosts are probed in order,
   * starting with the last one resolved; a host that does not respond delays the next by 250 ms at most.
   * @throws ConnectionLostError if no host matches; the error of PostgreSQL if one accepts no more connections
   */
  async resolve(): Promise<Address> {
    if (this.#resolved !== undefined && performance.now() - this.#resolvedMs < TTL_MS) return this.#resolved;
    this.#search ??= this.#find().finally(() => {
      this.#search = undefined;
    });
    return this.#search;
  }

  /** Drops the cached address if it is this one, or whichever it is. */
  invalidate(address = this.#resolved): void {
    if (this.#resolved === address) this.#resolved = undefined;
  }

  async #find(): Promise<Address> {
    const { addresses } = this.target;
    // A single host needs no search: the connection itself checks whether it matches.
    if (addresses.length === 1) return this.#cache(addresses[0]);
    const order = [this.#last, ...addresses.filter((address) => address !== this.#last)];
    const ended = new AbortController();
    const { signal } = ended;
    const errors = new Map<Address, Error>();
    const failures: Promise<void>[] = [];
    let previous: Promise<unknown> = Promise.resolve();
    const probes = order.map((address) => {
      const { promise: failed, resolve } = Promise.withResolvers<void>();
      failures.push(failed);
      const start = previous;
      previous = start.then(() => Promise.race([failed, pause(signal)]));
      const onFailure = (error: Error) => {
        errors.set(address, error);
        resolve();
      };
      return start.then(() => this.#probeUntilMatch(address, onFailure, signal));
    });
    try {
      return this.#cache(await Promise.race([...probes, giveUp(failures, errors, signal)]));
    } finally {
      ended.abort();
    }
  }

  /** Probes a host again and again, because it may be promoted while the others are still being probed. */
  async #probeUntilMatch(
    address: Address,
    onFailure: (error: Error) => void,
    signal: AbortSignal,
  ): Promise<Address> {
    for (;;) {
      signal.throwIfAborted();
      try {
        await this.#probe(address, signal);
        return address;
      } catch (error) {
        onFailure(error as Error);
      }
      await pause(signal);
    }
  }

  #cache(address: Address): Address {
    this.#resolved = address;
    this.#resolvedMs = performance.now();
    this.#last = address;
    return address;
  }

  async #probe({ host, port }: Address, signal: AbortSignal): Promise<void> {
    const { config, targetSessionAttrs } = this.target;
    const client = new Client({
      ...config,
      connectionTimeoutMillis: PROBE_TIMEOUT_MS,
      application_name: this.#applicationName,
      stream: () => openDatabaseSocket(),
    });
    client.host = host;
    client.port = port;
    client.on('error', () => undefined);
    const role = ServerRole.watch(client);
    const abort = () => client.connection.stream.destroy();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await client.connect();
      await role.query(client);
      if (!role.matches(targetSessionAttrs)) throw new Error('does not accept writes');
    } finally {
      signal.removeEventListener('abort', abort);
      client.end().catch(() => undefined);
    }
  }
}

/** Ends early when the search has ended. */
function pause(signal: AbortSignal): Promise<void> {
  return setTimeout(STAGGER_MS, undefined, { signal }).catch(() => undefined);
}

/**
 * Waits until all hosts have failed, or until one has and the others have had their time.
 * @throws ConnectionLostError with why none matches; the error of PostgreSQL if one accepts no more connections
 */
async function giveUp(
  failures: Promise<void>[],
  errors: ReadonlyMap<Address, Error & { code?: unknown }>,
  signal: AbortSignal,
): Promise<never> {
  await Promise.race(failures);
  const timeMs = STAGGER_MS * (failures.length - 1) + GRACE_MS;
  await Promise.race([Promise.all(failures), setTimeout(timeMs, undefined, { signal })]);
  const full = [...errors.values()].find(({ code }) => code === SQLSTATE.tooManyConnections);
  const reasons = Array.from(errors, ([{ host, port }, { message }]) => `${host}:${port}: ${message}`);
  throw full ?? new ConnectionLostError(`No host of the database accepts writes (${reasons.join('; ')}).`);
}
