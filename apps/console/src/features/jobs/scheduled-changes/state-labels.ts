import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ScheduledChangeStatus } from '@roster/client';

export const statusLabels: Record<ScheduledChangeStatus, MessageDescriptor> = {
  pending: msg`Pending`,
  done: msg({ message: 'Done', context: 'scheduled change' }),
  failed: msg`Failed`,
  cancelled: msg`Cancelled`,
};

export const statusTones = {
  pending: 'warning',
  done: 'good',
  failed: 'danger',
  cancelled: 'neutral',
} as const;
