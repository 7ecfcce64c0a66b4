import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { networkOf } from '../client-address.ts';
import { Share } from './share.ts';

const LOG_EVERY_MS = 10_000;

/**
 * One address gets half of the connections of this process, unless proxies hold them. A log line at most every 10 s counts those closed
 * at once.
 */
export function limitConnections(
  { server, log }: Pick<FastifyInstance, 'server' | 'log'>,
  { connectionsMax, isBehindProxies }: { connectionsMax: number; isBehindProxies: boolean },
): void {
  const perKeyMax = isBehindProxies ? connectionsMax : Math.ceil(connectionsMax / 2);
  const open = new Share({ max: connectionsMax, perKeyMax });
  let dropped = 0;
  let loggedMs = Number.NEGATIVE_INFINITY;
  // Node's own `maxConnections` does not bound those of one address.
  server.prependListener('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '');
    if (open.allows(address)) {
      open.take(address);
      socket.once('close', () => open.release(address));
      return;
    }
    dropped += 1;
    server.closeIdleConnections();
    socket.destroy();
    if (performance.now() - loggedMs < LOG_EVERY_MS) return;
    log.warn({ dropped, connectionsMax }, 'connections were closed at once: too many are open');
    dropped = 0;
    loggedMs = performance.now();
  });
}
