import type { IncomingMessage } from 'node:http';
import { RosterError } from '@roster/api';
import type { ConcurrencyRelease } from './concurrency-limit.ts';

/** Requests of one server that wait for a server of somebody else at once. */
export const CALLS_MAX = 10;
/** Such a call takes 5 seconds at most. */
const RETRY_AFTER_S = 5;

/**
 * Bounds the requests that call a server of somebody else before they are answered. While one waits it holds no place of
 * the concurrency limit, because how long that takes is not for this service to say.
 */
export class OutboundCalls {
  readonly #limit: ConcurrencyRelease;
  #underWay = 0;

  constructor(limit: ConcurrencyRelease) {
    this.#limit = limit;
  }

  /** Makes a call for a request. Throws `rate_limited` where too many are under way. */
  async run<Result>(request: IncomingMessage, call: () => Promise<Result>): Promise<Result> {
    if (this.#underWay >= CALLS_MAX) {
      const detail = `${CALLS_MAX} requests already wait for other servers to answer.`;
      throw new RosterError('rate_limited', detail, { retryAfter: RETRY_AFTER_S });
    }
    this.#underWay += 1;
    try {
      return await this.#limit.withoutPlace(request, call);
    } finally {
      this.#underWay -= 1;
    }
  }
}
