import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that are served or wait at once: those sent before the response to an earlier one (RFC 9112, section 9.3.2). */
export const PIPELINED_MAX = 64;

interface ServedConnection {
  /** Requests whose response is not complete. */
  waiting: number;
  request: IncomingMessage;
  response: ServerResponse;
}

/** The newest request of each connection. */
export type ServedConnections = WeakMap<Socket, ServedConnection>;

export function isFull(connection: ServedConnection | undefined): boolean {
  return connection !== undefined && connection.waiting > PIPELINED_MAX;
}
