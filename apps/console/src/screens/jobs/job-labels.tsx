import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Job } from '@roster/client';
import { Badge } from '../../components/badge.tsx';
import { resources } from '../../resources/index.ts';

type Tone = NonNullable<Parameters<typeof Badge>[0]['tone']>;

/** The label of each status of a job. */
export const statusWords: Readonly<Record<Job['status'], { label: MessageDescriptor; tone: Tone }>> = {
  queued: { label: msg`Queued`, tone: 'neutral' },
  running: { label: msg`Running`, tone: 'neutral' },
  completed: { label: msg`Completed`, tone: 'good' },
  completed_with_errors: { label: msg`Completed with errors`, tone: 'warning' },
  failed: { label: msg`Failed`, tone: 'danger' },
  cancelled: { label: msg`Cancelled`, tone: 'warning' },
};

/** The status of a job as a badge. */
export function JobStatusBadge({ status }: Pick<Job, 'status'>) {
  const { t } = useLingui();
  const { label, tone } = statusWords[status];
  return <Badge tone={tone}>{t(label)}</Badge>;
}

/** Returns a function that words what a job does, with the number of its records: "Deactivate 12 agents". */
export function useJobTitle(): (job: Job) => string {
  const { t } = useLingui();
  return ({ resource, change, undoes, total }) => {
    const records = t(resources[resource].counted(total));
    if (undoes !== null) return t`Undo a job of ${records}`;
    switch (change?.type) {
      case 'deactivate':
        return t`Deactivate ${records}`;
      case 'reactivate':
        return t`Reactivate ${records}`;
      case 'delete':
        return t`Delete ${records}`;
      case 'transfer':
        return t`Transfer ${records}`;
      default:
        return t`Change ${records}`;
    }
  };
}

/** Whether nothing more will happen. */
export const isEnded = ({ finishedAt }: Pick<Job, 'finishedAt'>): boolean => finishedAt !== null;

const INTERVAL_MIN_MS = 250;
const INTERVAL_MAX_MS = 2_000;

/** The pause before a job that has not ended is read again: longer and longer, so that a long job is not asked for too often. */
export function pauseMs(readCount: number): number {
  return Math.min(INTERVAL_MIN_MS * 1.4 ** readCount, INTERVAL_MAX_MS);
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
