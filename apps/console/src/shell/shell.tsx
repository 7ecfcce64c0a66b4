'use no memo';

import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { EventType } from '@roster/client';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { useRights } from '../api/caller.ts';
import { watchResponses } from '../api/connection.ts';
import { followChanges } from '../api/live.ts';
import { announceCaller } from '../api/session-end.ts';
import { followableTypes, recordEventTypes } from '../resources/event-types.ts';
import { useIsUsed } from '../ui/browser/first-use.ts';
import type { Shortcut } from '../ui/browser/keys.ts';
import { lazyComponent } from '../ui/browser/lazy-components.ts';
import { closeOverlay, openPalette, openShortcuts, useOverlay } from '../ui/browser/overlays.ts';
import { listenToKeys, useShortcuts } from '../ui/browser/shortcuts.ts';
import { Notices } from '../ui/notices.tsx';
import { Opening } from '../ui/popups/held-keys.ts';
import { Banners } from './banners.tsx';
import { allowedNavigation } from './navigation.tsx';
import { PhoneTabs } from './phone-tabs.tsx';
import { Sidebar } from './sidebar.tsx';

const Drawer = lazyComponent(() => import('./drawer.tsx'), 'Drawer');
const Palette = lazyComponent(() => import('./palette/palette.tsx'), 'Palette');
const Tooltip = lazyComponent(() => import('../ui/popups/tooltip.tsx'), 'Tooltip');
const ShortcutsDialog = lazyComponent(() => import('./palette/shortcuts-dialog.tsx'), 'ShortcutsDialog');

function useCommonShortcuts(): void {
  const rights = useRights();
  const navigate = useNavigate();
  const views = allowedNavigation(rights).flatMap(({ items }) => items);
  useShortcuts([
    { keys: 'Mod+k', label: msg`Search or go to`, group: 'everywhere', run: openPalette },
    { keys: '/', label: msg`Search`, group: 'everywhere', run: openPalette },
    { keys: '?', label: msg`View these shortcuts`, group: 'everywhere', run: openShortcuts },
    ...views.map(
      ({ keys, label, to }): Shortcut => ({ keys, label, group: 'go', run: () => void navigate({ to }) }),
    ),
  ]);
  useEffect(listenToKeys, []);
}

/** The frame of every view: navigation, who is signed in, notices. It follows the log as long as it is shown. */
export function Shell() {
  const rights = useRights();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const overlay = useOverlay();
  const isUsed = useIsUsed();
  const callerId = rights.caller.id;
  const followed = rights.can('events:read') ? followableTypes(rights).join() : '';
  const follows = followed !== '';
  useCommonShortcuts();
  useEffect(() => announceCaller(callerId), [callerId]);
  useEffect(watchResponses, []);
  useEffect(() => {
    if (isUsed) void Promise.all([Palette.preload(), ShortcutsDialog.preload()]);
  }, [isUsed]);
  useEffect(() => {
    if (followed === '') return;
    const controller = new AbortController();
    const types = followed.split(',') as EventType[];
    const recordTypes = recordEventTypes.filter((type) => types.includes(type));
    followChanges(client, { callerId, types, recordTypes }, controller.signal);
    return () => controller.abort();
  }, [client, callerId, followed]);
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] md:grid-cols-[auto_minmax(0,1fr)] md:grid-rows-[minmax(0,1fr)] print:block print:h-auto">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:start-2 focus:top-2 focus:z-50 focus:rounded-sm focus:bg-raised focus:p-3 focus:text-accent focus:shadow-md"
      >
        <Trans>Skip to the content</Trans>
      </a>
      <Sidebar follows={follows} />
      <main
        id="main"
        tabIndex={-1}
        className="relative min-h-0 min-w-0 overflow-hidden bg-surface outline-none md:my-2 md:me-2 md:rounded-md md:border md:border-line print:overflow-visible print:border-0"
      >
        <Outlet />
        <Banners />
      </main>
      <PhoneTabs isOpen={isOpen} onOpen={() => setOpen(true)} />
      {/* By itself: what is open is hidden as long as something beside it is being loaded. */}
      <Suspense fallback={null}>{isUsed && <Tooltip />}</Suspense>
      <Suspense fallback={<Opening />}>
        {isOpen && <Drawer follows={follows} onClose={() => setOpen(false)} />}
        {overlay === 'palette' && <Palette onClose={closeOverlay} />}
        {overlay === 'shortcuts' && <ShortcutsDialog onClose={closeOverlay} />}
        {typeof overlay === 'object' && overlay}
      </Suspense>
      <Notices />
    </div>
  );
}
