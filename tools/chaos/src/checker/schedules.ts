import type { Evidence, LogEvent, Schedule, Verdict } from './evidence.ts';

function faultsOf(schedule: Schedule, runs: readonly LogEvent[]): string[] {
  const { status, effectiveAt } = schedule;
  const isOver = status === 'done' || status === 'failed';
  if (status === 'pending') return ['never happened'];
  if (runs.length !== (isOver ? 1 : 0)) return [`is ${status}, and has ${runs.length} events`];
  const [run] = runs;
  if (run === undefined) return [];
  const isFailure = run.verb === 'change_failed';
  return [
    ...(isFailure === (status === 'failed') ? [] : [`is ${status}, and its event says ${run.verb}`]),
    ...(run.occurredAtMs >= Date.parse(effectiveAt) ? [] : ['happened before its time']),
  ];
}

/** Each scheduled change happens once, at its time or later, or fails visibly; those of a record in order. */
export function checkSchedules({ schedules, log }: Evidence): Verdict {
  const runs = Map.groupBy(
    log.filter(({ scheduledChange }) => scheduledChange !== undefined),
    ({ scheduledChange }) => scheduledChange,
  );
  const broken = schedules.flatMap((schedule) =>
    faultsOf(schedule, runs.get(schedule.id) ?? []).map((fault) => `${schedule.id} ${fault}`),
  );
  const known = new Map(schedules.map((schedule) => [schedule.id, schedule]));
  const last = new Map<string, string>();
  for (const { scheduledChange, subject, position, merge } of log) {
    // What it has of another record may have been due for long.
    if (merge !== undefined) last.delete(subject);
    if (scheduledChange === undefined) continue;
    const schedule = known.get(scheduledChange);
    if (schedule === undefined) broken.push(`event ${position} is of a change that is not in the list`);
    else if (schedule.effectiveAt < (last.get(subject) ?? ''))
      broken.push(`${scheduledChange} happened after a later one of ${subject}`);
    else last.set(subject, schedule.effectiveAt);
  }
  return { promise: 'each scheduled change happens once, or fails visibly', count: schedules.length, broken };
}
