import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SimulatedServer, SimulatedServers } from '../../test/support/simulated-servers.ts';
import { SYNC_INTERVAL_MS } from './distributed-limiter.ts';

const WINDOW_MS = 60_000;
const FOREVER_MS = 10_000_000;
const policyOf = (quota: number) => ({ quota, windowMs: WINDOW_MS });
const server = (more: Partial<SimulatedServer> = {}): SimulatedServer => ({
  ...{ startMs: 0, endMs: FOREVER_MS, isKilled: false, latencyMs: 1, clockMs: 0 },
  ...more,
});
const servers = (count: number) => Array.from({ length: count }, () => server());
const allowed = ({ decisions }: SimulatedServers) => decisions.filter(({ isAllowed }) => isAllowed);

/** In which a server that runs and is connected starts a synchronisation and has its answer. */
const cycleMs = ({ latencyMs }: SimulatedServer) => SYNC_INTERVAL_MS / 2 + 4 * latencyMs;

/** The time by which a server has synchronised what it has at another time; `Infinity` if it ends before. */
function syncedBy(server: SimulatedServer, fromMs: number): number {
  const { startMs, endMs, disconnected } = server;
  let sinceMs = Math.max(fromMs, startMs);
  if (disconnected && sinceMs < disconnected.untilMs && sinceMs + cycleMs(server) > disconnected.fromMs) {
    sinceMs = disconnected.untilMs + cycleMs(server);
  }
  return sinceMs + cycleMs(server) > endMs ? Number.POSITIVE_INFINITY : sinceMs + cycleMs(server);
}

/**
 * The time by which a server has reported a request to the database. One that stops does so at its end, unless it has not
 * been connected just before; one that is killed takes with it what it has not reported.
 */
function reportedBy(server: SimulatedServer, atMs: number): number {
  const { endMs, isKilled, disconnected, latencyMs } = server;
  const regularMs = syncedBy(server, atMs);
  if (regularMs < Number.POSITIVE_INFINITY || isKilled) return regularMs;
  const isCutOff =
    disconnected && disconnected.untilMs + cycleMs(server) > endMs && disconnected.fromMs < endMs;
  return isCutOff ? Number.POSITIVE_INFINITY : endMs + latencyMs;
}

/**
 * What was replenished on a server while it was disconnected is left out of its report, except of the last interval.
 * Milliseconds of it that are in a period.
 */
function leftOutMs(server: SimulatedServer, fromMs: number, untilMs: number): number {
  const { disconnected } = server;
  if (disconnected === undefined) return 0;
  const sinceMs = Math.max(fromMs, disconnected.fromMs - cycleMs(server));
  const reportedMs = Math.min(untilMs, disconnected.untilMs + cycleMs(server));
  return Math.max(0, reportedMs - sinceMs - SYNC_INTERVAL_MS);
}

/**
 * The most by which allowed requests exceeded, in any period, the quota, what was replenished in it, what the server
 * that allowed the last of them could not know of, and what disconnected servers left out of their reports.
 */
function largestExcess({ decisions }: SimulatedServers, lives: SimulatedServer[], quota: number): number {
  let largest = Number.NEGATIVE_INFINITY;
  let level = 0;
  let sinceMs = 0;
  let fromMs = 0;
  let unknown = lives.map((): { cost: number; knownMs: number }[] => []);
  for (const { atMs, cost, server, isAllowed } of decisions) {
    if (!isAllowed) continue;
    level -= ((atMs - sinceMs) / WINDOW_MS) * quota;
    if (level <= 0) {
      [level, fromMs] = [0, atMs];
      unknown = lives.map(() => []);
    }
    level += cost;
    sinceMs = atMs;
    const unknownHere = (unknown[server] ?? []).filter(({ knownMs }) => knownMs >= atMs);
    unknown[server] = unknownHere;
    const unknownCost = unknownHere.reduce((sum, one) => sum + one.cost, 0);
    const leftOut = lives.reduce((sum, life) => sum + leftOutMs(life, fromMs, atMs), 0);
    largest = Math.max(largest, level - quota - unknownCost - (leftOut / WINDOW_MS) * quota);
    const reportedMs = reportedBy(lives[server] as SimulatedServer, atMs);
    for (const [index, other] of lives.entries()) {
      if (index !== server) unknown[index]?.push({ cost, knownMs: syncedBy(other, reportedMs) });
    }
  }
  return largest;
}

const period = fc.record({
  fromMs: fc.integer({ min: 0, max: 9_000 }),
  lengthMs: fc.integer({ min: 100, max: 5_000 }),
});
/** Servers that join, stop, crash, lose their connection, and whose clocks differ. */
const lives = fc.array(
  fc.record({
    startMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 8_000 })),
    endMs: fc.oneof(fc.constant(FOREVER_MS), fc.integer({ min: 8_001, max: 12_000 })),
    isKilled: fc.boolean(),
    latencyMs: fc.integer({ min: 0, max: 40 }),
    clockMs: fc.integer({ min: 0, max: 1e9 }),
    disconnected: fc
      .option(period, { nil: undefined, freq: 3 })
      .map((one) => one && { fromMs: one.fromMs, untilMs: one.fromMs + one.lengthMs }),
  }),
  { minLength: 1, maxLength: 5 },
);
/** A caller that sends more than the quota: bursts at one moment, or over some time, to one server or to all. */
const bursts = fc.array(
  fc.record({
    atMs: fc.oneof(fc.integer({ min: 0, max: 14_000 }), fc.integer({ min: 7_990, max: 8_100 })),
    share: fc.double({ min: 0.01, max: 1.5, noNaN: true }),
    overMs: fc.constantFrom(0, 5, 500, 5_000, 15_000),
    isSpread: fc.boolean(),
    cost: fc.constantFrom(1, 1, 1, 3),
  }),
  { minLength: 1, maxLength: 6 },
);
type Bursts = typeof bursts extends fc.Arbitrary<infer Value> ? Value : never;

function sendBursts(
  simulation: SimulatedServers,
  sent: Bursts,
  { quota, count }: Record<'quota' | 'count', number>,
) {
  for (const { atMs, share, overMs, isSpread, cost } of sent) {
    const requests = Math.ceil((share * quota) / cost);
    for (let index = 0; index < requests; index += 1) {
      simulation.request(atMs + (index / requests) * overMs, (isSpread ? index : atMs) % count, cost);
    }
  }
}

const quotas = fc.integer({ min: 6, max: 600 });
/** A report counts from the first of its requests, and its age and the answer are as old as a round trip: 40 ms each way. */
const delayOf = (quota: number) => ((SYNC_INTERVAL_MS + 4 * 40) / WINDOW_MS) * quota;
/** The limiter allows a hundredth of a request for floating point, and so do these sums. */
const excessMax = (quota: number) => delayOf(quota) + 0.02;

describe('servers that limit a caller together', () => {
  it('allow at most the quota, what was replenished, what others let through before it was synchronised, and what was replenished on servers that were cut off', () => {
    fc.assert(
      fc.property(quotas, lives, bursts, (quota, life, sent) => {
        const simulation = new SimulatedServers(policyOf(quota), life);
        sendBursts(simulation, sent, { quota, count: life.length });
        simulation.run(35_000);
        expect(largestExcess(simulation, life, quota)).toBeLessThanOrEqual(excessMax(quota));
      }),
      { numRuns: 100 },
    );
  });

  it('hold the same bound when the database crashes or its clock is set, once they have synchronised again', () => {
    const shift = fc.constantFrom(-3_600_000, -5_000, 0, 5_000, 3_600_000);
    fc.assert(
      fc.property(
        quotas,
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        shift,
        (quota, count, isLost, byMs) => {
          const life = servers(count);
          const simulation = new SimulatedServers(policyOf(quota), life);
          for (let index = 0; index < quota; index += 1) simulation.request(1_000, index % count);
          simulation.at(3_000, () => {
            if (isLost) simulation.loseTables();
            simulation.shiftDatabaseClock(byMs);
          });
          for (let index = 0; index < 4 * quota; index += 1)
            simulation.request(3_000 + index * 3, index % count);
          simulation.run(20_000);
          expect(largestExcess(simulation, life, quota)).toBeLessThanOrEqual(excessMax(quota));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('reject nothing that is within the quota, whichever server it is sent to', () => {
    const calm = fc.record({
      latencyMs: fc.integer({ min: 0, max: 40 }),
      clockMs: fc.integer({ min: 0, max: 1e9 }),
    });
    fc.assert(
      fc.property(quotas, fc.array(calm, { minLength: 1, maxLength: 5 }), bursts, (quota, some, sent) => {
        const life = some.map((one) => server(one));
        const simulation = new SimulatedServers(policyOf(quota), life);
        sendBursts(simulation, sent, { quota, count: life.length });
        simulation.run(35_000);
        let level = 0;
        let sinceMs = 0;
        for (const { atMs, cost, isAllowed } of simulation.decisions) {
          level = Math.max(0, level - ((atMs - sinceMs) / WINDOW_MS) * quota);
          sinceMs = atMs;
          if (isAllowed) level += cost;
          else expect(level + cost).toBeGreaterThan(quota - delayOf(quota) - 1);
        }
      }),
      { numRuns: 100 },
    );
  });

  it.each([2, 3, 5])(
    'allow the quota on each of %i at one moment, and nothing before that has been replenished',
    (count) => {
      const simulation = new SimulatedServers(policyOf(60), servers(count));
      for (let index = 0; index < 100 * count; index += 1) simulation.request(5_000, index % count);
      for (let index = 0; index < 10; index += 1) simulation.request(5_600, index % count);
      const wholeMs = 5_000 + (count - 1) * WINDOW_MS;
      simulation.request(wholeMs - 100, 0);
      simulation.request(wholeMs + 1_100, 0);
      simulation.run(FOREVER_MS / 10);
      expect(allowed(simulation).filter(({ atMs }) => atMs === 5_000)).toHaveLength(60 * count);
      expect(
        allowed(simulation)
          .filter(({ atMs }) => atMs > 5_000)
          .map(({ atMs }) => atMs),
      ).toEqual([wholeMs + 1_100]);
    },
  );

  it('find a caller who sends the whole rate to each of them', () => {
    const simulation = new SimulatedServers(policyOf(600), servers(3));
    for (let index = 0; index < 3 * 1_200; index += 1) simulation.request(index * (100 / 3), index % 3);
    simulation.run(120_000);
    expect(allowed(simulation).length).toBeLessThanOrEqual(600 + 1_200 + 3 * 10);
  });

  it('never reject a caller who keeps to the rate', () => {
    const simulation = new SimulatedServers(policyOf(600), servers(2));
    for (let index = 0; index < 900; index += 1) simulation.request(1_000 + index * 100, index % 2);
    simulation.run(100_000);
    expect(allowed(simulation)).toHaveLength(900);
  });
});

describe('a server', () => {
  it('knows what the others counted, when it joins', () => {
    const simulation = new SimulatedServers(policyOf(60), [server(), server({ startMs: 5_000 })]);
    for (let index = 0; index < 60; index += 1) simulation.request(4_000, 0);
    simulation.request(5_010, 1);
    simulation.request(5_010, 1);
    simulation.run(6_000);
    expect(simulation.decisions.slice(60).map(({ isAllowed }) => isAllowed)).toEqual([true, false]);
  });

  it('passes on what it counted, when it stops', () => {
    const simulation = new SimulatedServers(policyOf(60), [server({ endMs: 4_001 }), server()]);
    for (let index = 0; index < 60; index += 1) simulation.request(4_000, 0);
    for (let index = 0; index < 5; index += 1) simulation.request(4_300, 1);
    simulation.run(6_000);
    expect(allowed(simulation)).toHaveLength(60);
  });

  it('knows all that servers let through together that have stopped since', () => {
    const ending = server({ endMs: 4_001 });
    const simulation = new SimulatedServers(policyOf(60), [ending, ending, server({ startMs: 3_000 })]);
    for (let index = 0; index < 120; index += 1) simulation.request(4_000, index % 2);
    // Two minutes' requests were made at once: until one of them has passed, the quota is spent.
    simulation.request(63_000, 2);
    simulation.request(65_100, 2);
    simulation.run(70_000);
    expect(simulation.decisions.slice(120).map(({ isAllowed }) => isAllowed)).toEqual([false, true]);
  });

  it('limits by itself while the database is unavailable, and charges afterwards only what has not been replenished', () => {
    const disconnected = { fromMs: 1_000, untilMs: 601_000 };
    const simulation = new SimulatedServers(policyOf(60), [
      server({ disconnected }),
      server({ disconnected }),
    ]);
    // Each gets the whole rate for ten minutes, which is twice the rate of both together.
    for (let second = 1; second < 600; second += 1) {
      simulation.request(second * 1_000, 0);
      simulation.request(second * 1_000 + 500, 1);
    }
    for (let second = 605; second < 700; second += 1) simulation.request(second * 1_000, second % 2);
    simulation.run(700_000);
    expect(simulation.decisions.filter(({ isAllowed }) => !isAllowed)).toEqual([]);
  });

  it('reports what it knows to a database that lost its tables', () => {
    const simulation = new SimulatedServers(policyOf(60), [server(), server({ startMs: 5_000 })]);
    for (let index = 0; index < 60; index += 1) simulation.request(1_000, 0);
    simulation.at(3_000, () => simulation.loseTables());
    for (let index = 0; index < 20; index += 1) simulation.request(5_500, 1);
    simulation.run(6_000);
    // What was replenished in the 4.5 seconds.
    expect(allowed(simulation).length - 60).toBe(4);
  });

  it('synchronises at most four times a second, however many requests there are', () => {
    const simulation = new SimulatedServers(policyOf(600), servers(1));
    for (let index = 0; index < 2_000; index += 1) simulation.request(index * 5, 0);
    simulation.run(10_000);
    expect(simulation.syncs).toBeLessThanOrEqual(4 * 10 + 1);
  });
});
