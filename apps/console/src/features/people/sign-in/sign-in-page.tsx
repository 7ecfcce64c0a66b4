import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { passkeyPlace, signInWithPasskey } from '../../../api/passkeys.ts';
import { callSignIn, type SignInMethods, signInMethodsQuery } from '../../../api/sign-in.ts';
import { Fingerprint, LogIn } from '../../../more-icons.tsx';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { messageOf } from '../../../ui/error-message.ts';
import { usePasskeyMessage } from '../../../ui/error-text.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { CheckEmail, EmailForm, type SentLink } from './email-link.tsx';
import { continueAt, leaveSignIn, SignInFrame, safePath } from './frame.tsx';

/** The parameter of the address that goes on with the passkey at once: the button was pressed at another address. */
const AT_ONCE = 'passkey';

function PasskeyButton({ methods, onSignedIn }: { methods: SignInMethods; onSignedIn: () => void }) {
  const passkeyMessage = usePasskeyMessage();
  const signIn = useMutation({ mutationFn: signInWithPasskey, onSuccess: onSignedIn });
  const place = passkeyPlace(methods);
  const isPressed = useSearch({ strict: false })[AT_ONCE] === 'true';
  const goOn = useEffectEvent(() => {
    if (isPressed && place === 'here') signIn.mutate();
  });
  useEffect(() => goOn(), []);
  if (place === undefined) return null;
  const label = (
    <>
      <Fingerprint aria-hidden />
      <Trans>Continue with a passkey</Trans>
    </>
  );
  if (place !== 'here') {
    const { pathname, search } = window.location;
    const params = new URLSearchParams(search);
    params.set(AT_ONCE, 'true');
    return (
      <a className={buttonClasses('primary')} href={`${place.origin}${pathname}?${params}`}>
        {label}
      </a>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <Button look="primary" disabled={signIn.isPending} onClick={() => signIn.mutate()}>
        {label}
      </Button>
      <p role="alert" className={signIn.error === null ? 'hidden' : 'text-danger text-sm'}>
        {signIn.error !== null && passkeyMessage(signIn.error)}
      </p>
    </div>
  );
}

function KeyForm({ onSignedIn }: { onSignedIn: () => void }) {
  const { t } = useLingui();
  const [key, setKey] = useState('');
  const exchange = useMutation({
    mutationFn: () => callSignIn('/sign-in/key', { key }),
    onSuccess: onSignedIn,
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    exchange.mutate();
  };
  return (
    <form className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2" onSubmit={onSubmit}>
      <TextField
        label={t`API key`}
        type="password"
        name="key"
        isRequired
        value={key}
        error={exchange.error === null ? undefined : messageOf(exchange.error)}
        hint={t`Such as rst_…. The session has the permissions of the key.`}
        onChange={(event) => setKey(event.target.value)}
      />
      <Button className="mt-6.5" type="submit" disabled={exchange.isPending || key.trim() === ''}>
        <Trans>Sign in</Trans>
      </Button>
    </form>
  );
}

const FOLD = 'text-muted text-sm [&>summary]:hover:underline';

export function SignInPage() {
  const { returnTo, close } = useSearch({ strict: false });
  const methods = useQuery(signInMethodsQuery).data;
  const [sent, setSent] = useState<SentLink>();
  const target = safePath(returnTo);
  const isTab = close === 'true';
  const onSignedIn = () => leaveSignIn(target, { isTab });
  if (sent !== undefined)
    return (
      <CheckEmail
        sent={sent}
        onSent={setSent}
        onBack={() => setSent(undefined)}
        onSignedIn={() => continueAt(target, { isTab })}
      />
    );
  const hasPasskeys = methods !== undefined && passkeyPlace(methods) !== undefined;
  const hasButtons = methods !== undefined && (hasPasskeys || methods.provider);
  return (
    <SignInFrame
      title={<Trans>Sign in to Roster</Trans>}
      lead={<Trans>The directory of offices, agents and teams</Trans>}
    >
      {hasButtons && (
        <>
          <div className="flex flex-col gap-3">
            <PasskeyButton methods={methods} onSignedIn={onSignedIn} />
            {methods.provider && (
              <a
                className={buttonClasses(hasPasskeys ? 'secondary' : 'primary')}
                href={`/sign-in?returnTo=${encodeURIComponent(target)}`}
              >
                <LogIn aria-hidden />
                <Trans>Continue with your organisation</Trans>
              </a>
            )}
          </div>
          <p className="flex items-center gap-3 text-muted text-xs before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
            <Trans>or</Trans>
          </p>
        </>
      )}
      {methods?.email === true ? (
        <>
          <EmailForm onSent={setSent} />
          <details className={FOLD}>
            <summary>
              <Trans>Sign in with an API key</Trans>
            </summary>
            <div className="pt-3">
              <KeyForm onSignedIn={onSignedIn} />
            </div>
          </details>
        </>
      ) : (
        <KeyForm onSignedIn={onSignedIn} />
      )}
      <details className={FOLD}>
        <summary>
          <Trans>On the computer that runs the service</Trans>
        </summary>
        <p className="pt-2">
          <Trans>
            Use <code>roster open</code> to sign in without a key. If you started the service with{' '}
            <code>npm start</code>, use <code>npm run -s roster -- open</code> in the same folder.
          </Trans>
        </p>
      </details>
    </SignInFrame>
  );
}
