import type { Readable } from 'node:stream';
import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { callerKey } from '../identity.ts';
import { Share } from './share.ts';

export interface StreamLimits {
  openMax: number;
  perKeyMax: number;
  heartbeatMs: number;
}

export const LIMITS: StreamLimits = { openMax: 1_000, perKeyMax: 100, heartbeatMs: 15_000 };
/** Enough for a client to notice that the connection has ended, and not to send on it again. */
const RETRY_MIN_MS = 25;
const RETRY_AFTER_S = 5;

type RawResponse = FastifyReply['raw'];

/**
 * Bounds responses without an end. When the application closes, clients are told to reconnect at different times, and resume with
 * `Last-Event-ID`.
 */
export class StreamRegistry {
  readonly heartbeatMs: number;
  readonly #app: FastifyInstance;
  readonly #limits: StreamLimits;
  readonly #open = new Map<RawResponse, Readable | undefined>();
  readonly #perKey: Share;
  #isClosing = false;

  constructor(app: FastifyInstance, limits: Partial<StreamLimits> = {}) {
    this.#app = app;
    this.#limits = { ...LIMITS, ...limits };
    this.heartbeatMs = this.#limits.heartbeatMs;
    this.#perKey = new Share({ perKeyMax: this.#limits.perKeyMax });
    app.addHook('preClose', async () => {
      this.#isClosing = true;
      setImmediate(() => this.disconnectAll());
    });
  }

  get count(): number {
    return this.#open.size;
  }

  /** Call it before the response is sent. Throws `unavailable` or `rate_limited`. */
  add({ raw, request }: FastifyReply): void {
    const { openMax, perKeyMax } = this.#limits;
    if (this.#isClosing) throw new RosterError('unavailable', 'This server is stopping.');
    if (this.count >= openMax) throw new RosterError('unavailable', `${openMax} streams are open already.`);
    const key = callerKey(request);
    if (!this.#perKey.allows(key)) throw tooManyStreams(perKeyMax);
    this.#perKey.take(key);
    this.#open.set(raw, undefined);
    raw.once('pipe', (source) => this.#open.set(raw, source as Readable));
    raw.once('close', () => {
      this.#open.delete(raw);
      this.#perKey.release(key);
    });
  }

  /** Waits until the server does not listen: clients would reconnect to it. */
  disconnectAll(): void {
    if (this.#app.server.listening) return void setImmediate(() => this.disconnectAll());
    const spreadMs = this.#open.size;
    for (const [response, source] of this.#open) {
      endStream(response, source, RETRY_MIN_MS + Math.floor(Math.random() * spreadMs));
    }
  }
}

function tooManyStreams(max: number): RosterError {
  const detail = `${max} streams of this key are open on this server already.`;
  return new RosterError('rate_limited', detail, { retryAfter: RETRY_AFTER_S });
}

/** Sends whole lines and no empty one: the client would take the lines before it for a complete event. */
function endStream(response: RawResponse, source: Readable | undefined, retryMs: number): void {
  // Such a client would delay the end.
  if (response.writableNeedDrain || source === undefined) return void response.destroy();
  const { socket } = response;
  source.unpipe(response);
  response.end(`retry: ${retryMs}\n`, () => socket?.end());
}

export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  raw.once('close', () => disconnected.abort());
  return disconnected.signal;
}
