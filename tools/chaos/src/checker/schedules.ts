import type { Evidence, Finding, LogEvent, Schedule } from './evidence.ts';

function findFault({ status, effectiveAt }: Schedule, runs: readonly LogEvent[]): string | undefined {
  const isOver = status === 'done' || status === 'failed';
  if (status === 'pending') return 'never happened';
  if (runs.length !== (isOver ? 1 : 0)) return `is ${status}, and has ${runs.length} events`;
  const [run] = runs;
  if (run === undefined) return undefined;
  const isFailure = run.verb === 'change_failed';
  if (isFailure !== (status === 'failed')) return `is ${status}, and its event says ${run.verb}`;
  return run.occurredAtMs >= Date.parse(effectiveAt) ? undefined : 'happened before its time';
}

/** Each scheduled change happens once, at its time or later, or fails visibly; those of a record in order. */
export function* checkSchedules({ schedules, log }: Evidence): Iterable<Finding> {
  const runs = Map.groupBy(log, ({ scheduledChange }) => scheduledChange);
  for (const schedule of schedules) {
    const fault = findFault(schedule, runs.get(schedule.id) ?? []);
    yield fault && `${schedule.id} ${fault}`;
  }
  const times = new Map(schedules.map(({ id, effectiveAt }) => [id, effectiveAt]));
  const last = new Map<string, string>();
  for (const { scheduledChange, subject, position, merge } of log) {
    // What it has of another record may have been due for long.
    if (merge !== undefined) last.delete(subject);
    if (scheduledChange === undefined) continue;
    const time = times.get(scheduledChange);
    if (time === undefined) yield `event ${position} is of a change that is not in the list`;
    else if (time < (last.get(subject) ?? ''))
      yield `${scheduledChange} happened after a later one of ${subject}`;
    else last.set(subject, time);
  }
}
