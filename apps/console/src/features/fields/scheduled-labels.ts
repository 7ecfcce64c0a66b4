import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ChangeKind } from '@roster/client';

export const changeLabels: Record<ChangeKind, MessageDescriptor> = {
  deactivate: msg`Deactivate`,
  reactivate: msg`Reactivate`,
  update: msg`Change fields`,
  transfer: msg`Transfer`,
  transfer_agents: msg`Transfer all agents`,
};

export const cancelLabels: Record<ChangeKind, MessageDescriptor> = {
  update: msg`Cancel change`,
  deactivate: msg`Cancel deactivation`,
  reactivate: msg`Cancel reactivation`,
  transfer: msg`Cancel transfer`,
  transfer_agents: msg`Cancel transfer`,
};
