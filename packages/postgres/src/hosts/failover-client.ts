import { Client, type ClientConfig } from 'pg';
import { ConnectionLostError } from '../errors.ts';
import { SQLSTATE } from '../sqlstate.ts';
import type { Address } from './connection-string.ts';
import type { ServerFinder } from './primary-resolver.ts';
import { Role } from './server-role.ts';

/**
 * A class of connections, as pools and pipelines make them, that each go to the server the finder knows when they are
 * opened. One that ends unasked, fails to open, or meets a server that takes no writes makes the finder look again.
 */
export function foundBy(finder: ServerFinder): typeof Client {
  const { config: own, target } = finder.addresses;
  return class FoundClient extends Client {
    #address: Address | undefined;
    readonly #role: Role;

    constructor(config: ClientConfig = {}) {
      super({ ...config, ...own });
      this.#role = Role.of(this, () => {
        if (this.#role.fits(target) === false) this.#forget();
      });
      this.connection.on('errorMessage', ({ code }: { code?: string }) => {
        if (code === SQLSTATE.readOnlySqlTransaction) this.#forget();
      });
      this.on('end', () => this.#forget());
    }

    override connect(): Promise<Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback: (error: null, client: Client) => void): void;
    override connect(callback?: unknown): Promise<Client> | undefined {
      const connecting = this.#connect();
      if (typeof callback !== 'function') return connecting.then(() => this);
      connecting.then(
        () => callback(null, this),
        (error: Error) => callback(error),
      );
      return undefined;
    }

    async #connect(): Promise<void> {
      this.#address = await this.#find();
      Object.assign(this, this.#address);
      try {
        await super.connect();
        if (this.#role.fits(target) === undefined) await this.#role.ask(this);
      } catch (error) {
        this.#forget();
        throw error;
      }
      if (this.#role.fits(target) !== false) return;
      this.#forget();
      this.connection.stream.destroy();
      throw new Error('The server takes no writes.');
    }

    /** Whoever gives a connection up destroys its stream, to which nobody listens before there is a server to connect to. */
    async #find(): Promise<Address> {
      const { stream } = this.connection;
      const { promise: givenUp, reject } = Promise.withResolvers<never>();
      givenUp.catch(() => undefined);
      stream.once('close', () => reject(new ConnectionLostError('The connection was given up.')));
      stream.on('error', reject);
      try {
        return await Promise.race([finder.find(), givenUp]);
      } catch (error) {
        // node-postgres tells only of the end of what has begun.
        process.nextTick(() => this.emit('end'));
        throw error;
      }
    }

    #forget(): void {
      if (this.#address !== undefined) finder.forget(this.#address);
    }
  };
}
