import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { rosterQuery } from '../../api/client.ts';
import { passkeyPlace } from '../../api/passkeys.ts';
import { signInMethodsQuery } from '../../api/sign-in.ts';
import { Callout } from '../badge.tsx';
import { inTab, keep, readKept } from '../browser/storage.ts';
import { Button, buttonClasses } from '../button.tsx';

/** For the tab alone: whoever signs in with another link still has no passkey. */
const DISMISSED_KEY = 'roster.passkey-offer-dismissed';

export function PasskeyOffer() {
  const { caller } = useRights();
  const [isDismissed, setDismissed] = useState(() => readKept(DISMISSED_KEY, inTab) === true);
  const { data: methods } = useQuery(signInMethodsQuery);
  const { data: passkeys } = useQuery(rosterQuery('passkeys', 'list', { personId: caller.id, limit: 1 }));
  const hasPlace = methods !== undefined && passkeyPlace(methods) !== undefined;
  if (isDismissed || !hasPlace || passkeys?.items.length !== 0) return null;
  const dismiss = () => {
    keep(DISMISSED_KEY, true, inTab);
    setDismissed(true);
  };
  return (
    <div className="border-line border-b p-2 print:hidden">
      <Callout tone="warning" title={<Trans>You can't sign in again yet</Trans>}>
        <p>
          <Trans>Set up a passkey so you can sign in again. Your sign-in link won't work twice.</Trans>
        </p>
        <div className="mt-2 flex flex-wrap gap-2">
          <Link to="/settings" className={buttonClasses('primary')}>
            <Trans>Add a passkey in the settings</Trans>
          </Link>
          <Button onClick={dismiss}>
            <Trans>Later</Trans>
          </Button>
        </div>
      </Callout>
    </div>
  );
}
