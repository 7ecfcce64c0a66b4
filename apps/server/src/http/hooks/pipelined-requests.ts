import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RosterError } from '@roster/api';
import type { SecurityHeaders } from './browser-headers.ts';
import { closeUnread, rejectionOf } from './malformed-requests.ts';
import { isFull, PIPELINED_MAX, type ServedConnections } from './served-connections.ts';

/**
 * Limits the pipelined requests of each connection. One piece of 64 KB, which Node.js parses at once, can hold two thousand requests.
 * The request beyond the limit gets 503 after the responses to those before it, and ends the connection; later ones are not parsed.
 */
export function limitPipelined(
  handle: RequestListener,
  { connections, headers }: { connections: ServedConnections; headers: SecurityHeaders },
): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const connection = connections.get(socket);
    // The server has ended the connection with an earlier response.
    if (isFull(connection) || socket.writableEnded) return;
    const waiting = (connection?.waiting ?? 0) + 1;
    const served = connection ?? { waiting, request, response };
    if (connection === undefined) connections.set(socket, served);
    else Object.assign(served, { waiting, request, response });
    if (waiting <= PIPELINED_MAX) {
      response.once('close', () => {
        served.waiting -= 1;
      });
      return handle(request, response);
    }
    socket.destroySoon = () => closeUnread(socket);
    const rejection = rejectionOf(new RosterError('overloaded', DETAIL), headers);
    response.writeHead(rejection.status, rejection.headers).end(rejection.body);
  };
}

const DETAIL = `A connection can have ${PIPELINED_MAX} requests without a response. Send the later ones again.`;

interface Parser {
  onIncoming: (request: IncomingMessage, keepsAlive: boolean) => number;
}

/** Node.js has no documented way to stop within the piece that it parses. Without its parser, later requests are only discarded. */
function hasParser(socket: Socket): socket is Socket & { parser: Parser } {
  const parser: unknown = 'parser' in socket ? socket.parser : undefined;
  return typeof parser === 'object' && parser !== null && 'onIncoming' in parser;
}

const STOP_PARSING = -1;

/** Parses nothing behind the request beyond the limit: the parser fails with `HPE_CB_HEADERS_COMPLETE`. */
export function stopParsingPipelined(server: Server, connections: ServedConnections): void {
  server.on('connection', (socket: Socket) => {
    if (!hasParser(socket)) return;
    const { parser } = socket;
    const { onIncoming } = parser;
    parser.onIncoming = (request, keepsAlive) =>
      isFull(connections.get(socket)) ? STOP_PARSING : onIncoming(request, keepsAlive);
  });
}
