import type { Readable } from 'node:stream';
import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply } from 'fastify';

export interface StreamLimits {
  /** Answers without an end that are held open at once. */
  openMax: number;
  /** How long a reader may leave unread what it was sent. */
  slowMs: number;
  /**
   * How often there is a sign of life where there is nothing else, so that a reader, and whatever stands between, can
   * tell silence from a dead connection.
   */
  heartbeatMs: number;
}

const LIMITS: StreamLimits = { openMax: 1_000, slowMs: 30_000, heartbeatMs: 15_000 };
const LOOKS_PER_LIMIT = 6;
/** Before a reader comes back: long enough that it has seen its connection end, and does not ask on it again. */
const RETRY_MIN_MS = 25;

/** A reader of an answer without an end. */
interface Reader {
  /** Since when it has not read what it was sent. */
  waitsSince: number | undefined;
  /** What it is sent from. */
  source: Readable | undefined;
}

export interface Streams {
  heartbeatMs: number;
  /** How many are open. */
  count: () => number;
  /** To be called before an answer that has no end. Throws `unavailable` where there are too many. */
  hold(reply: FastifyReply): void;
}

/**
 * What holds for every answer without an end, whichever door it leaves by: a bound on their number, an end for readers
 * who do not read, and an end for all when the service closes. As soon as nothing new is accepted here, each is told to
 * come back, which is then to another server, within as many milliseconds as there are readers, so that they do not
 * come all at once; where they go on they say themselves (`Last-Event-ID`).
 */
export function registerStreams(app: FastifyInstance, limits: Partial<StreamLimits> = {}): Streams {
  const { openMax, slowMs, heartbeatMs } = { ...LIMITS, ...limits };
  const open = new Map<FastifyReply['raw'], Reader>();
  let isClosing = false;
  const cutSlow = () => {
    for (const [answer, reader] of open) {
      reader.waitsSince = answer.writableNeedDrain ? (reader.waitsSince ?? performance.now()) : undefined;
      if (reader.waitsSince !== undefined && performance.now() - reader.waitsSince >= slowMs)
        answer.destroy();
    }
  };
  const timer = setInterval(cutSlow, slowMs / LOOKS_PER_LIMIT).unref();
  const sendAway = () => {
    // Fastify closes the listener after this hook; who came back before that would be here again.
    if (app.server.listening) return void setImmediate(sendAway);
    const spreadMs = open.size;
    for (const [answer, { source }] of open) {
      endStream(answer, source, RETRY_MIN_MS + Math.floor(Math.random() * spreadMs));
    }
  };
  app.addHook('preClose', async () => {
    isClosing = true;
    clearInterval(timer);
    setImmediate(sendAway);
  });
  return {
    heartbeatMs,
    count: () => open.size,
    hold({ raw }) {
      if (isClosing) throw new RosterError('unavailable', 'This server is stopping.');
      if (open.size >= openMax) throw new RosterError('unavailable', `${openMax} streams are open already.`);
      const reader: Reader = { waitsSince: undefined, source: undefined };
      open.set(raw, reader);
      raw.once('pipe', (source) => {
        reader.source = source as Readable;
      });
      raw.once('close', () => open.delete(raw));
    },
  };
}

/**
 * Ends a stream in order. All that was written of it are whole lines, so that one more may follow; there is no blank line
 * after it, which would pass the reader an event it has half of.
 */
function endStream(answer: FastifyReply['raw'], source: Readable | undefined, retryMs: number): void {
  // Nobody reads at the other end: it would hold everything up.
  if (answer.writableNeedDrain || source === undefined) return void answer.destroy();
  const { socket } = answer;
  source.unpipe(answer);
  answer.end(`retry: ${retryMs}\n`, () => socket?.end());
}
