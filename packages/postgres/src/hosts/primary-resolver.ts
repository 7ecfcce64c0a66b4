import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { ConnectionLostError } from '../errors.ts';
import { SQLSTATE } from '../sqlstate.ts';
import { type Address, type Addresses, readAddresses } from './connection-string.ts';
import { openDatabaseSocket } from './host-addresses.ts';
import { Role } from './server-role.ts';

/** How long one server that says nothing is tried alone before the next is tried beside it, and one is left in peace between two tries. */
const STAGGER_MS = 250;
/** How long the others are waited for once one of them has answered that it is not the one. */
const GRACE_MS = 1_000;
const PROBE_MAX_MS = 3_000;
/** How long a server that was found is taken to be the right one without another look. */
const BELIEVED_MS = 1_000;

/**
 * Knows which of several servers is the one to write to, for everything that connects: pools, pipelines, listeners and
 * migrations ask the same one. Whoever loses a connection, or meets a server that takes no writes, makes it look again.
 */
export class ServerFinder {
  readonly addresses: Addresses;
  #known: Address | undefined;
  #knownMs = 0;
  /** Where to look first: what was right before. */
  #last: Address;
  #search: Promise<Address> | undefined;

  /** @throws TypeError where the URL is not one; it says why. */
  constructor(url: string) {
    this.addresses = readAddresses(url);
    [this.#last] = this.addresses.addresses;
  }

  /**
   * Where the server is. One search serves all who ask meanwhile. The servers are tried in order, the one that was right
   * before first; one that does not answer holds up nobody for longer than 250 ms. What was found holds for a second.
   * @throws ConnectionLostError when none of them is as wanted; what PostgreSQL says where one takes no more connections.
   */
  async find(): Promise<Address> {
    if (this.#known !== undefined && performance.now() - this.#knownMs < BELIEVED_MS) return this.#known;
    this.#search ??= this.#look().finally(() => {
      this.#search = undefined;
    });
    return this.#search;
  }

  /** That this one, or whichever is known, is not, or may not be, the right one any more. */
  forget(address = this.#known): void {
    if (this.#known === address) this.#known = undefined;
  }

  async #look(): Promise<Address> {
    const { addresses } = this.addresses;
    // With one there is nothing to choose: whether it is as wanted is seen at the connection itself.
    if (addresses.length === 1) return this.#take(addresses[0]);
    const order = [this.#last, ...addresses.filter((address) => address !== this.#last)];
    const ended = new AbortController();
    const { signal } = ended;
    const refusals = new Refusals(order.length);
    let turn: Promise<unknown> = Promise.resolve();
    const probes = order.map((address) => {
      const { promise: refused, resolve } = Promise.withResolvers<void>();
      const mine = turn;
      turn = mine.then(() => Promise.race([refused, pause(signal)]));
      const onRefusal = (error: Error) => {
        resolve();
        refusals.add(address, error);
      };
      return mine.then(() => this.#askUntilFound(address, onRefusal, signal));
    });
    try {
      return this.#take(await Promise.race([...probes, refusals.enough]));
    } finally {
      ended.abort();
      refusals.close();
    }
  }

  /** While the others are still asked, one that was refused may be promoted. */
  async #askUntilFound(
    address: Address,
    onRefusal: (error: Error) => void,
    signal: AbortSignal,
  ): Promise<Address> {
    for (;;) {
      signal.throwIfAborted();
      try {
        await this.#probe(address, signal);
        return address;
      } catch (error) {
        onRefusal(error as Error);
      }
      await pause(signal);
    }
  }

  #take(address: Address): Address {
    this.#known = address;
    this.#knownMs = performance.now();
    this.#last = address;
    return address;
  }

  async #probe({ host, port }: Address, signal: AbortSignal): Promise<void> {
    const { config, target } = this.addresses;
    const client = new Client({
      ...config,
      connectionTimeoutMillis: PROBE_MAX_MS,
      application_name: 'roster finder',
      stream: () => openDatabaseSocket(),
    });
    Object.assign(client, { host, port });
    client.on('error', () => undefined);
    const role = Role.of(client);
    const leave = () => client.connection.stream.destroy();
    signal.addEventListener('abort', leave, { once: true });
    try {
      await client.connect();
      if (role.fits(target) === undefined) await role.ask(client);
      if (role.fits(target) !== true) throw new Error('takes no writes');
    } finally {
      signal.removeEventListener('abort', leave);
      client.end().catch(() => undefined);
    }
  }
}

/** Ends early when the search is over. */
function pause(signal: AbortSignal): Promise<void> {
  return setTimeout(STAGGER_MS, undefined, { signal }).catch(() => undefined);
}

/** Why servers are not the one that is wanted, and whether it is time to give up. */
class Refusals {
  readonly #errors = new Map<Address, Error & { code?: unknown }>();
  readonly #servers: number;
  #timer: NodeJS.Timeout | undefined;
  readonly #enough = Promise.withResolvers<never>();

  constructor(servers: number) {
    this.#servers = servers;
  }

  /** Rejects when all have refused, or when one has and the others have had their time. */
  get enough(): Promise<never> {
    return this.#enough.promise;
  }

  add(address: Address, error: Error): void {
    this.#errors.set(address, error);
    if (this.#errors.size === this.#servers) this.#giveUp();
    else
      this.#timer ??= globalThis.setTimeout(
        () => this.#giveUp(),
        STAGGER_MS * (this.#servers - 1) + GRACE_MS,
      );
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #giveUp(): void {
    const errors = [...this.#errors];
    const full = errors.find(([, { code }]) => code === SQLSTATE.tooManyConnections);
    const why = errors.map(([{ host, port }, { message }]) => `${host}:${port}: ${message}`).join('; ');
    this.#enough.reject(
      full?.[1] ?? new ConnectionLostError(`No server of the database takes writes (${why}).`),
    );
  }
}
