import type { Event, Job } from '@roster/client';

/** One line of what happened: a change, or all changes of a job that were read. */
export interface Happening {
  id: string;
  occurredAt: string;
  event: Event;
  /** The job that made the changes, as far as it is known. */
  job?: Job | undefined;
  jobId?: string | undefined;
}

function jobIdOf({ details }: Event): string | undefined {
  return details?.bulkId;
}

/** Events, the latest first, as one line each, and one for each job: a bulk change of 360 agents is one line. */
export function happeningsOf(events: readonly Event[], jobs: readonly Job[]): Happening[] {
  const known = new Map(jobs.map((job) => [job.id, job]));
  const told = new Set<string>();
  return events.flatMap((event) => {
    const jobId = jobIdOf(event);
    const { occurredAt, position, type } = event;
    if (jobId === undefined) return [{ id: `${position} ${type}`, occurredAt, event }];
    if (told.has(jobId)) return [];
    told.add(jobId);
    return [{ id: jobId, occurredAt, event, jobId, job: known.get(jobId) }];
  });
}
