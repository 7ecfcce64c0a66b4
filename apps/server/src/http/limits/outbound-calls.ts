import type { IncomingMessage } from 'node:http';
import { RosterError } from '@roster/api';
import type { RunningRequests } from './running-requests.ts';

/** Requests of one server that wait for external servers at once. */
const CALLS_MAX = 10;
/** The longest that such a call takes. */
const RETRY_AFTER_S = 5;

/**
 * Limits the requests that call an external server before their response. While a request waits for one it holds no slot,
 * because the service cannot know how long that takes.
 */
export class OutboundCalls {
  readonly #running: RunningRequests;
  #underWay = 0;

  constructor(running: RunningRequests) {
    this.#running = running;
  }

  /** Makes a call for a request. Rejects with `rate_limited` if too many are under way. */
  async run<Result>(request: IncomingMessage, call: () => Promise<Result>): Promise<Result> {
    if (this.#underWay >= CALLS_MAX) {
      const detail = `${CALLS_MAX} requests already wait for other servers.`;
      throw new RosterError('rate_limited', detail, { retryAfter: RETRY_AFTER_S });
    }
    this.#underWay += 1;
    try {
      return await this.#running.withoutSlot(request, call);
    } finally {
      this.#underWay -= 1;
    }
  }
}
