import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RosterError } from '@roster/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ByteBudget } from '../http/byte-budget.ts';
import { callerId } from './authentication.ts';

export interface UnreadLimits {
  /** How long a client may read nothing of what it was sent. */
  slowMs: number;
  /** Bytes of all responses that their clients have not read. */
  bytesMax: number;
  /** Requests of one connection that wait for the answer to an earlier one to be read (RFC 9112, section 9.3.2). */
  pipelinedMax: number;
}

export const LIMITS: UnreadLimits = { slowMs: 30_000, bytesMax: 64 * 1024 * 1024, pipelinedMax: 64 };
/** What a response takes beside its body. */
const RESPONSE_BYTES = 8 * 1024;
/** From here on it is worth looking up whether a body is shared. */
const LARGE_BYTES = 64 * 1024;
const CHECKS_PER_LIMIT = 6;
/** What says something of the body that was to be sent. */
const ofBody = ['etag', 'link', 'location', 'last-modified', 'content-encoding', 'content-length'];

/**
 * Bounds what this process holds of responses that their clients do not read: in bytes, for each caller and in all, and
 * in time, for every connection, whatever is sent on it. What the kernel has taken is not held here.
 */
export class UnreadResponses {
  readonly #limits: UnreadLimits;
  readonly #budget: ByteBudget;
  readonly #held = new Map<ServerResponse, { caller: string; bytes: number }>();
  readonly #pipelined = new WeakMap<Socket, Set<ServerResponse>>();
  /** Connections that did not take everything when they were last looked at: how much they had taken, and since when. */
  readonly #stalled = new WeakMap<Socket, { flushed: number; sinceMs: number }>();

  constructor(limits: Partial<UnreadLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
    this.#budget = new ByteBudget(this.#limits.bytesMax);
  }

  /** Ends connections whose clients have read nothing for too long. Answers the function that stops it. */
  watch(connections: ReadonlySet<Socket>): () => void {
    const check = () => {
      for (const socket of connections) this.#endStalled(socket);
    };
    const timer = setInterval(check, this.#limits.slowMs / CHECKS_PER_LIMIT).unref();
    return () => clearInterval(timer);
  }

  /**
   * Counts a response that is about to be sent, until it is sent or its connection has ended. Answers why it must not be
   * sent: a caller who has not read so much already reads no more. What a change answers is sent all the same, because the
   * change has happened.
   */
  add(request: FastifyRequest, reply: FastifyReply, payload: unknown): RosterError | undefined {
    // Its end, which releases what is held, has been told already.
    if (request.raw.socket.destroyed) return undefined;
    const caller = callerId(request);
    const response = reply.raw;
    const size = sizeOf(payload);
    const isShared = size > LARGE_BYTES && request.routeOptions.config.isPayloadShared === true;
    const bytes = RESPONSE_BYTES + (isShared ? 0 : size);
    const isRead = request.method === 'GET' && reply.statusCode < 400;
    if (isRead && !this.#budget.allows(caller, bytes)) {
      // It asks for more on a connection on which it does not read.
      if (response.socket === null) request.raw.socket.destroy();
      for (const name of ofBody) reply.removeHeader(name);
      return new RosterError(
        'overloaded',
        'The answers that you have not read hold as much memory as they may.',
      );
    }
    this.#held.set(response, { caller, bytes });
    this.#budget.hold(caller, bytes);
    return undefined;
  }

  /** Counts more of a response that is sent in parts. Answers false if its caller may not leave so much unread. */
  grow(response: ServerResponse, bytes: number): boolean {
    const held = this.#held.get(response);
    if (held === undefined || !this.#budget.allows(held.caller, bytes)) return false;
    held.bytes += bytes;
    this.#budget.hold(held.caller, bytes);
    return true;
  }

  /** To be called when a response has been sent, or never will be. */
  release(response: ServerResponse): void {
    const held = this.#held.get(response);
    if (held === undefined) return;
    this.#held.delete(response);
    this.#budget.release(held.caller, held.bytes);
  }

  /**
   * To be called with a request that came before the answer to an earlier one of its connection was sent. Answers false,
   * and ends the connection, if too many wait.
   */
  queue(response: ServerResponse, socket: Socket): boolean {
    let waiting = this.#pipelined.get(socket);
    if (waiting === undefined) {
      const responses = new Set<ServerResponse>();
      waiting = responses;
      this.#pipelined.set(socket, responses);
      // Node tells a response nothing of its connection's end until it is its turn to be sent.
      socket.once('close', () => {
        for (const queued of responses) this.release(queued);
      });
    }
    if (waiting.size >= this.#limits.pipelinedMax) {
      socket.destroy();
      return false;
    }
    const queued = waiting.add(response);
    response.once('close', () => queued.delete(response));
    return true;
  }

  #endStalled(socket: Socket): void {
    const flushed = flushedBytes(socket);
    // Also one that the server has ended and its client has not.
    const isDone = socket.writableLength === 0 && !socket.writableEnded;
    if (isDone || flushed === undefined) return void this.#stalled.delete(socket);
    const before = this.#stalled.get(socket);
    const nowMs = performance.now();
    if (before?.flushed !== flushed) this.#stalled.set(socket, { flushed, sinceMs: nowMs });
    else if (nowMs - before.sinceMs >= this.#limits.slowMs) socket.destroy();
  }
}

/** What the kernel has taken of all that was written. `bytesWritten` of a socket counts what still waits in the process. */
function flushedBytes(socket: Socket): number | undefined {
  const { _handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number } | null;
  };
  return _handle ? _handle.bytesWritten - _handle.writeQueueSize : undefined;
}

function sizeOf(payload: unknown): number {
  return typeof payload === 'string' || payload instanceof Uint8Array ? payload.length : 0;
}
