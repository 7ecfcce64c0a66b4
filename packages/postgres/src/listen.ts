import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import type { ConnectOptions } from './connect.ts';
import { openingOf } from './hosts/connection-factory.ts';

export interface ListenOptions {
  connection: ConnectOptions['connection'];
  /**
   * What to call for each notification of a channel; all of them are called after every connection, because what
   * was sent meanwhile was not heard.
   */
  channels: Record<string, () => void>;
  /** The least time between two signs of life of the connection; 250 ms by default. */
  heartbeatMs?: number;
}

export interface Listener {
  /** Whether notifications are known to arrive: the connection showed life within the last two heartbeats. */
  isHearing(): boolean;
  close(): Promise<void>;
}

const RETRY_MS = 200;

/**
 * Listens to channels of PostgreSQL (LISTEN) on a connection of its own, for as long as it takes: a connection
 * that ends is made anew. A dead network gives no error, so the connection is asked for a sign of life.
 */
export function listen({ connection, channels, heartbeatMs = 250 }: ListenOptions): Listener {
  const opening = openingOf(connection);
  const closing = new AbortController();
  let lastSeenMs = Number.NEGATIVE_INFINITY;
  const seen = () => {
    lastSeenMs = performance.now();
  };

  async function hearUntilItEnds(client: Client): Promise<void> {
    // Not once('error'): a second error that nobody listens to would end the process.
    const ended = new Promise<void>((resolve) => client.once('end', resolve).on('error', () => resolve()));
    await client.connect();
    client.on('notification', ({ channel }) => channels[channel]?.());
    for (const channel of Object.keys(channels)) {
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
    }
    seen();
    for (const notice of Object.values(channels)) notice();
    while (!closing.signal.aborted) {
      await Promise.race([ended, setTimeout(heartbeatMs, undefined, { signal: closing.signal })]);
      await Promise.race([client.query('select'), failAfter(heartbeatMs * 2)]);
      seen();
    }
  }

  async function keepHearing(): Promise<void> {
    while (!closing.signal.aborted) {
      const client = new opening.Client({
        ...opening.config,
        connectionTimeoutMillis: 2_000,
        application_name: 'roster listener',
      });
      await hearUntilItEnds(client).catch(() => undefined);
      lastSeenMs = Number.NEGATIVE_INFINITY;
      client.end().catch(() => undefined);
      await setTimeout(RETRY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  const hearing = keepHearing();
  return {
    isHearing: () => performance.now() - lastSeenMs < heartbeatMs * 3,
    close: async () => {
      closing.abort();
      await hearing;
    },
  };
}

async function failAfter(timeMs: number): Promise<never> {
  await setTimeout(timeMs, undefined, { ref: false });
  throw new Error('the connection gives no sign of life');
}
