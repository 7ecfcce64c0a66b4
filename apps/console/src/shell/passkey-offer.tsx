import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRights } from '../api/caller.ts';
import { rosterQuery } from '../api/client.ts';
import { passkeyPlace } from '../api/passkeys.ts';
import { signInMethodsQuery } from '../api/sign-in.ts';
import { keep, readKept } from '../ui/browser/storage.ts';
import { Button, buttonClasses } from '../ui/button.tsx';

/** For this browser: it stays away after *Later*; settings offer the same. */
const DISMISSED_KEY = 'roster.passkey-offer-dismissed';

export function PasskeyOffer() {
  const { caller } = useRights();
  const [isDismissed, setDismissed] = useState(() => readKept(DISMISSED_KEY) === true);
  const { data: methods } = useQuery(signInMethodsQuery);
  const { data: passkeys } = useQuery(rosterQuery('passkeys', 'list', { personId: caller.id, limit: 1 }));
  const hasPlace = methods !== undefined && passkeyPlace(methods) !== undefined;
  if (isDismissed || !hasPlace || passkeys?.items.length !== 0) return null;
  const dismiss = () => {
    keep(DISMISSED_KEY, true);
    setDismissed(true);
  };
  return (
    <div
      role="status"
      className="flex flex-col gap-2 rounded-md bg-raised p-4 text-sm shadow-md print:hidden"
    >
      <p className="font-semibold">
        <Trans>You can't sign in again yet</Trans>
      </p>
      <p>
        <Trans>Set up a passkey so you can sign in again. Your sign-in link won't work twice.</Trans>
      </p>
      <div className="flex flex-wrap gap-2">
        <Link to="/settings" className={buttonClasses('primary')}>
          <Trans>Add a passkey in the settings</Trans>
        </Link>
        <Button onClick={dismiss}>
          <Trans>Later</Trans>
        </Button>
      </div>
    </div>
  );
}
