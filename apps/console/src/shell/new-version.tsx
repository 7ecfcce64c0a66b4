import { Trans } from '@lingui/react/macro';
import { createStore, useStore } from '../app/store.ts';
import { Button } from '../components/button.tsx';

const isOffered = createStore(false);

/**
 * Offers to load the page again, because the service has a newer one. Nothing is loaded by itself: what someone is typing stays
 * as it is until they say so.
 */
export const offerNewVersion = () => isOffered.set(true);

/** Says that there is a newer page, above the view. */
export function NewVersionNotice() {
  if (!useStore(isOffered)) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 border-line border-b bg-selected px-4 py-2 text-sm print:hidden"
    >
      <span className="grow">
        <Trans>There is a new version of this page. What you typed is kept when you load it.</Trans>
      </span>
      <Button onClick={() => isOffered.set(false)}>
        <Trans>Later</Trans>
      </Button>
      <Button look="primary" onClick={() => window.location.reload()}>
        <Trans>Load it</Trans>
      </Button>
    </div>
  );
}
