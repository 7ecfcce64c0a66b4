import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { networkOf } from '../http/client-address.ts';
import { KeyedCounter } from './keyed-counter.ts';

export interface ConnectionLimits {
  /** Connections that are open at once. */
  connectionsMax: number;
  /** Whether the connections are those of proxies, so that one address may have all of them. */
  isBehindProxies: boolean;
}

const LOG_EVERY_MS = 10_000;

/**
 * Limits the open connections of this server and, unless it is behind proxies, those of one address to half of that.
 * Beyond the limit a new connection is closed at once, and idle connections are closed to make room for later ones. A log
 * line at most every 10 s gives the number of connections that were closed.
 */
export function limitConnections(
  { server, log }: Pick<FastifyInstance, 'server' | 'log'>,
  { connectionsMax, isBehindProxies }: ConnectionLimits,
): void {
  const countDropped = droppedCounter(log, connectionsMax);
  const drop = (socket: Socket) => {
    countDropped();
    server.closeIdleConnections();
    socket.destroy();
  };
  let count = 0;
  // Not `maxConnections`, which counts the connections of one listening socket.
  server.prependListener('connection', (socket: Socket) => {
    count += 1;
    socket.once('close', () => {
      count -= 1;
    });
    if (count > connectionsMax) drop(socket);
  });
  if (!isBehindProxies) limitAddresses(server, Math.ceil(connectionsMax / 2), drop);
}

function limitAddresses(server: Server, max: number, drop: (socket: Socket) => void): void {
  const open = new KeyedCounter();
  server.prependListener('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '');
    socket.once('close', () => open.subtract(address));
    if (open.add(address) > max) drop(socket);
  });
}

/** Returns what is called for every connection that is closed at once: it counts them, and logs the number. */
function droppedCounter(log: FastifyBaseLogger, connectionsMax: number): () => void {
  let count = 0;
  let loggedMs = Number.NEGATIVE_INFINITY;
  return () => {
    count += 1;
    const nowMs = performance.now();
    if (nowMs - loggedMs < LOG_EVERY_MS) return;
    log.warn({ dropped: count, connectionsMax }, 'connections were closed at once: too many are open');
    count = 0;
    loggedMs = nowMs;
  };
}
