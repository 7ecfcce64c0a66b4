import type { Readable } from 'node:stream';
import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { callerId } from '../plugins/authentication.ts';

export interface StreamLimits {
  /** Answers without an end that are held open at once. */
  openMax: number;
  /** Those of one key. */
  perKeyMax: number;
  /**
   * How often there is a sign of life where there is nothing else, so that a reader, and whatever stands between, can
   * tell silence from a dead connection.
   */
  heartbeatMs: number;
}

export const LIMITS: StreamLimits = { openMax: 1_000, perKeyMax: 100, heartbeatMs: 15_000 };
/** Before a reader comes back: long enough that it has seen its connection end, and does not ask on it again. */
const RETRY_MIN_MS = 25;
/** One of a key's streams has to end first. */
const RETRY_AFTER_S = 5;

/** A reader of an answer without an end. */
interface Reader {
  /** What it is sent from. */
  source: Readable | undefined;
}

export interface Streams {
  heartbeatMs: number;
  /** How many are open. */
  count: () => number;
  /**
   * To be called before an answer that has no end. Throws `unavailable` if too many are open, and `rate_limited` if too
   * many are open for the key.
   */
  hold(reply: FastifyReply): void;
}

/**
 * What holds for every answer without an end, whichever door it leaves by: bounds on their number, and an end for
 * all when the service closes. As soon as nothing new is accepted here, each is told to come back, which is then to
 * another server, within as many milliseconds as there are readers, so that they do not come all at once; where they go on
 * they say themselves (`Last-Event-ID`).
 */
export function registerStreams(app: FastifyInstance, limits: Partial<StreamLimits> = {}): Streams {
  const { openMax, perKeyMax, heartbeatMs } = { ...LIMITS, ...limits };
  const open = new Map<FastifyReply['raw'], Reader>();
  /** How many of them each key has. */
  const perKey = new Map<string, number>();
  let isClosing = false;
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
    setImmediate(sendAway);
  });
  return {
    heartbeatMs,
    count: () => open.size,
    hold({ raw, request }) {
      if (isClosing) throw new RosterError('unavailable', 'This server is stopping.');
      if (open.size >= openMax) throw new RosterError('unavailable', `${openMax} streams are open already.`);
      const caller = callerId(request);
      const count = (perKey.get(caller) ?? 0) + 1;
      if (count > perKeyMax) throw tooManyOf(perKeyMax);
      perKey.set(caller, count);
      const reader: Reader = { source: undefined };
      open.set(raw, reader);
      raw.once('pipe', (source) => {
        reader.source = source as Readable;
      });
      raw.once('close', () => {
        open.delete(raw);
        const left = (perKey.get(caller) ?? 1) - 1;
        if (left === 0) perKey.delete(caller);
        else perKey.set(caller, left);
      });
    },
  };
}

function tooManyOf(max: number): RosterError {
  const detail = `${max} streams of this key are open on this server already.`;
  return new RosterError('rate_limited', detail, { retryAfter: RETRY_AFTER_S });
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
