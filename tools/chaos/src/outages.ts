import type { MadeFault } from './faults/faults.ts';
import { type Attempt, isDone, isWrite } from './history.ts';

/** What a fault did to those who used the deployment. */
export interface Outage {
  fault: MadeFault;
  /** The longest time without any success that began between this fault and the next one, in milliseconds. */
  darkMs: number;
  /** The same of writes alone. */
  unwritableMs: number;
  /** From the moment that everything was whole again to the next write that succeeded; 0 where one did before. */
  recoveryMs: number;
}

/** The longest time between two neighbours that begins in a span of time; the span begins one, too. */
function longestGap(times: readonly number[], fromMs: number, toMs: number): number {
  let longest = 0;
  let last = fromMs;
  for (const time of times) {
    if (time < fromMs) continue;
    longest = Math.max(longest, time - last);
    if (time > toMs) break;
    last = time;
  }
  return longest;
}

/** What each fault did, in the order of their beginnings. */
export function outagesOf(faults: readonly MadeFault[], attempts: readonly Attempt[]): Outage[] {
  const done = attempts.filter(isDone);
  const timesOf = (some: readonly Attempt[]) => some.map(({ endMs }) => endMs).sort((a, b) => a - b);
  const all = timesOf(done);
  const writes = timesOf(done.filter(isWrite));
  const inOrder = faults.toSorted((a, b) => a.startMs - b.startMs);
  return inOrder.map((fault, index) => {
    const { startMs, endMs } = fault;
    const untilMs = Math.max(endMs, inOrder[index + 1]?.startMs ?? endMs);
    return {
      fault,
      darkMs: longestGap(all, startMs, untilMs),
      unwritableMs: longestGap(writes, startMs, untilMs),
      recoveryMs: (writes.find((time) => time >= endMs) ?? endMs) - endMs,
    };
  });
}
