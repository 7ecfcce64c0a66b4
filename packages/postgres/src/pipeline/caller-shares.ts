import { OverloadedError } from '../errors.ts';
import type { Job } from './query.ts';

/** Reads of one caller that wait while their slow ones hold a share; enough for two batches of 20 calls. */
const WAITING_MAX = 40;

/** One of the shared connections, as far as it matters whose reads hold it. */
interface Held {
  readonly isSlow: boolean;
  /** What was sent and not answered, oldest first. */
  readonly jobs: readonly Job[];
}

/**
 * Bounds how many of the shared connections the slow reads of one caller hold. A caller whose slow reads hold a share gets
 * no further connection until one of them has ended: the rest of what they ask waits, and beyond 40 reads is refused, while
 * others are served. A caller whose reads are quick is not bounded; nor is a read that was asked for by nobody in particular.
 */
export class CallerShares {
  readonly #connectionsMax: number;
  /** How many connections the slow reads of a caller hold. */
  readonly #held = new Map<string, number>();

  constructor(connectionsMax: number) {
    this.#connectionsMax = connectionsMax;
  }

  /** To be called now and then: looks at who holds what. */
  update(connections: Iterable<Held>): void {
    this.#held.clear();
    for (const { isSlow, jobs } of connections) {
      const caller = isSlow ? jobs[0]?.caller : undefined;
      if (caller !== undefined) this.#held.set(caller, (this.#held.get(caller) ?? 0) + 1);
    }
  }

  /** Whether a read has to wait because its caller has a share already. */
  mustWait({ caller }: Job): boolean {
    if (this.#held.size === 0 || caller === undefined) return false;
    return (this.#held.get(caller) ?? 0) >= this.#connectionsMax;
  }

  /** Refuses those of the reads, none of which has begun, that are too many of one caller to wait; the last ones first. */
  refuseExcess(notBegun: Iterable<Job>): void {
    if (this.#held.size === 0) return;
    const waiting = new Map<string, number>();
    for (const job of notBegun) {
      if (job.caller === undefined || !this.mustWait(job)) continue;
      const before = waiting.get(job.caller) ?? 0;
      if (before < WAITING_MAX) waiting.set(job.caller, before + 1);
      else
        job.settle(new OverloadedError(`${before} reads of one caller wait behind their slow ones already.`));
    }
  }
}
