'use no memo';

import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRights } from '../api/caller.ts';
import { settingsQuery } from '../api/settings.ts';
import iconUrl from '../icon.svg';
import { ChevronRight, Search } from '../icons.tsx';
import { modifierName } from '../ui/browser/keys.ts';
import { openPalette } from '../ui/browser/overlays.ts';
import { setPreferences, usePreferences } from '../ui/browser/preferences.ts';
import { AccountButton } from './account-button.tsx';
import { ConnectionState } from './connection-state.tsx';
import {
  allowedNavigation,
  type NavigationItem,
  navigationHeadingClasses,
  navigationLinkClasses,
} from './navigation.tsx';
import { SidebarViews } from './sidebar-views.tsx';

function Brand({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  const { data: settings } = useQuery(settingsQuery);
  return (
    <Link
      to="/"
      onClick={onNavigate}
      className="flex h-8 min-w-0 items-center gap-2 rounded-sm px-2 font-semibold text-md"
    >
      <img src={iconUrl} alt="" className="size-5 shrink-0 rounded-[5px]" />
      <span className="truncate">{settings?.name ?? 'Roster'}</span>
    </Link>
  );
}

function Links({
  items,
  onNavigate,
}: {
  items: readonly NavigationItem[];
  onNavigate: (() => void) | undefined;
}) {
  const { t } = useLingui();
  return (
    <ul className="flex flex-col gap-px">
      {items.map(({ to, label, icon: Icon }) => (
        <li key={to}>
          <Link to={to} onClick={onNavigate} className={navigationLinkClasses}>
            <Icon aria-hidden />
            <span className="truncate">{t(label)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Groups({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  const { t } = useLingui();
  const rights = useRights();
  const { isOperationsOpen } = usePreferences();
  const path = useLocation({ select: ({ pathname }) => pathname });
  return allowedNavigation(rights).map(({ id, label, items }) => {
    const links = <Links items={items} onNavigate={onNavigate} />;
    if (label === undefined)
      return (
        <div key={id} className="contents">
          {links}
          <SidebarViews onNavigate={onNavigate} />
        </div>
      );
    if (id === 'operations')
      return (
        <details
          key={id}
          open={isOperationsOpen || items.some(({ to }) => path.startsWith(to))}
          onToggle={({ currentTarget: { open } }) => {
            if (open !== isOperationsOpen) setPreferences({ isOperationsOpen: open });
          }}
        >
          <summary className="mb-px flex h-7 items-center gap-2 rounded-sm px-2 font-medium text-muted text-sm hover:bg-hover max-md:h-11">
            <ChevronRight aria-hidden className="size-3.5 in-open:rotate-90 rtl:not-in-open:rotate-180" />
            {t(label)}
          </summary>
          {links}
        </details>
      );
    return (
      <div key={id}>
        <h2 id={`navigation-${id}`} className={navigationHeadingClasses}>
          {t(label)}
        </h2>
        {links}
      </div>
    );
  });
}

interface NavigationProps {
  follows: boolean;
  /** Beside the brand: what closes the navigation. */
  end?: ReactNode;
  onNavigate?: () => void;
}

/** All pages, the search for what to go to, and who is signed in. */
export function Navigation({ follows, end, onNavigate }: NavigationProps) {
  const { t } = useLingui();
  return (
    <div className="flex min-h-0 grow flex-col gap-5 px-3 pt-3 pb-2">
      <div className="flex flex-col gap-2">
        <div className="flex items-center justify-between">
          <Brand onNavigate={onNavigate} />
          {end}
        </div>
        <button
          type="button"
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K Meta+K"
          className="flex h-8 items-center gap-2 rounded-sm border border-line bg-surface px-2 text-start text-muted max-md:h-11"
          onClick={() => {
            onNavigate?.();
            openPalette();
          }}
        >
          <Search aria-hidden className="size-4 shrink-0" />
          <span className="grow truncate">{t`Search or go to`}</span>
          <kbd aria-hidden className="shrink-0 font-sans text-xs max-md:hidden">
            {modifierName} K
          </kbd>
        </button>
      </div>
      <nav aria-label={t`Main`} className="-mx-1 flex min-h-0 grow flex-col gap-5 overflow-y-auto px-1 py-px">
        <Groups onNavigate={onNavigate} />
      </nav>
      <div className="flex items-center gap-1">
        <AccountButton />
        {follows && <ConnectionState />}
      </div>
    </div>
  );
}

export function Sidebar({ follows }: { follows: boolean }) {
  return (
    <header className="hidden min-h-0 w-58 flex-col md:flex print:hidden">
      <Navigation follows={follows} />
    </header>
  );
}
