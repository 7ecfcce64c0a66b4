import type { Evidence, JobSeen, LogEvent, Verdict } from './evidence.ts';

function faultsOf(job: JobSeen, events: readonly LogEvent[]): string[] {
  const { id, status, total, changed, unchanged, rejected } = job;
  const broken: string[] = [];
  const subjects = new Set<string>();
  for (const { subject, position } of events) {
    if (subjects.has(subject)) broken.push(`job ${id} changed ${subject} twice (event ${position})`);
    subjects.add(subject);
  }
  if (events.length !== changed)
    broken.push(`job ${id} counts ${changed} changes, and the log has ${events.length}`);
  const processed = changed + unchanged + rejected;
  if (status === 'queued' || status === 'running') broken.push(`job ${id} is ${status} and does not end`);
  else if (status === 'failed') broken.push(`job ${id} has failed`);
  else if (status === 'cancelled' ? processed > total : processed !== total)
    broken.push(`job ${id} is ${status} with ${processed} of ${total} records`);
  return broken;
}

/** A job changes each of its records once, whatever ends meanwhile, and ends. */
export function checkJobs({ jobs, log }: Evidence): Verdict {
  const byJob = Map.groupBy(
    log.filter(({ bulkId }) => bulkId !== null),
    ({ bulkId }) => bulkId,
  );
  const known = new Set(jobs.map(({ id }) => id));
  const unknown = [...byJob.keys()].filter((id) => id !== null && !known.has(id));
  const broken = [
    ...jobs.flatMap((job) => faultsOf(job, byJob.get(job.id) ?? [])),
    ...unknown.map((id) => `events name the job ${id}, which was never accepted`),
  ];
  return { promise: 'a job changes each of its records once, and ends', count: jobs.length, broken };
}
