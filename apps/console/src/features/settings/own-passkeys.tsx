import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useRights } from '../../api/caller.ts';
import { roster } from '../../api/client.ts';
import { passkeyPlace } from '../../api/passkeys.ts';
import { signInMethodsQuery } from '../../api/sign-in.ts';
import { lazyComponent } from '../../ui/browser/lazy-components.ts';
import { Button } from '../../ui/button.tsx';
import { notifyError } from '../../ui/error-text.tsx';
import { Section } from './section.tsx';

const PasskeyList = lazyComponent(() => import('../people/sessions/passkey-list.tsx'), 'PasskeyList');

function PasskeysElsewhere({ origin }: { origin: string }) {
  const { caller, can } = useRights();
  const move = useMutation({
    mutationFn: () => roster.invitations.create.mutate({ personId: caller.id }),
    onSuccess: ({ link }) => window.location.assign(link),
    onError: notifyError,
  });
  return (
    <>
      <p className="text-sm">
        <Trans>
          Passkeys need a host name. Open{' '}
          <a className="text-accent underline" href={`${origin}/console/settings`}>
            {origin}
          </a>
          .
        </Trans>
      </p>
      {can('people:manage') && (
        <div>
          <Button disabled={move.isPending} onClick={() => move.mutate()}>
            <Trans>Set up a passkey there</Trans>
          </Button>
        </div>
      )}
    </>
  );
}

export function OwnPasskeys() {
  const { t } = useLingui();
  const { caller } = useRights();
  const { data: methods } = useQuery(signInMethodsQuery);
  const place = methods && passkeyPlace(methods);
  if (caller.type !== 'person' || place === undefined) return null;
  const intro = <Trans>Use passkeys to sign in. Set up two so you can still sign in if you lose one.</Trans>;
  return (
    <Section title={t`Passkeys`} intro={intro}>
      {place === 'here' ? (
        <Suspense>
          <PasskeyList personId={caller.id} />
        </Suspense>
      ) : (
        <PasskeysElsewhere origin={place.origin} />
      )}
    </Section>
  );
}
