import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import {
  Building2,
  CalendarClock,
  KeyRound,
  ListChecks,
  type LucideIcon,
  MonitorSmartphone,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react';
import type { Rights } from '../api/caller.ts';

export interface NavigationItem {
  to: string;
  label: MessageDescriptor;
  icon: LucideIcon;
  /** Whether the caller may open it; others do not see it. */
  isAllowed: (rights: Rights) => boolean;
}

const canRead =
  (resource: 'agents' | 'offices') =>
  ({ can }: Rights) =>
    can(`${resource}:read`);

const canManageAny = ({ canManage }: Rights) => canManage('agents:read') || canManage('offices:read');

/** The views of the page, in groups. */
export const navigation: readonly (readonly NavigationItem[])[] = [
  [
    { to: '/agents', label: msg`Agents`, icon: UserRound, isAllowed: canRead('agents') },
    { to: '/offices', label: msg`Offices`, icon: Building2, isAllowed: canRead('offices') },
  ],
  [
    { to: '/jobs', label: msg`Jobs`, icon: ListChecks, isAllowed: canManageAny },
    {
      to: '/scheduled-changes',
      label: msg`Scheduled changes`,
      icon: CalendarClock,
      isAllowed: ({ can }) => can('agents:read') && can('offices:read'),
    },
  ],
  [
    {
      to: '/webhooks',
      label: msg`Webhooks`,
      icon: Webhook,
      isAllowed: ({ canManage }) => canManage('webhooks:manage'),
    },
    { to: '/keys', label: msg`Keys`, icon: KeyRound, isAllowed: ({ can }) => can('keys:manage') },
    { to: '/people', label: msg`People`, icon: Users, isAllowed: ({ can }) => can('people:manage') },
    { to: '/sessions', label: msg`Sessions`, icon: MonitorSmartphone, isAllowed: () => true },
  ],
];
