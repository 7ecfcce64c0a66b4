// It is rendered seldom: what the compiler adds would be bytes of the first load for nothing.
'use no memo';

import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { PanelLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRights } from '../../api/caller.ts';
import iconUrl from '../../icon.svg';
import { setPreferences, usePreferences } from '../browser/preferences.ts';
import { classNames, IconButton } from '../button.tsx';
import { allowedNavigation, type NavigationItem } from './navigation.tsx';

export function Brand({
  isCollapsed = false,
  onNavigate,
}: {
  isCollapsed?: boolean;
  onNavigate?: () => void;
}) {
  return (
    <Link
      to="/"
      onClick={onNavigate}
      className="flex min-h-9 items-center gap-2.5 rounded-md px-1 font-semibold"
      data-tooltip={isCollapsed ? 'Roster' : undefined}
    >
      <img src={iconUrl} alt="" className="size-7" />
      <span className={isCollapsed ? 'sr-only' : ''}>Roster</span>
    </Link>
  );
}

function NavigationLink({
  item: { to, label, icon: Icon },
  isCollapsed,
  onNavigate,
}: {
  item: NavigationItem;
  isCollapsed: boolean;
  onNavigate: (() => void) | undefined;
}) {
  const { t } = useLingui();
  return (
    <Link
      to={to}
      onClick={onNavigate}
      data-tooltip={isCollapsed ? t(label) : undefined}
      className={classNames(
        'flex min-h-9 items-center gap-3 rounded-md px-3 text-sm hover:bg-hover aria-[current=page]:bg-selected',
        'aria-[current=page]:font-semibold [&[aria-current=page]_svg]:text-accent',
        isCollapsed && 'justify-center px-0',
      )}
    >
      <Icon aria-hidden className="size-4.5 shrink-0 text-muted" />
      <span className={isCollapsed ? 'sr-only' : ''}>{t(label)}</span>
    </Link>
  );
}

export function Navigation({
  top,
  bottom,
  isCollapsed = false,
  onNavigate,
}: {
  top: ReactNode;
  bottom?: ReactNode;
  isCollapsed?: boolean;
  onNavigate?: () => void;
}) {
  const { t } = useLingui();
  const rights = useRights();
  return (
    <nav aria-label={t`Main`} className="flex min-h-0 grow flex-col">
      <div className={classNames('flex h-14 shrink-0 items-center px-3', isCollapsed && 'justify-center')}>
        {top}
      </div>
      <div className="flex grow flex-col gap-5 overflow-y-auto px-3 py-2">
        {allowedNavigation(rights).map(({ label, items }) => (
          <div key={label.id} className={isCollapsed ? 'border-line not-first:border-t not-first:pt-3' : ''}>
            <h2 className={isCollapsed ? 'sr-only' : 'px-3 pb-1 font-medium text-muted text-xs'}>
              {t(label)}
            </h2>
            <ul className="flex flex-col gap-0.5">
              {items.map((item) => (
                <li key={item.to}>
                  <NavigationLink item={item} isCollapsed={isCollapsed} onNavigate={onNavigate} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      {bottom}
    </nav>
  );
}

export function Sidebar() {
  const { t } = useLingui();
  const { isNavigationCollapsed: isCollapsed } = usePreferences();
  return (
    <div
      className={classNames(
        'row-span-2 hidden min-h-0 flex-col md:flex print:hidden',
        isCollapsed ? 'w-15' : 'w-62',
      )}
    >
      <Navigation
        isCollapsed={isCollapsed}
        top={<Brand isCollapsed={isCollapsed} />}
        bottom={
          <div className={classNames('p-3', isCollapsed && 'text-center')}>
            <IconButton
              label={isCollapsed ? t`Expand the navigation` : t`Collapse the navigation`}
              aria-expanded={!isCollapsed}
              onClick={() => setPreferences({ isNavigationCollapsed: !isCollapsed })}
            >
              <PanelLeft aria-hidden className="rtl:-scale-x-100" />
            </IconButton>
          </div>
        }
      />
    </div>
  );
}
