import { Client, type ClientConfig } from 'pg';
import { ConnectionLostError } from '../errors.ts';
import { SQLSTATE } from '../sqlstate.ts';
import type { Address } from './connection-string.ts';
import type { PrimaryResolver } from './primary-resolver.ts';
import { ServerRole } from './server-role.ts';

/**
 * A class of connections to the host that a resolver returns when they are opened. The resolver is invalidated when one of
 * them ends unexpectedly, fails to open, or finds that its server accepts no writes.
 */
export function failoverClient(resolver: PrimaryResolver): typeof Client {
  const { config: ownConfig, targetSessionAttrs } = resolver.target;
  return class FailoverClient extends Client {
    #address: Address | undefined;
    readonly #role: ServerRole;

    constructor(config: ClientConfig = {}) {
      super({ ...config, ...ownConfig });
      this.#role = ServerRole.watch(this, () => {
        if (!this.#role.matches(targetSessionAttrs)) this.#invalidate();
      });
      this.connection.on('errorMessage', ({ code }: { code?: string }) => {
        if (code === SQLSTATE.readOnlySqlTransaction) this.#invalidate();
      });
      this.on('end', () => this.#invalidate());
      // The creator may listen only when `connect` has resolved. An error between, without a listener, would end the process;
      // the next statement of the connection fails with it.
      this.on('error', () => undefined);
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
      this.#address = await this.#resolve();
      this.host = this.#address.host;
      this.port = this.#address.port;
      try {
        await super.connect();
        if (targetSessionAttrs !== 'any') await this.#role.query(this);
      } catch (error) {
        this.#invalidate();
        throw error;
      }
      if (this.#role.matches(targetSessionAttrs)) return;
      this.#invalidate();
      this.connection.stream.destroy();
      throw new Error('The server does not accept writes.');
    }

    /** To give a connection up, its stream is destroyed; node-postgres listens to the stream only after this. */
    async #resolve(): Promise<Address> {
      const { stream } = this.connection;
      const { promise: destroyed, reject } = Promise.withResolvers<never>();
      destroyed.catch(() => undefined);
      stream.once('close', () => reject(new ConnectionLostError('The connection was closed.')));
      stream.on('error', reject);
      try {
        return await Promise.race([resolver.resolve(), destroyed]);
      } catch (error) {
        // node-postgres emits `end` only for a connection that it has begun to open.
        process.nextTick(() => this.emit('end'));
        throw error;
      }
    }

    #invalidate(): void {
      if (this.#address !== undefined) resolver.invalidate(this.#address);
    }
  };
}
