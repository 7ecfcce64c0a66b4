import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ChangeKind, ScheduledChangeStatus } from '@roster/client';

export const changeLabels: Record<ChangeKind, MessageDescriptor> = {
  deactivate: msg`Deactivate`,
  reactivate: msg`Reactivate`,
  transfer: msg`Transfer`,
  transfer_agents: msg`Transfer all agents`,
};

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
