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

export interface Streams {
  heartbeatMs: number;
  /** To be called before an answer that has no end. Throws `unavailable` where there are too many. */
  hold(reply: FastifyReply): void;
}

/**
 * What holds for every answer without an end, whichever door it leaves by: a bound on their number, an end for readers
 * who do not read, and an end for all when the service closes; their clients go on elsewhere where they were.
 */
export function registerStreams(app: FastifyInstance, limits: Partial<StreamLimits> = {}): Streams {
  const { openMax, slowMs, heartbeatMs } = { ...LIMITS, ...limits };
  /** Since when each has been waiting for its reader. */
  const open = new Map<FastifyReply['raw'], number | undefined>();
  const cutSlow = () => {
    for (const [answer, since] of open) {
      const waitsSince = answer.writableNeedDrain ? (since ?? performance.now()) : undefined;
      open.set(answer, waitsSince);
      if (waitsSince !== undefined && performance.now() - waitsSince >= slowMs) answer.destroy();
    }
  };
  const timer = setInterval(cutSlow, slowMs / LOOKS_PER_LIMIT).unref();
  app.addHook('preClose', async () => {
    clearInterval(timer);
    for (const answer of open.keys()) answer.destroy();
  });
  return {
    heartbeatMs,
    hold({ raw }) {
      if (open.size >= openMax) throw new RosterError('unavailable', `${openMax} streams are open already.`);
      open.set(raw, undefined);
      raw.once('close', () => open.delete(raw));
    },
  };
}
