import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Rights } from '../api/caller.ts';
import { resourceNames } from '../api/contract/contracts.ts';
import {
  Activity,
  CalendarClock,
  Copy,
  FileUp,
  House,
  type Icon,
  KeyRound,
  ListChecks,
  MonitorSmartphone,
  Users,
  Webhook,
} from '../icons.tsx';
import { resources } from '../resources/index.ts';

export interface NavigationItem {
  to: string;
  label: MessageDescriptor;
  icon: Icon;
  keys: `g ${string}`;
  isAllowed: (rights: Rights) => boolean;
}

const canReadAll = ({ can }: Rights) => resourceNames.every((name) => can(`${name}:read`));

const canManageAny = ({ canManage }: Rights) => resourceNames.some((name) => canManage(`${name}:read`));

const canReadAny = ({ can }: Rights) => resourceNames.some((name) => can(`${name}:read`));

const canImport = ({ canManage }: Rights) => resourceNames.some((name) => canManage(`${name}:write`));

interface NavigationGroup {
  id: 'start' | 'directory' | 'work' | 'operations';
  /** None for what is above all groups. */
  label?: MessageDescriptor;
  items: readonly NavigationItem[];
}

const navigation: readonly NavigationGroup[] = [
  {
    id: 'start',
    items: [
      { to: '/home', label: msg`Home`, icon: House, keys: 'g h', isAllowed: canReadAll },
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
    id: 'directory',
    label: msg`Directory`,
    items: [
      ...resourceNames.map((name): NavigationItem => {
        const { labels, icon, keys } = resources[name];
        return {
          to: `/${name}`,
          label: labels.many,
          icon,
          keys,
          isAllowed: ({ can }) => can(`${name}:read`),
        };
      }),
    ],
  },
  {
    id: 'work',
    label: msg`Work`,
    items: [
      { to: '/imports', label: msg`Imports`, icon: FileUp, keys: 'g i', isAllowed: canImport },
      { to: '/duplicates', label: msg`Duplicates`, icon: Copy, keys: 'g d', isAllowed: canReadAny },
      {
        to: '/scheduled-changes',
        label: msg`Scheduled`,
        icon: CalendarClock,
        keys: 'g c',
        isAllowed: canReadAll,
      },
      { to: '/jobs', label: msg`Jobs`, icon: ListChecks, keys: 'g j', isAllowed: canManageAny },
    ],
  },
  {
    id: 'operations',
    label: msg`Operations`,
    items: [
      {
        to: '/people',
        label: msg`People`,
        icon: Users,
        keys: 'g p',
        isAllowed: ({ can }) => can('people:manage'),
      },
      {
        to: '/keys',
        label: msg`API keys`,
        icon: KeyRound,
        keys: 'g k',
        isAllowed: ({ can }) => can('keys:manage'),
      },
      {
        to: '/webhooks',
        label: msg`Webhooks`,
        icon: Webhook,
        keys: 'g w',
        isAllowed: ({ canManage }) => canManage('webhooks:manage'),
      },
      {
        to: '/sessions',
        label: msg`Sessions`,
        icon: MonitorSmartphone,
        keys: 'g s',
        isAllowed: () => true,
      },
    ],
  },
];

export const navigationLinkClasses =
  'flex h-7 min-w-0 items-center gap-2 rounded-sm px-2 font-medium text-sm hover:bg-hover aria-[current=page]:bg-active ' +
  'max-md:h-11 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted [&[aria-current=page]>svg]:text-text';

export const navigationHeadingClasses = 'mb-1 px-2 font-medium text-muted text-xs';

export function allowedNavigation(rights: Rights): NavigationGroup[] {
  return navigation
    .map((group) => ({ ...group, items: group.items.filter(({ isAllowed }) => isAllowed(rights)) }))
    .filter(({ items }) => items.length > 0);
}
