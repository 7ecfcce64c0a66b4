import type { RateReport, RateSync, RateSyncAnswer } from '@roster/api/server';
import { createGcra, type Gcra } from './gcra.ts';
import type { RateLimiter, RateLimitPolicy, RateLimitResult } from './limiter.ts';

/**
 * What one server lets through is known on all others after this time and the round trips of two synchronisations: a
 * server synchronises twice in it, so half of it may pass until the one reports, and half until the other reads.
 */
export const SYNC_INTERVAL_MS = 500;
/** Callers in one report. */
const REPORTS_MAX = 1_000;

/** What a server let through that the database does not know of. */
interface Unreported {
  spentMs: number;
  /** When the first of it was let through. */
  sinceMs: number;
}

/** A synchronisation that is under way; `synced` or `failed` takes it. */
export interface StartedSync extends Omit<RateSync, 'server'> {
  startedMs: number;
  /** What the reports were made of. */
  taken: Map<string, Unreported>;
  /** Whether there was more to report than fits. */
  isMore: boolean;
}

export interface DistributedRateLimiterOptions {
  policy: RateLimitPolicy;
  /** Milliseconds of a clock that is never set; that of the process unless given. */
  nowMs?: () => number;
}

/**
 * Limits callers together with any number of other servers. Each server decides by its own GCRA, at once, and all of them
 * exchange through the database what they let through (`startRateLimitSync`), so that each counts the requests of all.
 *
 * The bound: in any period a caller gets at most its quota, what was replenished meanwhile, and what the other servers
 * let through within one `SYNC_INTERVAL_MS` before they knew of each other's requests. Such an excess is counted, so that
 * it has to be replenished before more is allowed. In the worst case, a burst on all servers within half a second, it is the
 * quota for each other server. A server that is killed takes with it what it had not reported.
 *
 * While a server is disconnected from the database it limits by itself, and reports afterwards only what has not been
 * replenished there. For each such server the bound is larger by what was replenished meanwhile: the rate, times how long it
 * was disconnected.
 */
export class DistributedRateLimiter implements RateLimiter {
  readonly policy: RateLimitPolicy;
  readonly #intervalMs: number;
  readonly #nowMs: () => number;
  readonly #gcra: Gcra;
  readonly #unreported = new Map<string, Unreported>();
  #changedFrom = '0';

  constructor({ policy, nowMs = () => performance.now() }: DistributedRateLimiterOptions) {
    this.policy = policy;
    this.#intervalMs = policy.windowMs / policy.quota;
    this.#nowMs = nowMs;
    this.#gcra = createGcra(policy, nowMs);
  }

  limit(caller: string, cost: number): RateLimitResult {
    const result = this.#gcra.limit(caller, cost);
    if (result.isAllowed) {
      this.#addUnreported(caller, { spentMs: cost * this.#intervalMs, sinceMs: this.#nowMs() });
    }
    return result;
  }

  peek(caller: string, cost: number): RateLimitResult {
    return this.#gcra.peek(caller, cost);
  }

  /** What to send to the database; `synced` or `failed` has to follow before the next. */
  startSync(): StartedSync {
    const isMore = this.#unreported.size > REPORTS_MAX;
    const taken = new Map([...this.#unreported].slice(0, REPORTS_MAX));
    const reports = [...taken].map(([caller, unreported]) => this.#reportOf(caller, unreported));
    for (const caller of taken.keys()) this.#unreported.delete(caller);
    return { startedMs: this.#nowMs(), changedFrom: this.#changedFrom, reports, taken, isMore };
  }

  /** The database has answered. */
  synced({ startedMs }: StartedSync, { isNew, changedFrom, debts }: RateSyncAnswer): void {
    const now = this.#nowMs();
    this.#changedFrom = changedFrom;
    for (const [caller, debtMs] of debts) {
      const unreported = this.#unreported.get(caller);
      const moreMs = unreported === undefined ? 0 : this.#reportOf(caller, unreported).spentMs;
      // The debt is as of some time after the start. A lower one than known is that of a database that lost something.
      const allMs = debtMs - (now - startedMs) + moreMs;
      if (allMs > this.#gcra.debtMs(caller)) this.#gcra.set(caller, allMs);
    }
    if (!isNew) return;
    for (const caller of this.#gcra.activeKeys()) this.#addUnreported(caller, { spentMs: 0, sinceMs: now });
  }

  /** The database has not answered: what was to be reported is reported with the next synchronisation. */
  failed({ taken }: StartedSync): void {
    for (const [caller, unreported] of taken) this.#addUnreported(caller, unreported);
    for (const caller of this.#unreported.keys()) {
      if (this.#gcra.debtMs(caller) === 0) this.#unreported.delete(caller);
    }
  }

  #addUnreported(caller: string, { spentMs, sinceMs }: Unreported): void {
    const known = this.#unreported.get(caller);
    if (known === undefined) this.#unreported.set(caller, { spentMs, sinceMs });
    else {
      known.spentMs += spentMs;
      known.sinceMs = Math.min(known.sinceMs, sinceMs);
    }
  }

  /**
   * Between two synchronisations all that was spent is reported. After a longer time without the database, what has been
   * replenished since is left out, because each server was limiting by itself.
   */
  #reportOf(caller: string, { spentMs, sinceMs }: Unreported): RateReport {
    const ageMs = Math.min(this.#nowMs() - sinceMs, SYNC_INTERVAL_MS);
    const debtMs = this.#gcra.debtMs(caller);
    return { caller, ageMs, debtMs, spentMs: Math.min(spentMs, debtMs + ageMs) };
  }
}
