import { type Client, Connection } from 'pg';
import { openDatabaseSocket } from './host-addresses.ts';
import { clientInternals, connectionInternals } from './pg-internals.ts';

const TIMEOUT_MS = 2_000;

/**
 * Cancels the statement that a connection is running, with a CancelRequest on a connection of its own; poolers support it
 * too. Resolves when the request has been delivered, or after two seconds. The protocol does not tell whether a
 * statement was running.
 */
export function cancelRequest(client: Client): Promise<void> {
  const { processID, secretKey, sslNegotiation, host, port, ssl } = clientInternals(client);
  const settings = { ssl, sslNegotiation, stream: () => openDatabaseSocket() };
  const connection = connectionInternals(new Connection(settings));
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
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
  return promise;
}
