import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, RosterError } from '@roster/api';
import type { FastifyInstance } from 'fastify';
import { problemType } from './problem-details.ts';

/** What Node tells of a message it could not read: its code, what arrived last, and how much of that was read. */
interface ClientError extends Error {
  code?: string;
  rawPacket?: unknown;
  bytesParsed?: number;
}

/** Answers what never became a request, and closes the connection. */
export function refuseConnection(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  endWith(new RosterError(reasonOf(error)), socket);
}

function reasonOf(error: ClientError): ErrorCode {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      // Node has one bound for the target and the headers together.
      return /^[!#$%&'*+\-.^`|~\w]+ \S+$/.test(lineBefore(error)) ? 'uri_too_long' : 'headers_too_large';
    case 'HPE_INVALID_METHOD':
      return /^[!#$%&'*+\-.^`|~\w]+ \S+ HTTP\/\d\.\d/.test(lineAround(error))
        ? 'not_implemented'
        : 'bad_request';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request_timeout';
    default:
      return 'bad_request';
  }
}

/** The last line of a packet as far as it was read. */
function lineBefore({ rawPacket, bytesParsed = 0 }: ClientError): string {
  if (!Buffer.isBuffer(rawPacket)) return '';
  const start = rawPacket.lastIndexOf('\n', Math.max(0, bytesParsed - 1)) + 1;
  return rawPacket.toString('latin1', start, bytesParsed);
}

/** The line at which reading stopped, up to its end. */
function lineAround(error: ClientError): string {
  const { rawPacket, bytesParsed = 0 } = error;
  if (!Buffer.isBuffer(rawPacket)) return '';
  const end = rawPacket.indexOf('\n', bytesParsed);
  const rest = rawPacket.toString('latin1', bytesParsed, end === -1 ? rawPacket.length : end);
  return lineBefore(error) + rest;
}

function endWith(refusal: RosterError, socket: Socket): void {
  const id = randomUUID();
  const problem = refusal.problem({ instance: '/', requestId: id });
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${refusal.status} ${problem.title}`,
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${id}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Rejects CONNECT, which is for proxies; Node would close the connection without an answer. */
export function refuseTunnels(app: FastifyInstance): void {
  app.server.on('connect', (_: IncomingMessage, socket: Socket) => {
    socket.on('error', () => undefined);
    endWith(new RosterError('not_implemented'), socket);
  });
}

/**
 * A connection that was opened ahead and has said nothing would keep the server from closing: Node waits for it. Answers
 * the connections that are open.
 */
export function dropSilentConnections(app: FastifyInstance): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
  return open;
}
