import type { I18n, MessageDescriptor } from '@lingui/core';
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

/** Words what a job does, with the number of its records: "Deactivate 12 agents". */
export function jobTitle({ resource, change, undoes, total }: Job, i18n: I18n): string {
  const records = i18n._(resources[resource].counted(total));
  if (undoes !== null) return i18n._(msg`Undo a job of ${records}`);
  switch (change?.type) {
    case 'deactivate':
      return i18n._(msg`Deactivate ${records}`);
    case 'reactivate':
      return i18n._(msg`Reactivate ${records}`);
    case 'delete':
      return i18n._(msg`Delete ${records}`);
    case 'merge':
      return i18n._(msg`Merge ${records}`);
    case 'import':
      return i18n._(msg`Import ${records}`);
    case 'transfer':
      return i18n._(msg`Transfer ${records}`);
    default:
      return i18n._(msg`Change ${records}`);
  }
}
