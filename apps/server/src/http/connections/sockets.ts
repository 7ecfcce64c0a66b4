import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { problemType } from '../problem-details.ts';
import type { SecurityHeaders } from '../response-headers.ts';

/** Node's error for a message that it cannot parse: its code, the last packet, and how much of that was parsed. */
interface ClientError extends Error {
  code?: string;
  rawPacket?: unknown;
  bytesParsed?: number;
}

/** Returns what answers a message that Node cannot parse as a request, or that takes too long, and closes the connection. */
export function malformedRequestHandler(headers: SecurityHeaders) {
  return (error: ClientError, socket: Socket) => rejectMalformedRequest(error, socket, headers);
}

function rejectMalformedRequest(error: ClientError, socket: Socket, headers: SecurityHeaders): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const code = errorCodeOf(error);
  // Nothing more is read, so that a request that was rejected cannot arrive after all.
  if (code === 'request_timeout') socket.pause();
  endWithProblem(new RosterError(code), socket, headers);
}

function errorCodeOf(error: ClientError): ErrorCode {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      // Node has one limit for the target and the headers together.
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

/** The last line of a packet as far as it was parsed. */
function lineBefore({ rawPacket, bytesParsed = 0 }: ClientError): string {
  if (!Buffer.isBuffer(rawPacket)) return '';
  const start = rawPacket.lastIndexOf('\n', Math.max(0, bytesParsed - 1)) + 1;
  return rawPacket.toString('latin1', start, bytesParsed);
}

/** The whole line at which parsing stopped. */
function lineAround(error: ClientError): string {
  const { rawPacket, bytesParsed = 0 } = error;
  if (!Buffer.isBuffer(rawPacket)) return '';
  const end = rawPacket.indexOf('\n', bytesParsed);
  const rest = rawPacket.toString('latin1', bytesParsed, end === -1 ? rawPacket.length : end);
  return lineBefore(error) + rest;
}

function endWithProblem(error: RosterError, socket: Socket, headers: SecurityHeaders): void {
  const id = randomUUID();
  const problem = error.problem({ instance: '/', requestId: id });
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${error.status} ${problem.title}`,
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Cache-Control: no-store',
    `X-Request-Id: ${id}`,
    'Connection: close',
  ];
  endInStages(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

/** The time that a client has to read the last response of a connection which the server ends. */
const LINGER_MS = 1_000;

/**
 * Closes a connection in stages (RFC 9112, section 9.6): this side sends its end, and closes a second later. Closed at once it would be
 * reset while the client sends, and most clients then do not read the response; never closed, it would be held by a client that does not
 * end its side.
 */
export function endInStages(socket: Socket, last?: string): void {
  if (last === undefined) socket.end();
  else socket.end(last);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Answers CONNECT, which is for proxies, with 501; Node would close the connection without a response. */
export function rejectConnect(app: FastifyInstance, headers: SecurityHeaders): void {
  app.server.on('connect', (_: IncomingMessage, socket: Socket) => {
    socket.on('error', () => undefined);
    endWithProblem(new RosterError('not_implemented'), socket, headers);
  });
}

/** The connections of an application that are open, at any time. */
export function openSockets(app: FastifyInstance): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

/** Milliseconds between two searches for idle connections while the application closes. */
const IDLE_CHECK_MS = 100;

/**
 * Closes connections that Node would keep when the application closes: those on which nothing was ever sent, which browsers
 * open in advance, and those whose response began before and ends later, which Node keeps alive for another request.
 */
export function closeIdleSockets(app: FastifyInstance, sockets: ReadonlySet<Socket>): void {
  app.addHook('preClose', async () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    const search = setInterval(() => {
      app.server.closeIdleConnections();
      if (sockets.size === 0) clearInterval(search);
    }, IDLE_CHECK_MS).unref();
  });
}

/** A signal that fires when the client has closed the connection of a response that has no end by itself. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  raw.once('close', () => disconnected.abort());
  return disconnected.signal;
}
