import { ALIVE_MS, SEEN_EVERY_MS } from '@roster/api/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRateLimiter, type RateLimiter } from '../../src/http/limits/gcra.ts';

const WINDOW_MS = 60_000;

/** When a server runs, by the clock of the simulation. One that is killed leaves its row in the registry. */
interface Life {
  startMs: number;
  endMs: number;
  isKilled: boolean;
}

const FOREVER: Life = { startMs: 0, endMs: Number.POSITIVE_INFINITY, isKilled: false };

/** Servers that divide a quota by how many they find in the registry, every few seconds, on a clock that the simulation sets. */
class SimulatedServers {
  nowMs = 0;
  readonly #lives: readonly Life[];
  readonly #limiters: RateLimiter[];

  constructor(quota: number, lives: readonly Life[]) {
    this.#lives = lives;
    this.#limiters = lives.map(() => createRateLimiter({ quota, windowMs: WINDOW_MS }, () => this.nowMs));
  }

  /** Sets the clock to a later time. Meanwhile servers count each other, each as often from its own start. */
  advanceTo(untilMs: number): void {
    const beats = this.#lives.flatMap(({ startMs, endMs }, index) => {
      const first = startMs + Math.max(0, Math.ceil((this.nowMs - startMs) / SEEN_EVERY_MS)) * SEEN_EVERY_MS;
      const times: { atMs: number; index: number }[] = [];
      for (let atMs = first; atMs < Math.min(untilMs, endMs); atMs += SEEN_EVERY_MS)
        times.push({ atMs, index });
      return times;
    });
    for (const { atMs, index } of beats.toSorted((one, other) => one.atMs - other.atMs))
      this.#limiters[index]?.divideBy(this.#lives.filter((life) => isListed(life, atMs)).length);
    this.nowMs = untilMs;
  }

  /** Sends a request to a server; whether it was allowed. */
  send(server: number, cost = 1): boolean {
    return this.#limiters[server]?.limit('ana', cost).isAllowed ?? false;
  }

  /** The servers that run. */
  running(): number[] {
    return [...this.#lives.keys()].filter((index) => {
      const { startMs, endMs } = this.#lives[index] as Life;
      return startMs < this.nowMs && this.nowMs < endMs;
    });
  }
}

/** Whether a server is in the registry: until its end, or, if it is killed, until it has not been seen for some time. */
function isListed({ startMs, endMs, isKilled }: Life, atMs: number): boolean {
  const lastSeenMs = startMs + Math.floor((endMs - startMs) / SEEN_EVERY_MS) * SEEN_EVERY_MS;
  return startMs <= atMs && (atMs < endMs || (isKilled && atMs <= lastSeenMs + ALIVE_MS));
}

const servers = (count: number) => Array.from({ length: count }, () => FOREVER);
/** What is allowed of one request after the other to each of some servers, until all reject. */
function drain(simulation: SimulatedServers, from: readonly number[]): number {
  let allowed = 0;
  for (const server of from) while (simulation.send(server)) allowed += 1;
  return allowed;
}

describe('a caller who sends as much as it can for ten minutes', () => {
  const quotas = fc.integer({ min: 20, max: 600 });
  const counts = fc.integer({ min: 1, max: 8 });

  it('gets the share of one server at once and its part of the rate if it stays there, and no more', () => {
    fc.assert(
      fc.property(quotas, counts, (quota, count) => {
        const simulation = new SimulatedServers(quota, servers(count));
        let allowed = 0;
        for (let second = 1; second <= 600; second += 1) {
          simulation.advanceTo(second * 1_000);
          allowed += drain(simulation, [0]);
        }
        const share = quota / count;
        expect(allowed).toBeGreaterThanOrEqual(Math.floor(share + share * (599 / 60)) - 1);
        expect(allowed).toBeLessThanOrEqual(share + share * (599 / 60) + 1);
      }),
      { numRuns: 20 },
    );
  });

  it('gets the quota at once and the rate if it spreads its requests over all servers, and no more', () => {
    fc.assert(
      fc.property(quotas, counts, (quota, count) => {
        const simulation = new SimulatedServers(quota, servers(count));
        let allowed = 0;
        for (let second = 1; second <= 600; second += 1) {
          simulation.advanceTo(second * 1_000);
          allowed += drain(simulation, simulation.running());
        }
        expect(allowed).toBeGreaterThanOrEqual(quota + quota * (599 / 60) - count);
        expect(allowed).toBeLessThanOrEqual(quota + quota * (599 / 60) + count);
      }),
      { numRuns: 20 },
    );
  });

  it('gets beyond that, for each server that comes, its share at once and its part of the rate until the others have counted it', () => {
    const later = fc.record({
      startMs: fc.integer({ min: 1, max: 300_000 }),
      lifeMs: fc.integer({ min: 1_000, max: 300_000 }),
      isKilled: fc.boolean(),
    });
    fc.assert(
      fc.property(quotas, counts, fc.array(later, { maxLength: 6 }), (quota, count, comers) => {
        const others = comers.map(({ startMs, lifeMs, isKilled }) => ({
          startMs,
          endMs: startMs + lifeMs,
          isKilled,
        }));
        const simulation = new SimulatedServers(quota, [...servers(count), ...others]);
        let allowed = 0;
        for (let second = 1; second <= 600; second += 1) {
          simulation.advanceTo(second * 1_000);
          allowed += drain(simulation, simulation.running());
        }
        const share = quota / (count + 1);
        // A server is counted by the others within one interval, and sends are one second apart.
        const uncountedS = SEEN_EVERY_MS / 1_000 + 1;
        const excess = others.length * (share + (quota / 60) * uncountedS + 1);
        expect(allowed).toBeLessThanOrEqual(quota + quota * (599 / 60) + count + excess);
      }),
      { numRuns: 40 },
    );
  });

  it('gets the whole rate again from the servers that stay, 20 seconds after one was killed and 5 after one stopped', () => {
    for (const [isKilled, forgottenMs] of [
      [true, ALIVE_MS + SEEN_EVERY_MS],
      [false, SEEN_EVERY_MS],
    ] as const) {
      const simulation = new SimulatedServers(600, [FOREVER, { startMs: 0, endMs: 61_000, isKilled }]);
      simulation.advanceTo(60_000);
      expect(drain(simulation, [0, 1])).toBe(600);
      const restMs = 61_000 + forgottenMs + 1;
      simulation.advanceTo(restMs);
      drain(simulation, [0]);
      simulation.advanceTo(restMs + 30_000);
      expect(drain(simulation, [0])).toBeGreaterThanOrEqual(299);
    }
  });

  it('is never rejected if it sends no more than the rate of a share to each', () => {
    const simulation = new SimulatedServers(600, servers(3));
    for (let count = 1; count <= 3_000; count += 1) {
      simulation.advanceTo(count * 101);
      expect(simulation.send(count % 3)).toBe(true);
    }
  });
});
