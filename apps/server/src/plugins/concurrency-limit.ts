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
import { boundDiscarded } from '../http/discarded-bodies.ts';
import { problemContent } from '../http/problem-details.ts';
import { pathOf } from '../http/query-string.ts';
import { exposedHeaders, securityHeaders } from './response-headers.ts';
import type { UnreadResponses } from './unread-responses.ts';

/** The answer to a batch whose calls are answered one by one (tRPC's httpBatchStreamLink). */
export const JSON_LINES = 'application/jsonl';

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

export interface GateOptions {
  /** Requests served at once; those beyond are refused. */
  requestsMax: number;
  /** Names a request, in its refusal. */
  idOf: (request: IncomingMessage) => string;
  /** Origins whose pages may read a refusal. */
  corsOrigins: string[];
  /** Bounds what clients have not read of their answers. */
  unread: UnreadResponses;
  /** Called for every request that is rejected, with the id it is answered under. */
  onRejected: (request: IncomingMessage, requestId: string) => void;
}

/** What lets a request wait without its place. */
export type ConcurrencyRelease = Pick<Gate, 'withoutPlace'>;

/** Places that a caller gets however few are free, if any is. */
export const SHARE_MIN = 10;

/** What tells whether the process and the database live must be told even when nothing else is. */
const exempt = new Set(['/healthz', '/readyz']);

/**
 * Bounds the work of this process. A server that takes on more than it can do answers everybody late, and what is
 * answered late is often done for nobody; so a request beyond the bound is refused before anything else is done with it:
 * before it is routed, its caller is looked up, its body is read. That costs a small part of what serving it would, and
 * those that are being served hardly notice.
 *
 * A request that announces a body takes its place when the body has arrived (`admit`), so that a slow sender holds none.
 */
export class Gate {
  readonly #options: GateOptions;
  /** The requests that hold a place, with what is to be done when they give it back. */
  readonly #inside = new WeakMap<IncomingMessage, () => void>();
  /** Requests whose answers ended while they were being made. */
  readonly #gone = new WeakSet<IncomingMessage>();
  /** Places by caller: by what the request says of it, because nobody has looked it up yet. */
  readonly #places = new Map<string, number>();
  /** Headers of every rejection. */
  readonly #headers: readonly string[];
  /** Requests that are being served; an answer that is on its way, or that has no end, does not count any more. */
  inFlight = 0;

  constructor(options: GateOptions) {
    this.#options = options;
    // As `manners.ts` has it on what is served: whether a place is free depends on the key.
    const vary = `${options.corsOrigins.length > 0 ? 'Origin, ' : ''}accept-encoding, Authorization`;
    this.#headers = [...same, 'Vary', vary];
  }

  /** A server that lets requests through this gate. */
  serverOf(options: ServerOptions, serve: Serve): Server {
    return createServer(options, (request, response) => this.#enter(request, response, serve));
  }

  /** To be called before any other hook is added, so that a request leaves as soon as its answer is made. */
  register(app: FastifyInstance): void {
    app.addHook('onSend', (request, reply, payload, done) => {
      // The calls of a streamed batch are running while its answer is sent.
      if (isPartial(reply, payload)) reply.raw.once('close', () => this.#leaveForGood(request.raw));
      else this.#leave(request.raw);
      const rejection = this.#options.unread.add(request, reply, payload);
      if (rejection === undefined) done(null, payload);
      else done(rejection);
    });
  }

  /**
   * Gives a request its place when its body has arrived; answers false if no place is free. `onLeave` is called when the
   * request gives its place back.
   */
  admit(request: IncomingMessage, onLeave: () => void): boolean {
    if (this.#inside.has(request)) {
      this.#inside.set(request, onLeave);
      return true;
    }
    if (this.#isFullFor(request)) return false;
    this.#take(request, onLeave);
    return true;
  }

  /** Runs what waits for another server on behalf of a request, which gives its place back and takes it again afterwards. */
  async withoutPlace<Result>(request: IncomingMessage, wait: () => Promise<Result>): Promise<Result> {
    const onLeave = this.#inside.get(request);
    if (onLeave === undefined) return wait();
    this.#inside.delete(request);
    this.#giveBack(request);
    try {
      return await wait();
    } finally {
      if (this.#gone.has(request)) onLeave();
      else this.#take(request, onLeave);
    }
  }

  /**
   * Whether no place is free, or none for this caller, who holds at most as many as are free (the dynamic threshold of
   * `byte-budget.ts`): one caller alone gets half of them, and the first request of another finds a place.
   */
  #isFullFor(request: IncomingMessage): boolean {
    const free = this.#options.requestsMax - this.inFlight;
    return free <= 0 || (this.#places.get(claimedCallerOf(request)) ?? 0) >= Math.max(free, SHARE_MIN);
  }

  #enter(request: IncomingMessage, response: ServerResponse, serve: Serve): void {
    const { unread } = this.#options;
    if (response.socket === null && !unread.queue(response, request.socket)) return;
    if (this.#isFullFor(request) && !exempt.has(pathOf(request.url ?? '/'))) {
      this.#refuse(request, response);
      return;
    }
    if (!announcesBody(request)) this.#take(request, nothing);
    response.once('close', () => {
      unread.release(response);
      // Where the client has left before there was an answer, the work goes on, and counts until there is one.
      if (response.writableEnded) this.#leave(request);
    });
    serve(request, response);
  }

  #take(request: IncomingMessage, onLeave: () => void): void {
    this.inFlight += 1;
    this.#inside.set(request, onLeave);
    const caller = claimedCallerOf(request);
    this.#places.set(caller, (this.#places.get(caller) ?? 0) + 1);
  }

  #giveBack(request: IncomingMessage): void {
    this.inFlight -= 1;
    const caller = claimedCallerOf(request);
    const left = (this.#places.get(caller) ?? 1) - 1;
    if (left === 0) this.#places.delete(caller);
    else this.#places.set(caller, left);
  }

  /** For an answer that ends while calls of it may still wait for another server. */
  #leaveForGood(request: IncomingMessage): void {
    this.#gone.add(request);
    this.#leave(request);
  }

  #leave(request: IncomingMessage): void {
    const onLeave = this.#inside.get(request);
    if (onLeave === undefined) return;
    this.#inside.delete(request);
    this.#giveBack(request);
    onLeave();
  }

  #refuse(request: IncomingMessage, response: ServerResponse): void {
    const { idOf, corsOrigins, onRejected } = this.#options;
    const requestId = idOf(request);
    onRejected(request, requestId);
    const { type, body } = problemContent(overloaded, { instance: pathOf(request.url ?? '/'), requestId });
    const headers = ['Content-Type', type, 'Content-Length', String(Buffer.byteLength(body))];
    headers.push('X-Request-Id', requestId, ...this.#headers);
    const { origin = '' } = request.headers;
    if (corsOrigins.includes(origin)) headers.push('Access-Control-Allow-Origin', origin, ...exposed);
    boundDiscarded(request);
    response.writeHead(503, headers).end(body);
  }
}

/** Those who name no key are one caller here. */
function claimedCallerOf({ headers }: IncomingMessage): string {
  return headers.authorization ?? '';
}

/** Whether an answer is sent in parts while it is made, to an end. */
function isPartial(reply: FastifyReply, payload: unknown): boolean {
  return payload instanceof Readable && reply.getHeader('content-type') === JSON_LINES;
}

const nothing = () => undefined;

/** Whether a body follows that will be read before the request is served: of a GET or a HEAD none is. */
function announcesBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The same for all: what an Error costs is the trace of its stack. */
const overloaded = new RosterError('overloaded');

const same = Object.entries({
  ...overloaded.headers,
  ...securityHeaders,
  'Cache-Control': 'no-store',
}).flat();

const exposed = ['Access-Control-Expose-Headers', exposedHeaders.join(', ')];
