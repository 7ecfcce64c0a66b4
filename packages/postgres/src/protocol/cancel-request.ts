import { type Client, Connection } from 'pg';
import { openDatabaseSocket } from '../hosts/host-addresses.ts';

/** The parts of node-postgres's connection and client that its types leave out. */
interface RawConnection {
  connect(port: number, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
}
interface Backend {
  processID: number;
  secretKey: number;
  sslNegotiation: string;
}

const TIMEOUT_MS = 2_000;

/**
 * Asks PostgreSQL to cancel what a connection is running, by a request on a connection of its own (CancelRequest), which
 * a pooler understands too. Ends when the request has been delivered, or could not be within two seconds: nobody is told
 * whether there was anything to cancel.
 */
export function cancelRunning(client: Client): Promise<void> {
  const { processID, secretKey, sslNegotiation } = client as unknown as Backend;
  const { host, port, ssl } = client;
  const settings = { ssl, sslNegotiation, stream: () => openDatabaseSocket() };
  const connection = new Connection(settings) as Connection & RawConnection;
  const request = () => connection.cancel(processID, secretKey);
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => connection.stream.destroy(), TIMEOUT_MS);
  connection.on('error', () => connection.stream.destroy());
  connection.once('end', () => {
    clearTimeout(timer);
    resolve();
  });
  if (!ssl) connection.once('connect', request);
  else if (sslNegotiation !== 'direct') connection.once('connect', () => connection.requestSsl());
  connection.once('sslconnect', request);
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}` as unknown as number);
  else connection.connect(port, host);
  return promise;
}
