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
  };
  const closing = new AbortController();
  let aliveMs = Number.NEGATIVE_INFINITY;
  const setAlive = () => {
    aliveMs = performance.now();
  };

  async function listenUntilLost(client: Client): Promise<void> {
    // Not once('error'): a second error without a listener would end the process.
    const ended = new Promise<void>((resolve) => client.once('end', resolve).on('error', () => resolve()));
    await client.connect();
    client.on('notification', ({ channel }) => channels[channel]?.());
    for (const channel of Object.keys(channels)) {
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
    }
    setAlive();
    for (const notify of Object.values(channels)) notify();
    while (!closing.signal.aborted) {
      await Promise.race([ended, setTimeout(HEARTBEAT_MS, undefined, { signal: closing.signal })]);
      await Promise.race([client.query('select'), failAfter(HEARTBEAT_MS * 2)]);
      setAlive();
    }
  }

  async function listenUntilClosed(): Promise<void> {
    while (!closing.signal.aborted) {
      const client = new Client(config);
      await listenUntilLost(client).catch(() => undefined);
      aliveMs = Number.NEGATIVE_INFINITY;
      client.end().catch(() => undefined);
      await setTimeout(RETRY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
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

async function failAfter(timeMs: number): Promise<never> {
  await setTimeout(timeMs, undefined, { ref: false });
  throw new Error('The connection does not respond.');
}
