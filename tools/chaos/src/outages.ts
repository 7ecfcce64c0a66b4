import type { MadeFault } from './faults/faults.ts';
import { type Attempt, isDone, isWrite } from './history.ts';

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

/** What each fault did to those who used the deployment, in the order of their beginnings; times in milliseconds. */
export function outagesOf(faults: readonly MadeFault[], attempts: readonly Attempt[]) {
  const done = attempts.filter(isDone);
  const timesOf = (some: readonly Attempt[]) => some.map(({ endMs }) => endMs).sort((a, b) => a - b);
  const all = timesOf(done);
  const writes = timesOf(done.filter(isWrite));
  const inOrder = faults.toSorted((a, b) => a.startMs - b.startMs);
  return inOrder.map(({ kind, startMs, endMs }, index) => {
    const untilMs = Math.max(endMs, inOrder[index + 1]?.startMs ?? endMs);
    return {
      kind,
      /** The longest time without any success that began between this fault and the next one. */
      darkMs: longestGap(all, startMs, untilMs),
      /** The same of writes alone. */
      unwritableMs: longestGap(writes, startMs, untilMs),
      /** From the moment that everything was whole again to the next write that succeeded; 0 where one did before. */
      recoveryMs: (writes.find((time) => time >= endMs) ?? endMs) - endMs,
    };
  });
}
