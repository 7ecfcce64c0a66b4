import type { CDPSession, Locator, Page } from 'playwright-core';

declare global {
  interface Window {
    /** What the observers of `watchPerformance` have seen. */
    __measured: Measured;
  }
}

export interface Measured {
  /** When the largest text or picture so far was painted, in milliseconds since the navigation began. */
  lcpMs: number;
  /** The longest event of each interaction: until the next frame was painted. */
  interactions: Record<string, { name: string; durationMs: number; target: string }>;
  /** Frames that took longer than 50 ms, with the scripts that ran in them. */
  longFrames: { startMs: number; durationMs: number; scripts: string[] }[];
}

interface Script {
  duration: number;
  invoker: string;
  sourceURL: string;
  sourceFunctionName: string;
}

/** The first row of a list of the agents of `seedAgents`, whose names end with their numbers. */
export const firstRow = (page: Page): Locator =>
  page
    .getByRole('grid')
    .getByRole('link', { name: / 0\d{5}$/ })
    .first();

/** Has every page of a context measure itself from its first byte on. To be called before it goes anywhere. */
export async function watchPerformance(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const measured: Measured = { lcpMs: 0, interactions: {}, longFrames: [] };
    window.__measured = measured;
    const observe = (type: string, take: (entry: PerformanceEntry) => void, options = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
        type,
        buffered: true,
        ...options,
      });
    observe('largest-contentful-paint', ({ startTime }) => {
      measured.lcpMs = startTime;
    });
    observe(
      'event',
      (entry) => {
        const { interactionId, target, name, duration } = entry as PerformanceEventTiming & {
          interactionId: number;
        };
        if (interactionId === 0 || (measured.interactions[interactionId]?.durationMs ?? 0) >= duration)
          return;
        const what = (target as Element | null)?.outerHTML.slice(0, 80) ?? '';
        measured.interactions[interactionId] = { name, durationMs: duration, target: what };
      },
      { durationThreshold: 16 },
    );
    observe('long-animation-frame', (entry) => {
      const { startTime, duration, scripts } = entry as PerformanceEntry & { scripts: Script[] };
      const described = scripts.map(
        (script) =>
          `${Math.round(script.duration)} ms ${script.invoker} ${script.sourceFunctionName} ${script.sourceURL.split('/').at(-1)}`,
      );
      measured.longFrames.push({ startMs: startTime, durationMs: duration, scripts: described });
    });
  });
}

/** What was measured so far, on this machine. */
const measuredOf = (page: Page): Promise<Measured> =>
  // Entries are delivered after the frame they are about.
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)));
    return window.__measured;
  });

/** Forgets what was measured so far, but for the first load. */
export const forgetMeasured = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.__measured.interactions = {};
    window.__measured.longFrames = [];
  });

interface MeasuredOnReference extends Measured {
  /** How many times slower than the reference machine this one was, by which the durations are divided; 1 if it was faster. */
  slowness: number;
}

/** A connection to the browser itself, which slows its CPU down and weighs its heap. */
export interface Instruments {
  /**
   * Has every frame of the page taken, as a small picture that nobody looks at. A browser without a window skips some frames that
   * change little, such as a focus that moves within a row, and the event behind one counts until the next frame that it shows.
   */
  takeFrames(): Promise<void>;
  /** Slows the page down so many times; 1 for as fast as it is. How slow the machine is itself just then counts for `measured`. */
  slowDown(times: number): Promise<void>;
  /** What was measured so far, with the durations that it would have had on the reference machine (`REFERENCE_MS`). */
  measured(): Promise<MeasuredOnReference>;
  /** The megabytes of the JavaScript heap that are in use after a collection of garbage. */
  heapMb(): Promise<number>;
}

/**
 * The median of `workMs` on a quiet machine of two cores (2026-11-23: 3.0 to 3.5 ms) that keeps the bounds with its times as they are.
 * A larger figure makes the bounds stricter for slower machines, a smaller one softer.
 */
const REFERENCE_MS = 3.2;

/** How often `workMs` does its work. */
const ATTEMPTS = 31;

/**
 * The result of the attempt with the least cost: what else the machine does only makes the page dearer. The first that costs no more
 * than `enough` is the last one.
 */
export async function bestOf<T>(
  attempt: () => Promise<T>,
  { costOf, enough, attempts }: { costOf: (result: T) => number; enough: number; attempts: number },
): Promise<T> {
  let best = await attempt();
  for (let count = 1; count < attempts && costOf(best) > enough; count += 1) {
    const next = await attempt();
    if (costOf(next) < costOf(best)) best = next;
  }
  return best;
}

/** How long a page of this machine needs for what pages do: to make, copy and sort records. The median of some attempts. */
const workMs = (page: Page): Promise<number> =>
  page.evaluate((attempts) => {
    const times = Array.from({ length: attempts }, () => {
      const begun = performance.now();
      const records = Array.from({ length: 5_000 }, (_, at) => ({
        id: String((at * 7_919) % 5_000),
        name: `Name ${at % 97}`,
        tags: [at, at + 1],
      }));
      const copied: typeof records = JSON.parse(JSON.stringify(records));
      copied.sort((one, other) => (one.id < other.id ? -1 : 1));
      return performance.now() - begun;
    });
    return times.toSorted((one, other) => one - other)[Math.floor(attempts / 2)] ?? Number.NaN;
  }, ATTEMPTS);

/**
 * The CPU time that the page's thread takes for some work, as a multiple of what it takes for the reference work (`workMs`). Neither
 * depends on what else the machine does. The page must not go to another site meanwhile.
 */
export async function measureCpu(page: Page, work: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const costOf = async (one: () => Promise<unknown>) => {
    const before = await spent();
    await one();
    return (await spent()) - before;
  };
  const cost = await costOf(work);
  const reference = await costOf(() => workMs(page));
  await session.detach();
  return (cost / reference) * ATTEMPTS;
}

export async function instrumentsOf(page: Page): Promise<Instruments> {
  const session: CDPSession = await page.context().newCDPSession(page);
  let slowness = 1;
  const onReference = <Timed extends { durationMs: number }>(timed: Timed): Timed => ({
    ...timed,
    durationMs: timed.durationMs / slowness,
  });
  return {
    takeFrames: async () => {
      session.on('Page.screencastFrame', ({ sessionId }) => {
        void session.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
      });
      await session.send('Page.startScreencast', { format: 'jpeg', quality: 1, maxWidth: 64, maxHeight: 64 });
    },
    slowDown: async (rate) => {
      await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      slowness = Math.max(1, (await workMs(page)) / REFERENCE_MS);
      await session.send('Emulation.setCPUThrottlingRate', { rate });
    },
    measured: async () => {
      const { lcpMs, interactions, longFrames } = await measuredOf(page);
      return {
        slowness,
        lcpMs: lcpMs / slowness,
        interactions: Object.fromEntries(
          Object.entries(interactions).map(([id, interaction]) => [id, onReference(interaction)]),
        ),
        longFrames: longFrames.map(onReference),
      };
    },
    heapMb: async () => {
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      return usedSize / 1_000_000;
    },
  };
}
