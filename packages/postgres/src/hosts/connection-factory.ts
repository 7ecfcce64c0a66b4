import { Client, type ClientConfig } from 'pg';
import { readAddresses } from './connection-string.ts';
import { foundBy } from './failover-client.ts';
import { openDatabaseSocket } from './host-addresses.ts';
import { ServerFinder } from './primary-resolver.ts';

/**
 * Where PostgreSQL is: a `postgres://` URL of one server or of several, what the embedded one answers, or the finder
 * that several connections share.
 */
export type Place =
  | string
  | { host: string; port: number; user: string; database: string; password?: string }
  | ServerFinder;

/** With what connections to a place are opened. */
export interface Opening {
  config: ClientConfig;
  Client: typeof Client;
  /** To be called where the server may be another by now: the next connection looks for it, where there are several. */
  lookAnew(): void;
}

/** As node-postgres calls it, with settings that are none of the socket's. */
const stream = () => openDatabaseSocket();

/** How to open connections to a place. @throws TypeError for a URL that is none. */
export function openingOf(place: Place): Opening {
  const shared = typeof place === 'string' ? sharedPlace(place) : place;
  if (shared instanceof ServerFinder) {
    return { config: { stream }, Client: foundBy(shared), lookAnew: () => shared.forget() };
  }
  const config = typeof shared === 'string' ? { connectionString: shared } : shared;
  return { config: { ...config, stream }, Client, lookAnew: () => undefined };
}

/**
 * A place that everything which connects to it may share: for a URL that leaves something to find out (several hosts, or
 * `target_session_attrs`) the finder. @throws TypeError for a URL that is none; the message does not repeat it.
 */
export function sharedPlace(url: string): string | ServerFinder {
  const { addresses, target } = readAddresses(url);
  return addresses.length === 1 && target === 'any' ? url : new ServerFinder(url);
}
