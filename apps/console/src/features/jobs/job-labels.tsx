import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Job } from '@roster/client';
import { resources } from '../../resources/index.ts';
import { Badge } from '../../ui/badge.tsx';

type Tone = NonNullable<Parameters<typeof Badge>[0]['tone']>;

export const statusWords: Readonly<Record<Job['status'], { label: MessageDescriptor; tone: Tone }>> = {
  queued: { label: msg`Queued`, tone: 'neutral' },
  running: { label: msg`Running`, tone: 'neutral' },
  completed: { label: msg`Completed`, tone: 'good' },
  completed_with_errors: { label: msg`Completed with errors`, tone: 'warning' },
  failed: { label: msg`Failed`, tone: 'danger' },
  cancelled: { label: msg`Cancelled`, tone: 'warning' },
};

const undone = { label: msg({ message: 'Undone', context: 'job' }), tone: 'warning' } as const;

const checked = { label: msg`Preview only`, tone: 'neutral' } as const;

type Shown = Pick<Job, 'status' | 'undoneBy' | 'change'>;

/** The status in a word: of a job that was undone that it was, and of a file that was only checked that nothing was written. */
export function statusOf({ status, undoneBy, change }: Shown): { label: MessageDescriptor; tone: Tone } {
  if (undoneBy !== null) return undone;
  const isCompleted = status === 'completed' || status === 'completed_with_errors';
  return isCompleted && change?.step === 'check' ? checked : statusWords[status];
}

export function JobStatusBadge({ job }: { job: Shown }) {
  const { t } = useLingui();
  const { label, tone } = statusOf(job);
  return <Badge tone={tone}>{t(label)}</Badge>;
}

/** Whether a job has scheduled its change for a day instead of making it. */
export function isScheduling({ change }: Pick<Job, 'change'>): boolean {
  return (change?.effectiveOn ?? change?.effectiveAt) !== undefined;
}

export function jobTitle({ resource, change, undoes, total }: Job, i18n: I18n): string {
  const records = i18n._(resources[resource].counted(total));
  if (undoes !== null) return i18n._(msg`Undo of a bulk change of ${records}`);
  switch (change?.type) {
    case 'deactivate':
      return i18n._(msg`Deactivate ${records}`);
    case 'reactivate':
      return i18n._(msg`Reactivate ${records}`);
    case 'delete':
      return i18n._(msg`Delete ${records}`);
    case 'import':
      return i18n._(msg`Import ${records}`);
    case 'transfer':
      return i18n._(msg`Transfer ${records}`);
    default:
      return i18n._(msg`Change ${records}`);
  }
}

interface CountWords {
  changed: MessageDescriptor;
  /** Absent where no record can be left as it was without an error. */
  unchanged?: MessageDescriptor;
  result: (changed: string, rejected: string) => MessageDescriptor;
}

const checkedWords: CountWords = {
  changed: msg({ message: 'Changed', context: 'count' }),
  unchanged: msg`Already had these values`,
  result: (_, rejected) => msg`${rejected} with errors`,
};

const changedWords: CountWords = {
  changed: msg({ message: 'Changed', context: 'count' }),
  unchanged: msg`Already had these values`,
  result: (changed, rejected) => msg`${changed} changed, ${rejected} failed`,
};

const countWords: Readonly<Record<string, CountWords>> = {
  deactivate: {
    changed: msg({ message: 'Deactivated', context: 'count' }),
    unchanged: msg`Already inactive`,
    result: (changed, rejected) => msg`${changed} deactivated, ${rejected} failed`,
  },
  reactivate: {
    changed: msg({ message: 'Reactivated', context: 'count' }),
    unchanged: msg`Already active`,
    result: (changed, rejected) => msg`${changed} reactivated, ${rejected} failed`,
  },
  delete: {
    changed: msg({ message: 'Deleted', context: 'count' }),
    result: (changed, rejected) => msg`${changed} deleted, ${rejected} failed`,
  },
  transfer: {
    changed: msg({ message: 'Transferred', context: 'count' }),
    unchanged: msg`Already in this office`,
    result: (changed, rejected) => msg`${changed} transferred, ${rejected} failed`,
  },
};

/** The words for the numbers of records that a job has changed, and has left as they were; of an undo those of any change. */
export function wordsOf({ change, undoes }: Pick<Job, 'change' | 'undoes'>): CountWords {
  if (change?.step === 'check') return checkedWords;
  const own = undoes === null ? countWords[String(change?.type)] : undefined;
  return own ?? changedWords;
}
