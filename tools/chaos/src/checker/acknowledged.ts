import { type Attempt, isDone, isWrite } from '../history.ts';
import type { Evidence, Verdict } from './evidence.ts';
import { type State, type Timeline, timelinesOf } from './timeline.ts';

/** What a transition leads to; a record that is there already is answered as it is, without an event. */
const targets: Partial<Record<Attempt['verb'], string | undefined>> = {
  deactivate: 'inactive',
  reactivate: 'active',
  restore: undefined,
  // Also that the change is scheduled for this time already; a time that has passed means now.
  schedule: undefined,
};

/** The state that an operation made of a record, by the last of its events. */
function madeBy({ states }: Timeline, operation: string): State | undefined {
  return states.findLast((state) => state.operation === operation);
}

function faultOf(attempt: Attempt, timelines: Map<string, Timeline>): string | undefined {
  const [seen] = attempt.seen;
  const record = seen?.record ?? attempt.record ?? '';
  const timeline = timelines.get(record);
  if (timeline === undefined) return `the log does not know ${record}`;
  const made = madeBy(timeline, attempt.operation);
  if (attempt.verb === 'delete') {
    return made?.event.verb === 'deleted' ? undefined : `no event deletes ${record}`;
  }
  if (seen === undefined) return 'the answer shows no record';
  if (made !== undefined) {
    const isSame = made.event.version === seen.version && made.event.digest === seen.digest;
    return isSame ? undefined : `version ${seen.version} of ${record} was answered, the log has another`;
  }
  if (!(attempt.verb in targets)) return `no event of it changes ${record}`;
  const state = timeline.ofVersion.get(seen.version);
  const target = targets[attempt.verb];
  const isInPlace = state?.event.digest === seen.digest && (target === undefined || seen.status === target);
  return isInPlace ? undefined : `no event of it changes ${record}, which was not so already`;
}

/** What was answered with success is in the log, exactly as it was answered. */
export function checkAcknowledged({ attempts, log }: Evidence): Verdict {
  const timelines = timelinesOf(log);
  const writes = attempts.filter((attempt) => isWrite(attempt) && isDone(attempt));
  const broken = writes.flatMap((attempt) => {
    const fault = faultOf(attempt, timelines);
    return fault === undefined ? [] : [`${attempt.verb} ${attempt.id} was acknowledged, but ${fault}`];
  });
  return { promise: 'no acknowledged write is lost', count: writes.length, broken };
}
