import { Trans } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { callSignIn } from '../../../api/sign-in.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { messageOf } from '../../../ui/error-message.ts';
import { leaveSignIn, SignInFrame } from './frame.tsx';

/** The page of a link in an email, whose token is behind the `#` of its address. Only the button uses the link. */
export function EmailPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  const signIn = useMutation({
    mutationFn: () => callSignIn('/sign-in/email', { token }),
    onSuccess: () => leaveSignIn('/console/'),
  });
  return (
    <SignInFrame
      title={<Trans>Sign in to Roster</Trans>}
      lead={<Trans>You asked for this link in this browser.</Trans>}
      note={<Trans>You didn't ask for it? Close this page.</Trans>}
    >
      {signIn.error === null ? (
        <Button look="primary" disabled={signIn.isPending} onClick={() => signIn.mutate()}>
          <Trans>Sign in</Trans>
        </Button>
      ) : (
        <>
          <Callout tone="danger" title={messageOf(signIn.error)} />
          <Link to="/sign-in" className={buttonClasses('primary')}>
            <Trans>Ask for a new link</Trans>
          </Link>
        </>
      )}
    </SignInFrame>
  );
}
