import { type Attempt, isDone } from '../history.ts';
import type { Evidence, Verdict } from './evidence.ts';
import { type State, timelinesOf } from './timeline.ts';

function faultOf(attempt: Attempt, states: readonly State[]): string | undefined {
  const { ifVersion, status, currentVersion } = attempt;
  if (status === 412) {
    return currentVersion === ifVersion
      ? `was rejected though the record has version ${ifVersion}`
      : undefined;
  }
  if (!isDone(attempt)) return undefined;
  const made = states.find(({ operation }) => operation === attempt.operation);
  const before = made && states[made.index - 1]?.event.version;
  return before === ifVersion ? undefined : `was done to version ${before ?? 'unknown'}`;
}

/** A change that names a version is applied to that version or rejected, and rejected only if there is another. */
export function checkConditions({ attempts, log }: Evidence): Verdict {
  const timelines = timelinesOf(log);
  const conditional = attempts.filter(({ ifVersion }) => ifVersion !== undefined);
  const broken = conditional.flatMap((attempt) => {
    const fault = faultOf(attempt, timelines.get(attempt.record ?? '')?.states ?? []);
    return fault === undefined ? [] : [`${attempt.id} (If-Match ${attempt.ifVersion}) ${fault}`];
  });
  return { promise: 'conflicts of If-Match are true ones', count: conditional.length, broken };
}
