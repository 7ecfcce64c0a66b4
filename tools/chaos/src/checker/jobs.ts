import type { Evidence, Finding, JobSeen, LogEvent } from './evidence.ts';

function* findFaults(job: JobSeen, events: readonly LogEvent[]): Iterable<string> {
  const { id, status, total, changed, unchanged, rejected } = job;
  const subjects = new Set<string>();
  for (const { subject, position } of events) {
    if (subjects.has(subject)) yield `job ${id} changed ${subject} twice (event ${position})`;
    subjects.add(subject);
  }
  if (events.length !== changed)
    yield `job ${id} counts ${changed} changes, and the log has ${events.length}`;
  const processed = changed + unchanged + rejected;
  if (status === 'queued' || status === 'running') yield `job ${id} is ${status} and does not end`;
  else if (status === 'failed') yield `job ${id} has failed`;
  else if (status === 'cancelled' ? processed > total : processed !== total)
    yield `job ${id} is ${status} with ${processed} of ${total} records`;
}

/** A job changes each of its records once, whatever ends meanwhile, and ends. */
export function* checkJobs({ jobs, log }: Evidence): Iterable<Finding> {
  const eventsOf = Map.groupBy(log, ({ bulkId }) => bulkId);
  for (const job of jobs) yield [...findFaults(job, eventsOf.get(job.id) ?? [])];
  for (const { id } of jobs) eventsOf.delete(id);
  for (const id of eventsOf.keys())
    if (id !== undefined) yield `events name the job ${id}, which was never accepted`;
}
