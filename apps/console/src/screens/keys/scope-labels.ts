import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Key, Scope } from '@roster/client';
import { type ResourceName, resourceNames } from '../../contract/contracts.ts';
import { resources } from '../../resources/index.ts';

/** The scopes of the resources of the directory. */
const recordScopes = Object.fromEntries(
  resourceNames.flatMap((name) => {
    const { read, change } = resources[name].labels;
    return [
      [`${name}:read`, read],
      [`${name}:write`, change],
    ];
  }),
) as Record<`${ResourceName}:${'read' | 'write'}`, MessageDescriptor>;

/** The label of each scope: what it allows. They are in the order in which they are offered. */
export const scopeLabels: Record<Scope, MessageDescriptor> = {
  ...recordScopes,
  'events:read': msg`Read and follow events`,
  'webhooks:manage': msg`Manage webhooks`,
  'keys:manage': msg`Manage keys`,
  'people:manage': msg`Manage people and their sessions`,
  'status:read': msg`Read the status of the service`,
};

export const allScopes = Object.keys(scopeLabels) as Scope[];

const SOON_MS = 14 * 24 * 60 * 60 * 1_000;

interface KeyState {
  id: 'active' | 'expiring' | 'expired' | 'revoked';
  label: MessageDescriptor;
  tone: 'warning' | 'neutral';
}

/** Whether a key works, and whether that ends soon. */
export function stateOfKey({ revokedAt, expiresAt }: Key, now = Date.now()): KeyState {
  if (revokedAt !== null) return { id: 'revoked', label: msg`Revoked`, tone: 'warning' };
  if (expiresAt === null)
    return { id: 'active', label: msg({ message: 'Active', context: 'key' }), tone: 'neutral' };
  const leftMs = Date.parse(expiresAt) - now;
  if (leftMs <= 0)
    return { id: 'expired', label: msg({ message: 'Expired', context: 'key' }), tone: 'warning' };
  if (leftMs < SOON_MS) return { id: 'expiring', label: msg`Expires soon`, tone: 'warning' };
  return { id: 'active', label: msg({ message: 'Active', context: 'key' }), tone: 'neutral' };
}
