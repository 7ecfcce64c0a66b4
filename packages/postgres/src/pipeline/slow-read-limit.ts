import { OverloadedError } from '../errors.ts';
import type { PipelinedQuery } from './query.ts';

/** The most reads of one caller that may wait while its slow reads hold their limit: enough for two batches of 20 calls. */
export const WAITING_MAX = 40;

interface SharedConnection {
  readonly isSlow: boolean;
  /** The statements in flight, the oldest first. */
  readonly queries: readonly PipelinedQuery[];
}

/**
 * Limits how many pipelined connections the slow reads of one caller hold, so that others are served meanwhile. At the
 * limit further reads of that caller wait, and are rejected if more than 40 wait. Callers whose reads are fast are not
 * limited, nor are reads without a caller.
 */
export class SlowReadLimit {
  readonly #connectionsMax: number;
  /** The number of connections that the slow reads of each caller hold. */
  readonly #held = new Map<string, number>();

  constructor(connectionsMax: number) {
    this.#connectionsMax = connectionsMax;
  }

  /** Counts again who holds which connection; to be called on each tick. */
  update(connections: Iterable<SharedConnection>): void {
    this.#held.clear();
    for (const { isSlow, queries } of connections) {
      const caller = isSlow ? queries[0]?.caller : undefined;
      if (caller !== undefined) this.#held.set(caller, (this.#held.get(caller) ?? 0) + 1);
    }
  }

  /** Whether a read must wait because its caller is at the limit. */
  mustWait({ caller }: PipelinedQuery): boolean {
    if (this.#held.size === 0 || caller === undefined) return false;
    return (this.#held.get(caller) ?? 0) >= this.#connectionsMax;
  }

  /** Rejects, of the reads that have not started, those that are too many of one caller to wait, newest first. */
  rejectExcess(notStarted: Iterable<PipelinedQuery>): void {
    if (this.#held.size === 0) return;
    const waiting = new Map<string, number>();
    for (const query of notStarted) {
      if (query.caller === undefined || !this.mustWait(query)) continue;
      const before = waiting.get(query.caller) ?? 0;
      if (before < WAITING_MAX) waiting.set(query.caller, before + 1);
      else {
        const message = `${before} reads of this caller are already waiting behind its slow reads.`;
        query.settle(new OverloadedError(message));
      }
    }
  }
}
