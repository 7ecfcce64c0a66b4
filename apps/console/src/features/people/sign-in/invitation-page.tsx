import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { acceptInvitation, passkeyPlace } from '../../../api/passkeys.ts';
import { callSignIn, type SignInMethods, signInMethodsQuery } from '../../../api/sign-in.ts';
import { Callout } from '../../../ui/badge.tsx';
import { clientName } from '../../../ui/browser/client-name.ts';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { messageOf } from '../../../ui/error-message.ts';
import { usePasskeyMessage } from '../../../ui/error-text.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { ExactTime } from '../../../ui/time.tsx';
import { leaveSignIn, SignInFrame } from './frame.tsx';

interface Opened {
  name: string;
  email: string;
  expiresAt: string;
}

const signInOnce = (token: string) => callSignIn('/sign-in/invitation', { token });

function Accept({ token, methods }: { token: string; methods: SignInMethods }) {
  const { t } = useLingui();
  const passkeyMessage = usePasskeyMessage();
  const [name, setName] = useState(() => clientName(navigator.userAgent).slice(0, 100));
  const onSuccess = () => leaveSignIn('/console/');
  const setUp = useMutation({ mutationFn: () => acceptInvitation(token, name.trim()), onSuccess });
  const once = useMutation({ mutationFn: () => signInOnce(token), onSuccess });
  const isPending = setUp.isPending || once.isPending;
  const error = setUp.error ?? once.error;
  const place = passkeyPlace(methods);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setUp.mutate();
  };
  return (
    <>
      {place === 'here' && (
        <form className="flex flex-col gap-3" onSubmit={onSubmit}>
          <p className="text-sm">
            <Trans>
              Sign in with a passkey: your device stores it and asks for your fingerprint, face or PIN. You
              don't need a password.
            </Trans>
          </p>
          <TextField
            label={t`Name of the passkey`}
            isRequired
            maxLength={100}
            value={name}
            hint={t`To distinguish this passkey from others`}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" look="primary" disabled={isPending || name.trim() === ''}>
            <Trans>Set up a passkey</Trans>
          </Button>
        </form>
      )}
      {typeof place === 'object' && (
        <a className={buttonClasses('primary')} href={`${place.origin}/console/invitation#${token}`}>
          <Trans>Set up a passkey</Trans>
        </a>
      )}
      <p role="alert" className={error === null ? 'hidden' : 'text-danger text-sm'}>
        {error !== null && passkeyMessage(error)}
      </p>
      <div className="flex flex-col gap-1">
        <Button disabled={isPending} onClick={() => once.mutate()}>
          <Trans>Sign in once, without a passkey</Trans>
        </Button>
        <p className="text-muted text-xs">
          <Trans>You'll need a new link next time.</Trans>
        </p>
      </div>
    </>
  );
}

/** The page of an invitation, whose secret is behind the `#` of its address. */
export function InvitationPage() {
  const { t } = useLingui();
  const [token] = useState(() => window.location.hash.slice(1));
  const methods = useQuery(signInMethodsQuery);
  const opened = useQuery({
    queryKey: ['sign-in', 'invitation', token],
    queryFn: () => callSignIn<Opened>('/sign-in/invitation/open', { token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const error = opened.error ?? methods.error;
  return (
    <SignInFrame
      title={
        opened.data === undefined ? <Trans>Your invitation to Roster</Trans> : t`Welcome, ${opened.data.name}`
      }
      note={<Trans>The link doesn't work? Ask an administrator for a new one.</Trans>}
    >
      {error !== null && <Callout tone="danger" title={messageOf(error)} />}
      {opened.data !== undefined && methods.data !== undefined && (
        <>
          <p className="break-words text-muted text-sm">
            <Trans>
              For {opened.data.email}. The link works once and expires{' '}
              <ExactTime time={opened.data.expiresAt} />.
            </Trans>
          </p>
          <Accept token={token} methods={methods.data} />
        </>
      )}
    </SignInFrame>
  );
}
