import type { RateSyncAnswer } from '@roster/api/server';
import {
  DistributedRateLimiter,
  type StartedSync,
  SYNC_INTERVAL_MS,
} from '../../src/rate-limit/distributed-limiter.ts';
import type { RateLimitPolicy } from '../../src/rate-limit/limiter.ts';

/** From one time to another, in milliseconds of the simulation. */
interface Period {
  fromMs: number;
  untilMs: number;
}

/** What happens to one server. */
export interface SimulatedServer {
  startMs: number;
  endMs: number;
  /** Whether it ends without a last report. */
  isKilled: boolean;
  /** The latency to the database, in each direction. */
  latencyMs: number;
  /** What its clock shows at the start of the simulation. */
  clockMs: number;
  /** When nothing passes between it and the database. */
  disconnected?: Period | undefined;
}

/** A request that a server has decided on. */
export interface Decision {
  atMs: number;
  server: number;
  cost: number;
  isAllowed: boolean;
}

interface RunningServer {
  life: SimulatedServer;
  limiter: DistributedRateLimiter;
}

/** A day: the clock of the database starts there, so that it can be set back. */
const DATABASE_CLOCK_MS = 86_400_000;

/**
 * Servers that limit one caller, and a database that answers as `sync_caller_rates` does, on a clock that moves from event
 * to event. Servers and database know nothing of each other's clocks.
 */
export class SimulatedServers {
  nowMs = 0;
  readonly decisions: Decision[] = [];
  syncs = 0;
  readonly #servers: RunningServer[];
  readonly #events: { atMs: number; run: () => void }[] = [];
  #databaseClockMs = DATABASE_CLOCK_MS;
  #registered = new Set<number>();
  #rate: { spentUntil: number; changedAt: number } | undefined;

  constructor(policy: RateLimitPolicy, lives: SimulatedServer[]) {
    this.#servers = lives.map((life) => ({
      life,
      limiter: new DistributedRateLimiter({ policy, nowMs: () => life.clockMs + this.nowMs }),
    }));
    for (const [index, { startMs, endMs, isKilled }] of lives.entries()) {
      this.at(startMs, () => this.#startSync(index));
      if (!isKilled) this.at(endMs, () => this.#stop(index));
    }
  }

  /** Events of the same time happen in the order in which they were added. */
  at(atMs: number, run: () => void): void {
    const last = this.#events.findLastIndex((event) => event.atMs <= atMs);
    this.#events.splice(last + 1, 0, { atMs, run });
  }

  /** Sends a request to a server; if that does not run then, nothing happens. */
  request(atMs: number, server: number, cost = 1): void {
    this.at(atMs, () => {
      const { life, limiter } = this.#servers[server] as RunningServer;
      if (atMs < life.startMs || atMs >= life.endMs) return;
      const { isAllowed } = limiter.limit('ana', cost);
      this.decisions.push({ atMs, server, cost, isAllowed });
    });
  }

  /** The database loses its unlogged tables, as in a crash or a failover. */
  loseTables(): void {
    this.#registered = new Set();
    this.#rate = undefined;
  }

  /** Sets the clock of the database forward, or back. */
  shiftDatabaseClock(byMs: number): void {
    this.#databaseClockMs += byMs;
  }

  /** Runs all events up to a time, in their order. */
  run(untilMs: number): void {
    for (let next = this.#events[0]; next !== undefined && next.atMs <= untilMs; next = this.#events[0]) {
      this.#events.shift();
      this.nowMs = next.atMs;
      next.run();
    }
  }

  #startSync(index: number): void {
    const { life, limiter } = this.#servers[index] as RunningServer;
    if (this.nowMs >= life.endMs) return;
    const started = limiter.startSync();
    this.syncs += 1;
    this.at(this.nowMs + life.latencyMs, () => {
      const answer = this.#isConnected(life) ? this.#answer(index, started) : undefined;
      this.at(this.nowMs + life.latencyMs, () => {
        if (answer !== undefined && this.#isConnected(life)) limiter.synced(started, answer);
        else limiter.failed(started);
        this.at(this.nowMs + SYNC_INTERVAL_MS / 2, () => this.#startSync(index));
      });
    });
  }

  #stop(index: number): void {
    const { life, limiter } = this.#servers[index] as RunningServer;
    if (!this.#isConnected(life)) return;
    this.#answer(index, limiter.startSync());
    this.#registered.delete(index);
  }

  #isConnected({ disconnected }: SimulatedServer): boolean {
    return (
      disconnected === undefined || this.nowMs < disconnected.fromMs || this.nowMs >= disconnected.untilMs
    );
  }

  #answer(index: number, { reports }: Pick<StartedSync, 'reports'>): RateSyncAnswer {
    const isNew = !this.#registered.has(index);
    this.#registered.add(index);
    const now = this.#databaseClockMs + this.nowMs;
    for (const { ageMs, spentMs, debtMs } of reports) {
      const spentUntil = Math.max(now + this.#debtMs(now), now - ageMs) + spentMs;
      this.#rate = { spentUntil: Math.max(spentUntil, now + debtMs), changedAt: now };
    }
    const debtMs = this.#debtMs(now);
    return { isNew, changedFrom: '0', debts: debtMs > 0 ? [['ana', debtMs]] : [] };
  }

  /** Below 0 if all has been replenished. As in the database, no larger than when it was written if the clock was set back. */
  #debtMs(now: number): number {
    return this.#rate === undefined
      ? Number.NEGATIVE_INFINITY
      : this.#rate.spentUntil - Math.max(now, this.#rate.changedAt);
  }
}
