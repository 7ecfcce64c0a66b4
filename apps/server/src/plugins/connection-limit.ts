import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { networkOf } from '../http/client-address.ts';

export interface ConnectionLimits {
  /** Connections that are open at once. */
  connectionsMax: number;
  /** Whether proxies hold the connections, so that one address may have all of them. */
  isBehindProxies: boolean;
}

const LOG_EVERY_MS = 10_000;

/**
 * Bounds the connections of this server: in all, and for one address half of them unless it is behind proxies. At the
 * limit, connections on which no request is running are closed to make room; a new one is closed at once as long as there
 * is none. The log says so at most every 10 s.
 */
export function limitConnections(
  { server, log }: Pick<FastifyInstance, 'server' | 'log'>,
  { connectionsMax, isBehindProxies }: ConnectionLimits,
): void {
  const dropped = countDropped(log, connectionsMax);
  const drop = (socket: Socket) => {
    dropped();
    server.closeIdleConnections();
    socket.destroy();
  };
  let count = 0;
  // Not `maxConnections`, which counts those of one listening socket.
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
  const open = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '');
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (count > max) drop(socket);
  });
}

/** Counts connections that were closed at once, and writes a line about them now and then. */
function countDropped(log: FastifyBaseLogger, connectionsMax: number): () => void {
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
