import { Trans, useLingui } from '@lingui/react/macro';
import type { Person } from '@roster/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { callSignIn, type SignInMethods, signInMethodsQuery } from '../../api/sign-in.ts';
import { Callout } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { messageOf } from '../../components/error-text.tsx';
import { CopyField } from '../../components/forms/copy-field.tsx';
import { notify } from '../../components/notices.tsx';
import { ExactTime } from '../../components/time.tsx';

interface SignInLink {
  url: string;
  /** RFC 3339. */
  expiresAt: string;
}

/** The address at which people sign in at the identity provider. */
function signInAddress({ url }: SignInMethods): string {
  return `${url ?? window.location.origin}/sign-in`;
}

/** The ways in which people sign in at the service; undefined until they are known. */
export function useSignInMethods(): SignInMethods | undefined {
  return useQuery(signInMethodsQuery).data;
}

/** Returns a function that words what happens after an invitation, for whoever made it: nothing was sent. */
export function useInvitationText(): (person: Person) => string {
  const { t } = useLingui();
  const methods = useSignInMethods();
  return ({ name }) => {
    if (methods === undefined) return t`${name} is invited. Nothing was sent.`;
    const address = signInAddress(methods);
    return methods.provider
      ? t`${name} can sign in now, at ${address}. Nothing was sent: tell them.`
      : t`${name} is invited, and needs a link to sign in: no identity provider is set up.`;
  };
}

function LinkDialog({ person, link, onClose }: { person: Person; link: SignInLink; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog
      title={t`A link for ${person.name}`}
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      }
    >
      <div className="flex flex-col gap-4 text-sm">
        <CopyField label={t`Sign-in link`} value={link.url} />
        <p>
          <Trans>
            It works once, until <ExactTime time={link.expiresAt} />. Whoever opens it is signed in as{' '}
            {person.name}: hand it to nobody else.
          </Trans>
        </p>
      </div>
    </Dialog>
  );
}

/** Without an identity provider: that a link is the only way in, and the button that makes one. */
function LinkOnly({ person, isAddressKnown }: { person: Person; isAddressKnown: boolean }) {
  const { t } = useLingui();
  const create = useMutation({
    mutationFn: () => callSignIn<SignInLink>('/sign-in/links', { personId: person.id }),
    onError: (error) => notify({ tone: 'danger', text: messageOf(error) }),
  });
  return (
    <Callout
      tone={person.status === 'invited' ? 'warning' : 'neutral'}
      title={t`No identity provider is set up`}
    >
      <p>
        <Trans>{person.name} can sign in only with a link that works once.</Trans>
      </p>
      {!isAddressKnown && (
        <p>
          <Trans>
            Without <code>ROSTER_PUBLIC_URL</code> it opens on the computer of the service alone.
          </Trans>
        </p>
      )}
      <Button className="mt-2" disabled={create.isPending} onClick={() => create.mutate()}>
        <Trans>Create a sign-in link</Trans>
      </Button>
      {create.data !== undefined && (
        <LinkDialog person={person} link={create.data} onClose={() => create.reset()} />
      )}
    </Callout>
  );
}

/** The way in which a person signs in who has not yet, or has only links to do so. */
export function SignInWay({ person }: { person: Person }) {
  const { t } = useLingui();
  const methods = useSignInMethods();
  if (methods === undefined || person.status === 'inactive') return null;
  if (!methods.provider) return <LinkOnly person={person} isAddressKnown={methods.url !== null} />;
  if (person.status !== 'invited') return null;
  const address = signInAddress(methods);
  return (
    <Callout title={t`Not signed in yet`}>
      <p>
        <Trans>
          {person.name} signs in at <span className="break-all">{address}</span>, as {person.email}. Nothing
          was sent: tell them.
        </Trans>
      </p>
    </Callout>
  );
}
