import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '../../observability/request-path.ts';
import { announcesBody } from '../media-types.ts';
import { FairQueue } from './fair-queue.ts';
import { Share } from './share.ts';

export const JSON_LINES = 'application/jsonl';

/** However few are free, as long as one is. */
const SHARE_MIN = 10;

interface Slot {
  caller: string;
  /** Others may use it while the request waits for an external server. */
  isLent: boolean;
  isOver: boolean;
  onRelease: () => void;
}

/** Health checks work under overload too. */
const exempt = new Set(['/healthz', '/readyz']);

/**
 * Limits the requests that run at once, and those of one caller to as many as are free (load shedding): an overloaded server would
 * respond late to all, often after their clients have disconnected. A request with a body takes its slot when the body has arrived, so
 * that a slow sender holds none.
 */
export class RunningRequests {
  readonly #slots: Share;
  readonly #arrived = new FairQueue();
  /** Too many requests of their caller waited to start. */
  readonly #turnedAway = new WeakSet<IncomingMessage>();
  readonly #running = new WeakMap<IncomingMessage, Slot>();

  constructor(requestsMax: number) {
    this.#slots = new Share({ max: requestsMax, perKeyMax: (free) => Math.max(free, SHARE_MIN) });
  }

  /** Call it before other hooks: a request starts later, in the asynchronous context of another one. `callerOf` must not need a query. */
  registerStart(app: FastifyInstance, callerOf: (request: FastifyRequest) => string): void {
    app.addHook('onRequest', (request, _, done) => {
      if (this.#arrived.mayStart() || exempt.has(pathOf(request.url))) return done();
      if (this.#arrived.wait(callerOf(request), done)) return;
      this.#turnedAway.add(request.raw);
      done();
    });
  }

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

  /** Gives a request its slot when its body has arrived. Returns false if none is free. */
  admit(request: IncomingMessage, onRelease: () => void): boolean {
    const slot = this.#running.get(request);
    if (slot !== undefined) slot.onRelease = onRelease;
    else if (this.#slots.allows(claimedCallerOf(request))) this.#take(request, onRelease);
    else return false;
    return true;
  }

  /** Releases the slot of a request while it waits for an external server. */
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

/** All requests with neither key nor cookie count as one caller. */
function claimedCallerOf({ headers }: IncomingMessage): string {
  return headers.authorization ?? headers.cookie ?? '';
}

function isStreamedBatch(reply: FastifyReply, payload: unknown): boolean {
  return payload instanceof Readable && reply.getHeader('content-type') === JSON_LINES;
}

function hasBody({ method, headers }: IncomingMessage): boolean {
  return method !== 'GET' && method !== 'HEAD' && announcesBody(headers);
}

/** One error for all: a stack trace would cost more than the rest of a rejection. */
const overloaded = new RosterError('overloaded');
