import { Client, type ClientConfig } from 'pg';
import { withRawRows } from '../protocol/data-row-parser.ts';
import { openDatabaseSocket } from '../protocol/host-addresses.ts';
import { parseConnectionString } from './connection-string.ts';
import { failoverClient } from './failover-client.ts';
import { PrimaryResolver } from './primary-resolver.ts';

/**
 * The address of PostgreSQL: a `postgres://` URL of one host or several, the parameters of one server, or what `resolveTarget`
 * returned for a URL.
 */
export type ConnectionTarget =
  | string
  | { host: string; port: number; user: string; database: string; password?: string }
  | PrimaryResolver;

/** Opens connections to a target: `new Client(config)`. */
export interface ConnectionFactory {
  config: ClientConfig;
  Client: typeof Client;
  /** To be called when the primary may be another host by now: the next connection resolves it again. */
  invalidate(): void;
}

/** In milliseconds; 0 for no limit. */
export interface SessionTimeouts {
  /** The longest wait for a connection, new or free; 3,000 by default. */
  connectMs: number;
  /** PostgreSQL cancels a statement that runs longer; 5,000 by default. */
  statementMs: number;
  /** PostgreSQL cancels a statement that waits longer for a lock; 3,000 by default. */
  lockMs: number;
  /** PostgreSQL ends a session that is idle in a transaction for longer, because it may hold locks; 10,000 by default. */
  idleTransactionMs: number;
}

/** node-postgres calls it with options that are not those of a socket. */
const stream = () => openDatabaseSocket();

/**
 * @param applicationName the name of the connections in `pg_stat_activity`
 * @throws TypeError for an invalid URL
 */
export function connectionFactory(target: ConnectionTarget, applicationName?: string): ConnectionFactory {
  const resolved = typeof target === 'string' ? resolveTarget(target, applicationName) : target;
  const shared = { stream, application_name: applicationName };
  if (resolved instanceof PrimaryResolver) {
    return {
      config: shared,
      Client: failoverClient(resolved),
      invalidate: () => resolved.invalidate(),
    };
  }
  const config = typeof resolved === 'string' ? { connectionString: resolved } : resolved;
  return { config: { ...config, ...shared }, Client, invalidate: () => undefined };
}

/**
 * A factory for the connections of pools: with timeouts that PostgreSQL enforces, and with raw rows.
 * @throws TypeError for an invalid URL
 */
export function pooledConnectionFactory(
  target: ConnectionTarget,
  { applicationName, timeouts }: { applicationName: string | undefined; timeouts: SessionTimeouts },
): ConnectionFactory {
  const { config, ...factory } = connectionFactory(target, applicationName);
  return {
    ...factory,
    Client: withRawRows(factory.Client),
    config: {
      ...config,
      connectionTimeoutMillis: timeouts.connectMs,
      statement_timeout: timeouts.statementMs,
      lock_timeout: timeouts.lockMs,
      idle_in_transaction_session_timeout: timeouts.idleTransactionMs,
      keepAlive: true,
    },
  };
}

/**
 * A target that several pools and listeners can share. For a URL with several hosts or with `target_session_attrs` it is a
 * resolver, so that they find the primary together.
 * @param applicationName the name of the resolver's connections in `pg_stat_activity`
 * @throws TypeError for an invalid URL, without repeating it
 */
export function resolveTarget(url: string, applicationName?: string): string | PrimaryResolver {
  const { addresses, targetSessionAttrs } = parseConnectionString(url);
  return addresses.length === 1 && targetSessionAttrs === 'any'
    ? url
    : new PrimaryResolver(url, applicationName);
}
