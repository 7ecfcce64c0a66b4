import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { announceSignIn } from '../../api/session-end.ts';
import { callSignIn, signInMethodsQuery } from '../../api/sign-in.ts';
import { Button, buttonClasses } from '../../components/button.tsx';
import { messageOf } from '../../components/error-text.tsx';
import { TextField } from '../../components/forms/field.tsx';
import iconUrl from '../../icon.svg';

/** A path of the page itself; anything else would lead to another site. */
function safePath(path: unknown): string {
  return typeof path === 'string' && /^\/console\/(?![/\\])/.test(path) ? path : '/console/';
}

/** Exchanges a key for a session. Returns what went wrong, or undefined. */
async function exchangeKey(key: string): Promise<string | undefined> {
  try {
    await callSignIn('/sign-in/key', { key });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Signing in: at the identity provider if there is one, or with a key. */
export function SignInPage() {
  const { t } = useLingui();
  const { returnTo, close } = useSearch({ strict: false });
  const hasProvider = useQuery(signInMethodsQuery).data?.provider;
  const [key, setKey] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const target = safePath(returnTo);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const problem = await exchangeKey(key);
    setBusy(false);
    setError(problem);
    if (problem !== undefined) return;
    announceSignIn();
    if (close === 'true') window.close();
    window.location.assign(target);
  };
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-6 p-6">
      <div className="flex items-center gap-3">
        <img src={iconUrl} alt="" className="size-10" />
        <h1 className="font-semibold text-2xl">
          <Trans>Sign in to Roster</Trans>
        </h1>
      </div>
      {hasProvider && (
        <a className={buttonClasses('primary')} href={`/sign-in?returnTo=${encodeURIComponent(target)}`}>
          <Trans>Sign in with your organisation</Trans>
        </a>
      )}
      <form className="flex flex-col gap-3" onSubmit={(event) => void onSubmit(event)}>
        <TextField
          label={t`Key`}
          type="password"
          name="key"
          isRequired
          value={key}
          error={error}
          hint={t`A key of the service, such as rst_…; the session has its rights.`}
          onChange={(event) => setKey(event.target.value)}
        />
        <Button
          type="submit"
          look={hasProvider ? 'secondary' : 'primary'}
          disabled={isBusy || key.trim() === ''}
        >
          <Trans>Sign in with the key</Trans>
        </Button>
      </form>
      <p className="text-muted text-sm">
        <Trans>
          On the computer of the service, <code>roster open</code> signs you in without typing a key.
        </Trans>
      </p>
    </main>
  );
}
