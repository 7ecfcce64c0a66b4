import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '../../observability/request-path.ts';
import { announcesBody } from '../media-types.ts';
import { FairQueue } from './fair-queue.ts';
import { Share } from './share.ts';

/** The media type of a batch whose results are streamed one by one (tRPC's httpBatchStreamLink). */
export const JSON_LINES = 'application/jsonl';

/** Slots that a caller may hold however few are free, as long as one is free. */
export const SHARE_MIN = 10;

/** The slot of a request that is being served. */
interface Slot {
  caller: string;
  /** Whether it is free for others while its request waits for an external server. */
  isLent: boolean;
  /** Whether the response has closed meanwhile. */
  isOver: boolean;
  onRelease: () => void;
}

/** Health checks are answered under overload too. */
const exempt = new Set(['/healthz', '/readyz']);

/**
 * Limits the requests that this process serves at once (load shedding), and those of one caller to as many as are free. Without
 * a limit an overloaded server responds late to all requests, often after their clients have disconnected. A request beyond the
 * limit is rejected with 503 before it is authenticated or its body is read.
 *
 * A request with a body takes its slot when the body has arrived (`admit`), so that a slow sender holds none.
 */
export class RunningRequests {
  readonly #slots: Share;
  readonly #arrived = new FairQueue();
  /** Requests that are rejected because too many of their caller waited to start. */
  readonly #turnedAway = new WeakSet<IncomingMessage>();
  readonly #running = new WeakMap<IncomingMessage, Slot>();

  /** @param requestsMax requests that are served at once */
  constructor(requestsMax: number) {
    this.#slots = new Share({ max: requestsMax, perKeyMax: (free) => Math.max(free, SHARE_MIN) });
  }

  /**
   * Lets requests start in a fair order. To be called before all other hooks: a request starts in a later iteration of the event loop, in
   * the asynchronous context of another one.
   *
   * @param callerOf the caller as far as it is known without a query: a cached key, or the network of the client
   */
  registerStart(app: FastifyInstance, callerOf: (request: FastifyRequest) => string): void {
    app.addHook('onRequest', (request, _, done) => {
      if (this.#arrived.mayStart() || exempt.has(pathOf(request.url))) return done();
      if (this.#arrived.wait(callerOf(request), done)) return;
      this.#turnedAway.add(request.raw);
      done();
    });
  }

  /** Gives each request a slot, or rejects it. */
  register(app: FastifyInstance): void {
    app.addHook('onRequest', (request, _, done) => {
      done(exempt.has(pathOf(request.url)) ? undefined : this.#begin(request.raw));
    });
    app.addHook('onSend', (request, reply, payload, done) => {
      // The calls of a streamed batch run while its response is sent.
      if (isStreamedBatch(reply, payload)) reply.raw.once('close', () => this.#release(request.raw));
      else this.#release(request.raw);
      done(null, payload);
    });
  }

  /**
   * Gives a request a slot when its body has arrived. Returns false if none is free. Calls `onRelease` when the request
   * releases it.
   */
  admit(request: IncomingMessage, onRelease: () => void): boolean {
    const slot = this.#running.get(request);
    if (slot !== undefined) slot.onRelease = onRelease;
    else if (this.#slots.allows(claimedCallerOf(request))) this.#take(request, onRelease);
    else return false;
    return true;
  }

  /** Runs a function that waits for an external server. The request releases its slot, and takes one again afterwards. */
  async withoutSlot<Result>(request: IncomingMessage, wait: () => Promise<Result>): Promise<Result> {
    const slot = this.#running.get(request);
    if (slot === undefined || slot.isLent) return wait();
    slot.isLent = true;
    this.#slots.release(slot.caller);
    try {
      return await wait();
    } finally {
      slot.isLent = false;
      this.#slots.take(slot.caller);
      if (slot.isOver) this.#release(request);
    }
  }

  #begin(request: IncomingMessage): RosterError | undefined {
    if (this.#turnedAway.has(request) || !this.#slots.allows(claimedCallerOf(request))) return overloaded;
    if (!hasBody(request)) this.#take(request, () => undefined);
    return undefined;
  }

  #take(request: IncomingMessage, onRelease: () => void): void {
    const caller = claimedCallerOf(request);
    this.#slots.take(caller);
    this.#running.set(request, { caller, isLent: false, isOver: false, onRelease });
  }

  #release(request: IncomingMessage): void {
    const slot = this.#running.get(request);
    if (slot === undefined) return;
    slot.isOver = true;
    if (slot.isLent) return;
    this.#running.delete(request);
    this.#slots.release(slot.caller);
    slot.onRelease();
  }
}

/** The caller as the headers claim it. All requests with neither a key nor a cookie count as one caller. */
function claimedCallerOf({ headers }: IncomingMessage): string {
  return headers.authorization ?? headers.cookie ?? '';
}

/** Whether the results of a batch are sent one by one while others are being computed. */
function isStreamedBatch(reply: FastifyReply, payload: unknown): boolean {
  return payload instanceof Readable && reply.getHeader('content-type') === JSON_LINES;
}

/** Whether a request has a body that is read before it is handled; that of a GET or HEAD is not. */
function hasBody({ method, headers }: IncomingMessage): boolean {
  return method !== 'GET' && method !== 'HEAD' && announcesBody(headers);
}

/** One error for all rejections: a stack trace would cost more than the rest of a rejection. */
const overloaded = new RosterError('overloaded');
