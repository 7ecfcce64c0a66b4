import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { type ConnectionTarget, clientConfig } from './target.ts';

export interface ListenOptions {
  connection: ConnectionTarget;
  /** The name of the connection in `pg_stat_activity`. */
  applicationName?: string;
  /**
   * The function to call for each notification on a channel. All are also called whenever the connection has been opened,
   * because notifications may have been missed before.
   */
  channels: Record<string, () => void>;
}

export interface Listener {
  /** Whether notifications certainly arrive: the last check succeeded within three heartbeats. */
  isListening(): boolean;
  close(): Promise<void>;
}

/** The interval at which the connection is checked. */
const HEARTBEAT_MS = 250;
const RETRY_MS = 200;
const CONNECT_TIMEOUT_MS = 2_000;

/**
 * Listens to channels of PostgreSQL (LISTEN) on a connection of its own, and reopens it until it is closed. The connection
 * is checked with a query, because a network that drops packets reports no error.
 * @throws TypeError for an invalid URL
 */
export function listen({ connection, applicationName, channels }: ListenOptions): Listener {
  const config = {
    ...clientConfig(connection, applicationName),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: HEARTBEAT_MS * 2,
  };
  const closing = new AbortController();
  const pause = (timeMs: number) => setTimeout(timeMs, undefined, { signal: closing.signal });
  let aliveMs = Number.NEGATIVE_INFINITY;

  async function listenUntilLost(client: Client): Promise<void> {
    const ended = new Promise<void>((resolve) => client.once('end', resolve).on('error', () => resolve()));
    await client.connect();
    client.on('notification', ({ channel }) => channels[channel]?.());
    for (const channel of Object.keys(channels))
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
    aliveMs = performance.now();
    for (const notify of Object.values(channels)) notify();
    while (!closing.signal.aborted) {
      await Promise.race([ended, pause(HEARTBEAT_MS)]);
      await client.query('select');
      aliveMs = performance.now();
    }
  }

  async function listenUntilClosed(): Promise<void> {
    while (!closing.signal.aborted) {
      const client = new Client(config);
      await listenUntilLost(client).catch(() => undefined);
      aliveMs = Number.NEGATIVE_INFINITY;
      client.end().catch(() => undefined);
      await pause(RETRY_MS).catch(() => undefined);
    }
  }

  const listening = listenUntilClosed();
  return {
    isListening: () => performance.now() - aliveMs < HEARTBEAT_MS * 3,
    close: async () => {
      closing.abort();
      await listening;
    },
  };
}
