import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerKey } from '../http/identity.ts';
import { ByteBudget } from './byte-budget.ts';

export interface UnreadLimits {
  /** The longest time in which a client may read nothing of what was sent to it. */
  slowMs: number;
  /** Bytes of all unread responses. */
  bytesMax: number;
  /** Pipelined requests of one connection: those sent before the response to an earlier one was read (RFC 9112, section 9.3.2). */
  pipelinedMax: number;
}

export const LIMITS: UnreadLimits = { slowMs: 30_000, bytesMax: 64 * 1024 * 1024, pipelinedMax: 64 };
/** The memory of a response besides its body. */
const RESPONSE_BYTES = 8 * 1024;
/** Only for larger bodies it is worth to look up whether they are shared. */
const LARGE_BYTES = 64 * 1024;
const CHECKS_PER_LIMIT = 6;
/** Headers that describe the body; removed if an error is sent instead. */
const bodyHeaders = ['etag', 'link', 'location', 'last-modified', 'content-encoding', 'content-length'];

/**
 * Bounds the memory of responses that their clients do not read: the bytes of each caller and of all, and the time that a
 * connection may stall. What is in the buffers of the kernel does not count.
 */
export class UnreadResponses {
  readonly #limits: UnreadLimits;
  readonly #budget: ByteBudget;
  /**
   * Weak, although every response is released: a Map that changes with every request is copied again and again, and each
   * copy refers to the next one, so that the garbage collector keeps them, and their responses, for long.
   */
  readonly #unread = new WeakMap<ServerResponse, { caller: string; bytes: number }>();
  readonly #pipelined = new WeakMap<Socket, Set<ServerResponse>>();
  /** Connections with unsent bytes at the last check: how many bytes had been sent by then, and since when. */
  readonly #stalled = new WeakMap<Socket, { flushed: number; sinceMs: number }>();

  constructor(limits: Partial<UnreadLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
    this.#budget = new ByteBudget(this.#limits.bytesMax);
  }

  /** Ends those of the connections whose clients have read nothing for too long, until the application closes. */
  watch(app: FastifyInstance, connections: ReadonlySet<Socket>): void {
    const check = () => {
      for (const socket of connections) this.#endStalled(socket);
    };
    const timer = setInterval(check, this.#limits.slowMs / CHECKS_PER_LIMIT).unref();
    app.addHook('onClose', async () => clearInterval(timer));
  }

  /**
   * Counts a response that is about to be sent, until it is sent or its connection has ended. Returns an error to send
   * instead if a read would exceed the limit of its caller. The response to a change is always sent, because the change has
   * happened.
   */
  add(request: FastifyRequest, reply: FastifyReply, payload: unknown): RosterError | undefined {
    // The `close` that would release it has been emitted already.
    if (request.raw.socket.destroyed) return undefined;
    const caller = callerKey(request);
    const response = reply.raw;
    const size = sizeOf(payload);
    const isShared = size > LARGE_BYTES && request.routeOptions.config.isPayloadShared === true;
    const bytes = RESPONSE_BYTES + (isShared ? 0 : size);
    const isRead = request.method === 'GET' && reply.statusCode < 400;
    if (isRead && !this.#budget.allows(caller, bytes)) {
      // A pipelined request, on a connection that the client does not read.
      if (response.socket === null) request.raw.socket.destroy();
      for (const name of bodyHeaders) reply.removeHeader(name);
      return new RosterError(
        'overloaded',
        'The responses that you have not read use all the memory that they may.',
      );
    }
    this.#unread.set(response, { caller, bytes });
    this.#budget.hold(caller, bytes);
    return undefined;
  }

  /** Counts more bytes of a response that is sent in parts. Returns false if they exceed the limit of its caller. */
  grow(response: ServerResponse, bytes: number): boolean {
    const unread = this.#unread.get(response);
    if (unread === undefined || !this.#budget.allows(unread.caller, bytes)) return false;
    unread.bytes += bytes;
    this.#budget.hold(unread.caller, bytes);
    return true;
  }

  /** To be called when a response has been sent, or never will be. */
  release(response: ServerResponse): void {
    const unread = this.#unread.get(response);
    if (unread === undefined) return;
    this.#unread.delete(response);
    this.#budget.release(unread.caller, unread.bytes);
  }

  /**
   * To be called with the response to a pipelined request. Returns false, and ends the connection, if too many wait.
   */
  queue(response: ServerResponse, socket: Socket): boolean {
    let waiting = this.#pipelined.get(socket);
    if (waiting === undefined) {
      const responses = new Set<ServerResponse>();
      waiting = responses;
      this.#pipelined.set(socket, responses);
      // Node emits no `close` on a pipelined response when the connection ends.
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
    // A connection that the server has ended and its client has not counts as stalled.
    const isDone = socket.writableLength === 0 && !socket.writableEnded;
    if (isDone || flushed === undefined) return void this.#stalled.delete(socket);
    const before = this.#stalled.get(socket);
    const nowMs = performance.now();
    if (before?.flushed !== flushed) this.#stalled.set(socket, { flushed, sinceMs: nowMs });
    else if (nowMs - before.sinceMs >= this.#limits.slowMs) socket.destroy();
  }
}

/** The bytes that were handed to the kernel; `bytesWritten` of a socket also counts those that wait in the process. */
function flushedBytes(socket: Socket): number | undefined {
  const { _handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number } | null;
  };
  return _handle ? _handle.bytesWritten - _handle.writeQueueSize : undefined;
}

function sizeOf(payload: unknown): number {
  return typeof payload === 'string' || payload instanceof Uint8Array ? payload.length : 0;
}
