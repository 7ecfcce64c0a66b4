import { Trans, useLingui } from '@lingui/react/macro';
import type { Invitation, InvitationWithLink, Person } from '@roster/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { roster, rosterQuery } from '../../api/client.ts';
import { type SignInMethods, signInMethodsQuery } from '../../api/sign-in.ts';
import { Callout } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { ConfirmDialog } from '../../ui/dialogs/form-dialog.tsx';
import { notifyError } from '../../ui/error-text.tsx';
import { CopyField } from '../../ui/forms/copy-field.tsx';
import { ExactTime } from '../../ui/time.tsx';

export function useSignInMethods(): SignInMethods | undefined {
  return useQuery(signInMethodsQuery).data;
}

export interface MadeLink {
  person: Pick<Person, 'id' | 'name'>;
  invitation: InvitationWithLink;
}

function Mail({ mail }: { mail: Invitation['mail'] }) {
  if (mail === null) return <Trans>Copy this link and send it yourself.</Trans>;
  const { to, sentAt, isAccepted, response } = mail;
  if (isAccepted === null)
    return (
      <Trans>
        An email was sent to {to} at <ExactTime time={sentAt} />, but it's unknown whether it arrived.
      </Trans>
    );
  return isAccepted ? (
    <Trans>
      Sent to {to} at <ExactTime time={sentAt} />. Response of the mail server: <q>{response}</q>
    </Trans>
  ) : (
    <Trans>
      Couldn't send to {to}. The mail server: <q>{response}</q> Copy the link and send it yourself.
    </Trans>
  );
}

/** The links of people who were invited together, or of one person. */
export function LinkDialog({ made, onClose }: { made: readonly MadeLink[]; onClose: () => void }) {
  const { t } = useLingui();
  const [first] = made;
  if (first === undefined) return null;
  const { name } = first.person;
  const { link: firstLink, expiresAt } = first.invitation;
  const isOne = made.length === 1;
  return (
    <Dialog
      title={isOne ? t`A link for ${name}` : t`Links for ${made.length} people`}
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      }
    >
      <div className="flex flex-col gap-4 text-sm">
        {made.map(({ person, invitation: { link, mail } }) => (
          <div key={person.id} className="flex flex-col gap-2">
            {(isOne || mail !== null) && (
              <p>
                <Mail mail={mail} />
              </p>
            )}
            <CopyField label={isOne ? t`Sign-in link` : person.name} value={link} />
          </div>
        ))}
        <p>
          {isOne ? (
            <Trans>
              This link works once and expires <ExactTime time={expiresAt} />. Anyone who has it can sign in
              as {name}, so share it only with them.
            </Trans>
          ) : (
            <Trans>
              Each link works once and expires <ExactTime time={expiresAt} />. Anyone who has a link can sign
              in as its person, so share it only with them.
            </Trans>
          )}
        </p>
        {new URL(firstLink).hostname === 'localhost' && (
          <p>
            <Trans>
              Without <code>ROSTER_PUBLIC_URL</code>, the link only works on the computer that runs the
              service.
            </Trans>
          </p>
        )}
      </div>
    </Dialog>
  );
}

function OpenInvitation({ person, invitation }: { person: Person; invitation: Invitation }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const revoke = async () => {
    await roster.invitations.revoke.mutate({ id: invitation.id });
    await Promise.all(
      ['invitations', 'people'].map((name) => client.invalidateQueries({ queryKey: [name] })),
    );
  };
  return (
    <>
      <p>
        <Trans>
          A link created by {invitation.createdBy?.name ?? '–'} works until{' '}
          <ExactTime time={invitation.expiresAt} />.
        </Trans>{' '}
        <Mail mail={invitation.mail} />
      </p>
      <Button look="destructive" className="mt-2 mr-2" onClick={() => setAsking(true)}>
        <Trans>Revoke the link</Trans>
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t`Revoke the link for ${person.name}?`}
          confirmLabel={t`Revoke the link`}
          onConfirm={revoke}
          onClose={() => setAsking(false)}
        >
          <p>
            <Trans>The link can't be used any more. You can create a new one.</Trans>
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Creates links for a person, each of which replaces the one before, and shows what it made. */
export function useNewLink(person: Pick<Person, 'id' | 'name'>) {
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (isMailed: boolean) => roster.invitations.create.mutate({ personId: person.id, isMailed }),
    onSuccess: () => {
      for (const name of ['invitations', 'people']) void client.invalidateQueries({ queryKey: [name] });
    },
    onError: notifyError,
  });
  const dialog = create.data !== undefined && (
    <LinkDialog made={[{ person, invitation: create.data }]} onClose={() => create.reset()} />
  );
  return { create, dialog };
}

function MakeLink({ person, methods }: { person: Person; methods: SignInMethods }) {
  const { create, dialog } = useNewLink(person);
  const hasWay = person.signInWay !== 'none';
  return (
    <>
      <Button className="mt-2" disabled={create.isPending} onClick={() => create.mutate(false)}>
        {hasWay ? <Trans>Create a new link</Trans> : <Trans>Create a link</Trans>}
      </Button>
      {methods.mail && (
        <Button className="mt-2 ml-2" disabled={create.isPending} onClick={() => create.mutate(true)}>
          {hasWay ? <Trans>Send a new link by email</Trans> : <Trans>Send a link by email</Trans>}
        </Button>
      )}
      {dialog}
    </>
  );
}

/** Whether a person without a passkey can ask for a link to their email address. */
export function canSignInByEmail({ status, signInWay }: Person, { email }: SignInMethods): boolean {
  return email && status === 'active' && signInWay === 'none';
}

function OwnWay({ person, methods }: { person: Person; methods: SignInMethods }) {
  const { t } = useLingui();
  const { name, signInWay } = person;
  const isOpen = { personId: person.id, isOpen: true, limit: 1 };
  const { data } = useQuery({
    ...rosterQuery('invitations', 'list', isOpen),
    enabled: signInWay === 'invitation',
  });
  const [open] = data?.items ?? [];
  const hasEmailWay = canSignInByEmail(person, methods);
  const titles: Partial<Record<Person['signInWay'], string>> = {
    passkey: t`${name} signs in with a passkey`,
    invitation: t`${name} hasn't set up a passkey yet`,
  };
  return (
    <Callout
      tone={signInWay === 'none' && !hasEmailWay ? 'warning' : 'neutral'}
      title={
        titles[signInWay] ??
        (hasEmailWay ? t`${name} signs in with a link by email` : t`${name} can't sign in yet`)
      }
    >
      {signInWay === 'passkey' && (
        <p>
          <Trans>
            If the person has lost the passkey, create a new link and remove the lost passkey below.
          </Trans>
        </p>
      )}
      {signInWay === 'none' && (
        <p>
          <Trans>The person uses the link to set up a passkey for signing in.</Trans>
        </p>
      )}
      {signInWay === 'invitation' && open !== undefined && (
        <OpenInvitation person={person} invitation={open} />
      )}
      <MakeLink person={person} methods={methods} />
    </Callout>
  );
}

export function SignInWay({ item: person }: { item: Person }) {
  const { t } = useLingui();
  const methods = useSignInMethods();
  if (methods === undefined || person.status === 'inactive') return null;
  if (!methods.provider) return <OwnWay person={person} methods={methods} />;
  if (person.status !== 'invited') return null;
  const address = `${methods.url ?? window.location.origin}/sign-in`;
  return (
    <Callout title={t`Not signed in yet`}>
      <p>
        <Trans>
          {person.name} signs in at <span className="break-all">{address}</span>, as {person.email}. No
          message was sent, so let them know.
        </Trans>
      </p>
    </Callout>
  );
}
