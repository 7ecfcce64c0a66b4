import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { onSignIn } from '../../../api/session-end.ts';
import { callSignIn } from '../../../api/sign-in.ts';
import { Button } from '../../../ui/button.tsx';
import { messageOf } from '../../../ui/error-message.ts';
import { TextField } from '../../../ui/forms/field.tsx';
import { useTimeZone } from '../../../ui/time.tsx';
import { SignInFrame } from './frame.tsx';

export interface SentLink {
  email: string;
  expiresAt: string;
}

async function sendLink(email: string): Promise<SentLink> {
  const { expiresAt } = await callSignIn<{ expiresAt: string }>('/sign-in/email/begin', { email });
  return { email, expiresAt };
}

export function EmailForm({ onSent }: { onSent: (link: SentLink) => void }) {
  const { t } = useLingui();
  const [email, setEmail] = useState('');
  const send = useMutation({ mutationFn: sendLink, onSuccess: onSent });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate(email.trim());
  };
  return (
    <form className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2" onSubmit={onSubmit}>
      <TextField
        label={t`Email`}
        type="email"
        name="email"
        autoComplete="username"
        maxLength={254}
        value={email}
        error={send.error === null ? undefined : messageOf(send.error)}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Button className="mt-6.5" type="submit" disabled={send.isPending || email.trim() === ''}>
        <Trans>Send a link</Trans>
      </Button>
      <p className="col-span-2 text-muted text-xs">
        <Trans>The link works once, for 15 minutes, on this device.</Trans>
      </p>
    </form>
  );
}

/** The page after a link was sent. Once the link has signed someone in, this tab continues too. */
export function CheckEmail({
  sent,
  onSent,
  onBack,
  onSignedIn,
}: {
  sent: SentLink;
  onSent: (link: SentLink) => void;
  onBack: () => void;
  onSignedIn: () => void;
}) {
  const { i18n } = useLingui();
  const timeZone = useTimeZone();
  const { email, expiresAt } = sent;
  const time = i18n.date(new Date(expiresAt), { timeStyle: 'short', timeZone });
  const again = useMutation({ mutationFn: () => sendLink(email), onSuccess: onSent });
  const proceed = useEffectEvent(onSignedIn);
  useEffect(() => onSignIn(() => proceed()), []);
  return (
    <SignInFrame
      title={<Trans>Check your email</Trans>}
      lead={
        <Trans>
          We sent a link to {email}. It works once, until {time}.
        </Trans>
      }
      note={
        <Trans>Nothing there? Look in spam, or ask an administrator whether this address has access.</Trans>
      }
    >
      <div className="flex flex-col gap-3">
        <Button disabled={again.isPending} onClick={() => again.mutate()}>
          <Trans>Send it again</Trans>
        </Button>
        <Button look="quiet" onClick={onBack}>
          <Trans>Sign in another way</Trans>
        </Button>
        <p role="status" className="text-muted text-sm empty:hidden">
          {again.isSuccess && <Trans>Sent again. Only the newest link works.</Trans>}
        </p>
        <p role="alert" className="text-danger text-sm empty:hidden">
          {again.error !== null && messageOf(again.error)}
        </p>
      </div>
    </SignInFrame>
  );
}
