import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Building2, type LucideIcon, UserRound } from 'lucide-react';
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

/** The views of the page, in groups. */
export const navigation: readonly (readonly NavigationItem[])[] = [
  [
    { to: '/agents', label: msg`Agents`, icon: UserRound, isAllowed: canRead('agents') },
    { to: '/offices', label: msg`Offices`, icon: Building2, isAllowed: canRead('offices') },
  ],
];
