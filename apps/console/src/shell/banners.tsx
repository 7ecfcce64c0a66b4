'use no memo';

import { Trans } from '@lingui/react/macro';
import { Suspense } from 'react';
import { useRights } from '../api/caller.ts';
import { signInTab, useIsSignedOut } from '../api/session-end.ts';
import { reloadPage } from '../ui/browser/lazy-chunks.ts';
import { lazyComponent } from '../ui/browser/lazy-components.ts';
import { useIsReloadOffered, withdrawReload } from '../ui/browser/overlays.ts';
import { Button, buttonClasses } from '../ui/button.tsx';
import { OldDataBanner } from './connection-state.tsx';

const PasskeyOffer = lazyComponent(() => import('./passkey-offer.tsx'), 'PasskeyOffer');

function ReloadNotice() {
  if (!useIsReloadOffered()) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 rounded-md bg-raised py-1.5 ps-4 pe-2 text-sm shadow-md print:hidden"
    >
      <span className="grow">
        <Trans>Reload this page: part of it couldn't be loaded. Your input is kept.</Trans>
      </span>
      <Button onClick={() => withdrawReload()}>
        <Trans>Later</Trans>
      </Button>
      <Button look="primary" onClick={() => reloadPage()}>
        <Trans>Load</Trans>
      </Button>
    </div>
  );
}

/**
 * Says that the session has ended, above the view, which stays as it is. Signing in happens in a tab of its own, so that nothing
 * that was typed here is lost.
 */
function SignedOutBanner() {
  const isSignedOut = useIsSignedOut();
  if (!isSignedOut) return null;
  return (
    <div
      role="alert"
      className="fixed inset-x-0 top-0 z-50 flex flex-wrap items-center justify-center gap-3 bg-soon-surface p-3 text-sm text-soon shadow-md"
    >
      <span>
        <Trans>You're signed out. Your input is kept. Sign in to continue.</Trans>
      </span>
      <a className={buttonClasses('primary')} {...signInTab}>
        <Trans>Sign in</Trans>
      </a>
    </div>
  );
}

/** The banners that float at the lower end of the page as long as they hold, and move nothing. */
export function Banners() {
  const { caller } = useRights();
  return (
    <>
      <SignedOutBanner />
      <div className="pointer-events-none absolute end-4 bottom-18 z-20 flex max-w-[min(28rem,calc(100%-2rem))] flex-col items-end gap-2 *:pointer-events-auto">
        <OldDataBanner />
        <ReloadNotice />
        <Suspense>
          {caller.type === 'person' && caller.session?.method === 'link' && <PasskeyOffer />}
        </Suspense>
      </div>
    </>
  );
}
