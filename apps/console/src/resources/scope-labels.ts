import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Scope } from '@roster/client';
import { keysOf } from '@roster/fields/objects';
import { type ResourceName, resourceNames } from '../api/contract/contracts.ts';
import { resources } from './index.ts';

const recordScopes = Object.fromEntries(
  resourceNames.flatMap((name) => {
    const { read, change } = resources[name].labels;
    return [
      [`${name}:read`, read],
      [`${name}:write`, change],
    ];
  }),
) as Record<`${ResourceName}:${'read' | 'write'}`, MessageDescriptor>;

export const scopeLabels: Record<Scope, MessageDescriptor> = {
  ...recordScopes,
  'events:read': msg`Read and follow events`,
  'webhooks:manage': msg`Manage webhooks`,
  'keys:manage': msg`Manage keys`,
  'people:manage': msg`Manage people and their sessions`,
};

export const allScopes = keysOf(scopeLabels);
