import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { RosterError } from '@roster/api';
import type { FastifyInstance } from 'fastify';

/** Answers what never became a request, and closes the connection. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const reason =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headers_too_large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request_timeout'
        : 'bad_request';
  const refusal = new RosterError(reason);
  const id = randomUUID();
  const problem = refusal.problem({ instance: '/', requestId: id });
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${refusal.status} ${problem.title}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** A connection that was opened ahead and has said nothing would keep the server from closing: Node waits for it. */
export function dropSilentConnections(app: FastifyInstance): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
}
