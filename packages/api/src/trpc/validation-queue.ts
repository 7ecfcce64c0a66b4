/**
 * Units of work in one turn of the event loop. A unit is what one value of an input costs that breaks its schema: about
 * three microseconds on a core of its own, so that a turn takes some ten milliseconds.
 */
export const UNITS_MAX = 3_000;

/** Characters of text that cost as much as a value does: they are looked through several times. */
export const CHARACTERS_OF_UNIT = 200;

interface Waiting {
  units: number;
  begin: () => void;
}

const waiting: Waiting[] = [];
/** Units that have begun in this turn. */
let begun = 0;
let isTurning = false;

function turn(): void {
  begun = 0;
  for (let next = waiting[0]; next !== undefined && mayBegin(next.units); next = waiting[0]) {
    waiting.shift();
    begun += next.units;
    next.begin();
  }
  isTurning = begun > 0;
  if (isTurning) setImmediate(turn);
}

function mayBegin(units: number): boolean {
  return begun === 0 || begun + units <= UNITS_MAX;
}

/**
 * Resolves when so much work may begin: at once while the turn of the event loop has room for it, else in a later one, so
 * that other requests are served in between. All calls of the process wait in one line, first come, first served. The
 * work itself must follow without another wait.
 */
export function waitForCapacity(units: number): Promise<void> | undefined {
  if (!isTurning) {
    isTurning = true;
    setImmediate(turn);
  }
  if (waiting.length === 0 && mayBegin(units)) {
    begun += units;
    return undefined;
  }
  return new Promise((begin) => waiting.push({ units, begin }));
}
