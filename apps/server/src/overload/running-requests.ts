import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { Readable } from 'node:stream';
import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { announcesBody } from '../http/media-types.ts';
import { problemContent } from '../http/problem-details.ts';
import { exposedHeaders, type SecurityHeaders } from '../http/response-headers.ts';
import { pathOf } from '../observability/path-of.ts';
import { limitDiscardedBody } from './discarded-bodies.ts';
import { KeyedCounter } from './keyed-counter.ts';
import { FairQueue } from './starting-requests.ts';
import type { UnreadResponses } from './unread-responses.ts';

/** The media type of a batch whose results are streamed one by one (tRPC's httpBatchStreamLink). */
export const JSON_LINES = 'application/jsonl';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

export interface ConcurrencyLimitOptions {
  /** Requests that are served at once; further ones are rejected. */
  requestsMax: number;
  /** The id of a request, for its error response. */
  idOf: (request: IncomingMessage) => string;
  /** Origins whose pages may read the error responses (CORS). */
  corsOrigins: string[];
  /** The headers of every response that are for browsers. */
  securityHeaders: SecurityHeaders;
  /** The caller as far as it is known without a query: a cached key, or the network of the client. */
  callerOf: (request: IncomingMessage) => string;
  /** Bounds the memory of unread responses. */
  unread: UnreadResponses;
  /** Called for every rejected request, with its id. */
  onRejected: (request: IncomingMessage, requestId: string) => void;
}

/** Lets a request wait without its slot. */
export type SlotRelease = Pick<ConcurrencyLimit, 'withoutSlot'>;

/** Slots that a caller may hold however few are free, as long as one is free. */
export const SHARE_MIN = 10;

/** Health checks are answered under overload too. */
const exempt = new Set(['/healthz', '/readyz']);
const isExempt = ({ url = '/' }: IncomingMessage) => exempt.has(pathOf(url));

/**
 * Limits the requests that this process serves at once (load shedding). Without a limit an overloaded server answers all
 * requests late, often after their clients have disconnected. A request beyond the limit is rejected with 503 before it is
 * routed, authenticated, or its body read, which costs a small part of serving it.
 *
 * A request with a body takes its slot when the body has arrived (`admit`), so that a slow sender holds none.
 */
export class ConcurrencyLimit {
  readonly #options: ConcurrencyLimitOptions;
  /** The requests that hold a slot, with the function to call when they release it. */
  readonly #running = new WeakMap<IncomingMessage, () => void>();
  /** Requests whose streamed response has closed, perhaps while a call of theirs waits without a slot. */
  readonly #closed = new WeakSet<IncomingMessage>();
  /** Slots by caller, as the headers claim it: the key or session has not been looked up yet. */
  readonly #slotsByCaller = new KeyedCounter();
  /** The requests that have arrived, so that a caller who sends many delays others by few. */
  readonly #arrived = new FairQueue();
  /** The headers of every rejection that are the same. */
  readonly #headers: readonly string[];
  /** Requests that hold a slot. A response that is being sent, or that has no end, holds none any more. */
  inFlight = 0;

  constructor(options: ConcurrencyLimitOptions) {
    this.#options = options;
    // The same as on other responses (`vary.ts`), because whether a slot is free depends on the key.
    const vary = `${options.corsOrigins.length > 0 ? 'Origin, ' : ''}accept-encoding, Authorization, Cookie`;
    this.#headers = Object.entries({ ...commonHeaders, ...options.securityHeaders, Vary: vary }).flat();
  }

  /** Creates a server that handles requests within the limit, and rejects the others. */
  createServer(options: ServerOptions, handle: Handle): Server {
    return createServer(options, (request, response) => this.#enter(request, response, handle));
  }

  /** Must be called before any other hook is added, so that a request releases its slot as soon as its response is ready. */
  register(app: FastifyInstance): void {
    app.addHook('onSend', (request, reply, payload, done) => {
      // The calls of a streamed batch run while its response is sent.
      if (isStreamedBatch(reply, payload)) reply.raw.once('close', () => this.#close(request.raw));
      else this.#release(request.raw);
      const rejection = this.#options.unread.add(request, reply, payload);
      if (rejection === undefined) done(null, payload);
      else done(rejection);
    });
  }

  /**
   * Gives a request a slot when its body has arrived. Returns false if none is free. Calls `onRelease` when the request
   * releases it.
   */
  admit(request: IncomingMessage, onRelease: () => void): boolean {
    if (this.#running.has(request)) {
      this.#running.set(request, onRelease);
      return true;
    }
    if (this.#isFullFor(request)) return false;
    this.#acquire(request, onRelease);
    return true;
  }

  /** Runs a function that waits for an external server. The request releases its slot, and takes one again afterwards. */
  async withoutSlot<Result>(request: IncomingMessage, wait: () => Promise<Result>): Promise<Result> {
    const onRelease = this.#running.get(request);
    if (onRelease === undefined) return wait();
    this.#running.delete(request);
    this.#countReleased(request);
    try {
      return await wait();
    } finally {
      if (this.#closed.has(request)) onRelease();
      else this.#acquire(request, onRelease);
    }
  }

  /**
   * Whether no slot is free for this caller. A caller may hold as many slots as are free (the dynamic threshold of
   * `byte-budget.ts`): one caller alone gets half of them, and the first request of another finds one.
   */
  #isFullFor(request: IncomingMessage): boolean {
    const free = this.#options.requestsMax - this.inFlight;
    return free <= 0 || this.#slotsByCaller.get(claimedCallerOf(request)) >= Math.max(free, SHARE_MIN);
  }

  #enter(request: IncomingMessage, response: ServerResponse, handle: Handle): void {
    const { unread, callerOf } = this.#options;
    if (response.socket === null && !unread.queue(response, request.socket)) return;
    if (this.#arrived.mayStart() || isExempt(request)) {
      this.#begin(request, response, handle);
      return;
    }
    const begin = () => {
      // The client may have disconnected meanwhile.
      if (request.socket.destroyed) unread.release(response);
      else this.#begin(request, response, handle);
    };
    if (!this.#arrived.wait(callerOf(request), begin)) this.#reject(request, response);
  }

  #begin(request: IncomingMessage, response: ServerResponse, handle: Handle): void {
    const { unread } = this.#options;
    if (this.#isFullFor(request) && !isExempt(request)) {
      this.#reject(request, response);
      return;
    }
    if (!hasBody(request)) this.#acquire(request, doNothing);
    response.once('close', () => {
      unread.release(response);
      // If the client has disconnected before the response is ready, the work goes on, and counts until it is.
      if (response.writableEnded) this.#release(request);
    });
    handle(request, response);
  }

  #acquire(request: IncomingMessage, onRelease: () => void): void {
    this.inFlight += 1;
    this.#running.set(request, onRelease);
    this.#slotsByCaller.add(claimedCallerOf(request));
  }

  #countReleased(request: IncomingMessage): void {
    this.inFlight -= 1;
    this.#slotsByCaller.subtract(claimedCallerOf(request));
  }

  /** Releases the slot of a streamed batch whose response has closed, perhaps while its calls are running. */
  #close(request: IncomingMessage): void {
    this.#closed.add(request);
    this.#release(request);
  }

  #release(request: IncomingMessage): void {
    const onRelease = this.#running.get(request);
    if (onRelease === undefined) return;
    this.#running.delete(request);
    this.#countReleased(request);
    onRelease();
  }

  #reject(request: IncomingMessage, response: ServerResponse): void {
    const { idOf, corsOrigins, onRejected } = this.#options;
    const requestId = idOf(request);
    onRejected(request, requestId);
    const { type, body } = problemContent(overloaded, { instance: pathOf(request.url ?? '/'), requestId });
    const headers = ['Content-Type', type, 'Content-Length', String(Buffer.byteLength(body))];
    headers.push('X-Request-Id', requestId, ...this.#headers);
    const { origin = '' } = request.headers;
    if (corsOrigins.includes(origin)) headers.push('Access-Control-Allow-Origin', origin, ...exposed);
    if (limitDiscardedBody(request)) headers.push('Connection', 'close');
    response.writeHead(503, headers).end(body);
  }
}

/** All requests with neither a key nor a cookie count as one caller. */
function claimedCallerOf({ headers }: IncomingMessage): string {
  return headers.authorization ?? headers.cookie ?? '';
}

/** Whether the results of a batch are sent one by one while others are being computed. */
function isStreamedBatch(reply: FastifyReply, payload: unknown): boolean {
  return payload instanceof Readable && reply.getHeader('content-type') === JSON_LINES;
}

const doNothing = () => undefined;

/** Whether a request has a body that is read before it is handled; that of a GET or HEAD is not. */
function hasBody({ method, headers }: IncomingMessage): boolean {
  return method !== 'GET' && method !== 'HEAD' && announcesBody(headers);
}

/** One error for all rejections: to create an Error captures a stack trace, which is slow. */
const overloaded = new RosterError('overloaded');

const commonHeaders = { ...overloaded.headers, 'Cache-Control': 'no-store' };

const exposed = ['Access-Control-Expose-Headers', exposedHeaders.join(', ')];
