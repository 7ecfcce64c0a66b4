import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Building2, type LucideIcon, UserRound } from 'lucide-react';
import type { Rights } from '../api/caller.ts';

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

/** The views of the page, in groups. */
const navigation: readonly { label: MessageDescriptor; items: readonly NavigationItem[] }[] = [
  {
    label: msg`Directory`,
    items: [
      { to: '/agents', label: msg`Agents`, icon: UserRound, keys: 'g a', isAllowed: canRead('agents') },
      { to: '/offices', label: msg`Offices`, icon: Building2, keys: 'g o', isAllowed: canRead('offices') },
    ],
  },
  { label: msg`Work`, items: [] },
  { label: msg`Operation`, items: [] },
];

/** The groups with what the caller may open in them. */
export function allowedNavigation(rights: Rights) {
  return navigation
    .map(({ label, items }) => ({ label, items: items.filter(({ isAllowed }) => isAllowed(rights)) }))
    .filter(({ items }) => items.length > 0);
}
