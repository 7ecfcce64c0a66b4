import type { Client, Connection } from 'pg';

/**
 * The members of node-postgres that this package uses and that are not part of its documented API. All uses go through
 * this file, and pg-internals.test.ts fails if the installed version has changed, so that they are reviewed again.
 */
interface ClientInternals {
  readonly processID: number;
  readonly secretKey: number;
  readonly sslNegotiation: string;
}

interface ConnectionInternals {
  /** The socket; replaced before `connect` to read into a buffer of our own. */
  stream: Connection['stream'];
  /** The TLS options, or false. */
  readonly ssl: unknown;
  /** Called by `connect` with the socket, or with the TLS socket, to parse what it receives; may be replaced. */
  attachListeners(stream: Connection['stream']): void;
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

export function clientInternals(client: Client): Client & ClientInternals {
  return client as Client & ClientInternals;
}

export function connectionInternals(connection: Connection): Connection & ConnectionInternals {
  return connection as Connection & ConnectionInternals;
}
