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
      case 'import':
        return t`Import ${records}`;
      case 'transfer':
        return t`Transfer ${records}`;
      default:
        return t`Change ${records}`;
    }
  };
}
