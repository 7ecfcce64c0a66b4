import type { Readable } from 'node:stream';
import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { callerKey } from '../identity.ts';
import { Share } from './share.ts';

export interface StreamLimits {
  /** Streams that are open at once. */
  openMax: number;
  /** Streams of one key that are open at once. */
  perKeyMax: number;
  /** The time between two comments on an idle stream, by which clients and proxies can tell it from a dead connection. */
  heartbeatMs: number;
}

export const LIMITS: StreamLimits = { openMax: 1_000, perKeyMax: 100, heartbeatMs: 15_000 };
/** The shortest `retry` for clients: enough to notice that the connection has ended, and not to send on it again. */
const RETRY_MIN_MS = 25;
/** For a key that has too many streams: one of them has to end first. */
const RETRY_AFTER_S = 5;

type RawResponse = FastifyReply['raw'];

/**
 * The open streams of a server: responses without an end, over REST and RPC. Bounds their number, and ends them when the
 * application closes: as soon as it accepts no new connections, every client is told to reconnect to another server, each at
 * another time within as many milliseconds as there are streams. Clients resume with `Last-Event-ID`.
 */
export class StreamRegistry {
  readonly heartbeatMs: number;
  readonly #app: FastifyInstance;
  readonly #limits: StreamLimits;
  /** The open responses, with the source of each once it is piped. */
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

  /** The number of open streams. */
  get count(): number {
    return this.#open.size;
  }

  /**
   * To be called before a response without an end is sent. Throws `unavailable` if too many streams are open or the server
   * is stopping, and `rate_limited` if too many of the key are open.
   */
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

  /** Ends all streams as soon as the server does not listen any more; a client that reconnected before would be here again. */
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

/**
 * Ends a stream with the time after which its client should reconnect. What has been written of it are whole lines, so that
 * one more may follow; an empty line must not, because the client would take the lines before it for a complete event.
 */
function endStream(response: RawResponse, source: Readable | undefined, retryMs: number): void {
  // A client that does not read would delay the end.
  if (response.writableNeedDrain || source === undefined) return void response.destroy();
  const { socket } = response;
  source.unpipe(response);
  response.end(`retry: ${retryMs}\n`, () => socket?.end());
}

/** A signal that fires when the client has closed the connection of a response that has no end by itself. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  raw.once('close', () => disconnected.abort());
  return disconnected.signal;
}
