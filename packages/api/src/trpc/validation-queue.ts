/** A unit is one invalid value, about 3 µs, so an iteration takes about 10 ms. */
export const UNITS_PER_ITERATION = 3_000;

/** Characters that cost as much as one value: validation reads them several times. */
export const CHARACTERS_PER_UNIT = 200;

interface Waiter {
  units: number;
  start: () => void;
}

const queue: Waiter[] = [];
let started = 0;
let isIterationScheduled = false;

function startIteration(): void {
  started = 0;
  for (let next = queue[0]; next !== undefined && hasCapacity(next.units); next = queue[0]) {
    queue.shift();
    started += next.units;
    next.start();
  }
  isIterationScheduled = started > 0;
  if (isIterationScheduled) setImmediate(startIteration);
}

/** The first work may exceed the iteration. */
function hasCapacity(units: number): boolean {
  return started === 0 || started + units <= UNITS_PER_ITERATION;
}

/**
 * Limits the work per iteration of the event loop, so that other requests are served. Returns undefined if
 * the work can start now, else a promise for a later iteration: then do the work without another await. All
 * calls of the process share one queue.
 */
export function waitForCapacity(units: number): Promise<void> | undefined {
  if (!isIterationScheduled) {
    isIterationScheduled = true;
    setImmediate(startIteration);
  }
  if (queue.length === 0 && hasCapacity(units)) {
    started += units;
    return undefined;
  }
  return new Promise((start) => queue.push({ units, start }));
}
