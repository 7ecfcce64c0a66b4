import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useRights } from '../../api/caller.ts';
import { passkeyPlace } from '../../api/passkeys.ts';
import { signInMethodsQuery } from '../../api/sign-in.ts';
import { lazyComponent } from '../../page/lazy-components.ts';
import { Section } from './section.tsx';

const PasskeyList = lazyComponent(() => import('../../sessions/passkey-list.tsx'), 'PasskeyList');

/** The passkeys of who is signed in, if people of this service have any. */
export function OwnPasskeys() {
  const { t } = useLingui();
  const { caller } = useRights();
  const { data: methods } = useQuery(signInMethodsQuery);
  const place = methods && passkeyPlace(methods);
  if (caller.type !== 'person' || place === undefined) return null;
  const intro = (
    <Trans>What you sign in with. Have two, so that you can still sign in when you lose one.</Trans>
  );
  return (
    <Section title={t`Passkeys`} intro={intro}>
      {place === 'here' ? (
        <Suspense>
          <PasskeyList personId={caller.id} />
        </Suspense>
      ) : (
        <p className="text-sm">
          <Trans>
            Browsers have passkeys for a host with a name: open{' '}
            <a className="text-accent underline" href={`${place.origin}/console/settings`}>
              {place.origin}
            </a>
            .
          </Trans>
        </p>
      )}
    </Section>
  );
}
