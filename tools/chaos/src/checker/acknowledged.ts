import { type Attempt, isDone, isWrite, operationOf } from '../history.ts';
import type { Evidence, Finding, LogEvent } from './evidence.ts';

/** What a transition leads to: a record already in that state is returned unchanged, without an event. */
const targets: Partial<Record<Attempt['verb'], string | undefined>> = {
  deactivate: 'inactive',
  reactivate: 'active',
  restore: undefined,
  // Also that the change is scheduled for this time already; a time that has passed means now.
  schedule: undefined,
};

function findFault(
  { verb, operation, seen: [seen] }: Attempt,
  life: readonly LogEvent[],
): string | undefined {
  if (life.length === 0) return 'the log does not know the record';
  const made = life.findLast(({ requestId }) => operationOf(requestId) === operation);
  if (verb === 'delete') return made?.verb === 'deleted' ? undefined : 'no event deletes it';
  if (seen === undefined) return 'the response shows no record';
  const { version, digest, status } = seen;
  if (made !== undefined) {
    const isSame = made.version === version && made.digest === digest;
    return isSame ? undefined : `version ${version} was answered, the log has another`;
  }
  if (!(verb in targets)) return 'no event of it changes the record';
  const shown = life.findLast((event) => event.version === version && event.verb !== 'deleted');
  const isInPlace = shown?.digest === digest && status === (targets[verb] ?? status);
  return isInPlace ? undefined : 'no event of it changes the record, which was not so already';
}

/** What was answered with success is in the log, exactly as it was answered. */
export function* checkAcknowledged({ attempts, log }: Evidence): Iterable<Finding> {
  const lives = Map.groupBy(log, ({ subject }) => subject);
  for (const attempt of attempts) {
    if (!isWrite(attempt) || !isDone(attempt)) continue;
    const record = attempt.seen[0]?.record ?? attempt.record ?? '';
    const fault = findFault(attempt, lives.get(record) ?? []);
    yield fault && `${attempt.verb} ${attempt.id} of ${record} was acknowledged, but ${fault}`;
  }
}
