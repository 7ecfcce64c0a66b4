import type { IncomingMessage } from 'node:http';
import { RosterError } from '@roster/api';
import type { RunningRequests } from './running-requests.ts';

const CALLS_MAX = 10;
/** As long as the longest call takes. */
const RETRY_AFTER_S = 5;

/** Limits requests that wait for an external server. Meanwhile they hold no slot: nobody knows how long it takes. */
export class OutboundCalls {
  readonly #running: RunningRequests;
  #underWay = 0;

  constructor(running: RunningRequests) {
    this.#running = running;
  }

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
