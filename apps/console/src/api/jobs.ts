import type { Job } from '@roster/client';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

export const isEnded = ({ finishedAt }: Pick<Job, 'finishedAt'>): boolean => finishedAt !== null;

const INTERVAL_MIN_MS = 250;
const INTERVAL_MAX_MS = 2_000;

/**
 * The pause before a job that has not ended is read again, in milliseconds: longer and longer, so that a long job is not asked for
 * too often.
 */
export function pauseMs(readCount: number): number {
  return Math.min(INTERVAL_MIN_MS * 1.4 ** readCount, INTERVAL_MAX_MS);
}

export function pauseUntilEnded({
  state: { data, dataUpdateCount },
}: {
  state: { data: Pick<Job, 'finishedAt'> | undefined; dataUpdateCount: number };
}): number | false {
  return data !== undefined && isEnded(data) ? false : pauseMs(dataUpdateCount);
}

/** The speed of a job, from its counts and times; undefined before anything is known. */
export function rateOf(
  { startedAt, finishedAt, processed, total }: Pick<Job, 'startedAt' | 'finishedAt' | 'processed' | 'total'>,
  now = Date.now(),
): { perSecond: number; secondsLeft: number } | undefined {
  if (startedAt === null || processed === 0) return undefined;
  const end = finishedAt === null ? now : Date.parse(finishedAt);
  const seconds = Math.max(0.1, (end - Date.parse(startedAt)) / 1_000);
  const perSecond = processed / seconds;
  return { perSecond, secondsLeft: (total - processed) / perSecond };
}

export function useOpenJob(changed: QueryKey = ['jobs', 'list']): (job: Pick<Job, 'id'>) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (job) => {
    client.setQueryData(['jobs', 'get', { id: job.id }], job);
    void client.invalidateQueries({ queryKey: changed });
    await navigate({ to: '/jobs/$id', params: { id: job.id } });
  };
}
