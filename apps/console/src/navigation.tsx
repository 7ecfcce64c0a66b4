import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import {
  Activity,
  Building2,
  CalendarClock,
  ChartColumn,
  FileUp,
  HeartPulse,
  KeyRound,
  ListChecks,
  type LucideIcon,
  MonitorSmartphone,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react';
import type { Rights } from './api/caller.ts';

export interface NavigationItem {
  to: string;
  label: MessageDescriptor;
  icon: LucideIcon;
  /** The keys that open it, one after the other. */
  keys: `g ${string}`;
  /** Whether the caller may open it; others do not see it. */
  isAllowed: (rights: Rights) => boolean;
}

const canRead =
  (resource: 'agents' | 'offices') =>
  ({ can }: Rights) =>
    can(`${resource}:read`);

const canManageAny = ({ canManage }: Rights) => canManage('agents:read') || canManage('offices:read');

const canImport = ({ canManage }: Rights) => canManage('agents:write') || canManage('offices:write');

/** The views of the page, in groups. */
const navigation: readonly { label: MessageDescriptor; items: readonly NavigationItem[] }[] = [
  {
    label: msg`Directory`,
    items: [
      { to: '/agents', label: msg`Agents`, icon: UserRound, keys: 'g a', isAllowed: canRead('agents') },
      { to: '/offices', label: msg`Offices`, icon: Building2, keys: 'g o', isAllowed: canRead('offices') },
      {
        to: '/overview',
        label: msg`Overview`,
        icon: ChartColumn,
        keys: 'g v',
        isAllowed: (rights) => canRead('agents')(rights) && canRead('offices')(rights),
      },
      {
        to: '/activity',
        label: msg`Activity`,
        icon: Activity,
        keys: 'g y',
        isAllowed: ({ can }) => can('events:read'),
      },
    ],
  },
  {
    label: msg`Work`,
    items: [
      { to: '/imports', label: msg`Imports`, icon: FileUp, keys: 'g i', isAllowed: canImport },
      { to: '/jobs', label: msg`Jobs`, icon: ListChecks, keys: 'g j', isAllowed: canManageAny },
      {
        to: '/scheduled-changes',
        label: msg`Scheduled changes`,
        icon: CalendarClock,
        keys: 'g c',
        isAllowed: ({ can }) => can('agents:read') && can('offices:read'),
      },
    ],
  },
  {
    label: msg`Operation`,
    items: [
      {
        to: '/webhooks',
        label: msg`Webhooks`,
        icon: Webhook,
        keys: 'g w',
        isAllowed: ({ canManage }) => canManage('webhooks:manage'),
      },
      {
        to: '/keys',
        label: msg`Keys`,
        icon: KeyRound,
        keys: 'g k',
        isAllowed: ({ can }) => can('keys:manage'),
      },
      {
        to: '/people',
        label: msg`People`,
        icon: Users,
        keys: 'g p',
        isAllowed: ({ can }) => can('people:manage'),
      },
      {
        to: '/sessions',
        label: msg`Sessions`,
        icon: MonitorSmartphone,
        keys: 'g s',
        isAllowed: () => true,
      },
      {
        to: '/status',
        label: msg`Status`,
        icon: HeartPulse,
        keys: 'g t',
        isAllowed: ({ canEverywhere }) => canEverywhere('status:read'),
      },
    ],
  },
];

/** The groups with what the caller may open in them. */
export function allowedNavigation(rights: Rights) {
  return navigation
    .map(({ label, items }) => ({ label, items: items.filter(({ isAllowed }) => isAllowed(rights)) }))
    .filter(({ items }) => items.length > 0);
}
