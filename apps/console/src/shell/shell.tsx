import { Trans, useLingui } from '@lingui/react/macro';
import type { EventType } from '@roster/client';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useRights } from '../api/caller.ts';
import { followableTypes } from '../api/event-types.ts';
import { followChanges } from '../api/live.ts';
import { classNames, IconButton } from '../components/button.tsx';
import { Notices } from '../components/notices.tsx';
import iconUrl from '../icon.svg';
import { AccountMenu } from './account-menu.tsx';
import { navigation } from './navigation.tsx';
import { SignedOutBanner } from './signed-out-banner.tsx';

function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { t } = useLingui();
  const rights = useRights();
  const groups = navigation.map((items) => items.filter(({ isAllowed }) => isAllowed(rights)));
  return (
    <nav aria-label={t`Main`} className="flex flex-col gap-4 p-3">
      {groups
        .filter((items) => items.length > 0)
        .map((items) => (
          <ul key={items[0]?.to} className="flex flex-col gap-0.5">
            {items.map(({ to, label, icon: Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  onClick={onNavigate}
                  className="flex min-h-9 items-center gap-3 rounded-md px-3 text-sm hover:bg-hover aria-[current=page]:bg-selected aria-[current=page]:font-semibold"
                >
                  <Icon aria-hidden className="size-4 shrink-0" />
                  {t(label)}
                </Link>
              </li>
            ))}
          </ul>
        ))}
    </nav>
  );
}

/** The frame of every view: navigation, who is signed in, notices. It follows the log as long as it is shown. */
export function Shell() {
  const { t } = useLingui();
  const rights = useRights();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const followed = rights.can('events:read') ? followableTypes(rights).join() : '';
  useEffect(() => {
    if (followed === '') return;
    const controller = new AbortController();
    void followChanges(client, followed.split(',') as EventType[], controller.signal);
    return () => controller.abort();
  }, [client, followed]);
  return (
    <div className="grid h-dvh grid-rows-[auto_1fr] md:grid-cols-[13rem_1fr]">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-raised focus:p-3 focus:text-accent"
      >
        <Trans>Skip to the content</Trans>
      </a>
      <header className="col-span-full flex items-center gap-2 border-line border-b bg-surface px-3 py-1.5">
        <IconButton
          label={t`Navigation`}
          aria-expanded={isOpen}
          className="md:hidden"
          onClick={() => setOpen(!isOpen)}
        >
          <MenuIcon aria-hidden />
        </IconButton>
        <Link to="/agents" className="flex items-center gap-2 font-semibold">
          <img src={iconUrl} alt="" className="size-6" />
          Roster
        </Link>
        <div className="grow" />
        <AccountMenu />
      </header>
      <aside
        className={classNames(
          'overflow-y-auto border-line border-e bg-surface md:block',
          isOpen ? 'absolute inset-y-12 start-0 z-40 w-64 shadow-xl' : 'hidden',
        )}
      >
        <Navigation onNavigate={() => setOpen(false)} />
      </aside>
      <main
        id="main"
        tabIndex={-1}
        className="relative col-start-1 min-h-0 min-w-0 overflow-hidden md:col-start-2"
      >
        <Outlet />
      </main>
      <SignedOutBanner />
      <Notices />
    </div>
  );
}
