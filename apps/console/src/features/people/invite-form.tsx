import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { InvitationWithLink, Person } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { queryClient, roster } from '../../api/client.ts';
import { signInMethodsQuery } from '../../api/sign-in.ts';
import { useViewState } from '../../ui/browser/view-state.ts';
import { FormPanel } from '../../ui/dialogs/form-dialog.tsx';
import { formErrors } from '../../ui/dialogs/form-errors.ts';
import { notifyError } from '../../ui/error-text.tsx';
import { CheckboxField, TextAreaField, TextField } from '../../ui/forms/field.tsx';
import { notify } from '../../ui/notices.tsx';
import { type Address, addressesOf, textOfAddresses } from './addresses.ts';
import { type DraftGrant, draftGrants, GrantsField, grantsOf } from './grants-field.tsx';
import { LinkDialog, type MadeLink, useSignInMethods } from './invitation.tsx';

interface Draft {
  emails: string;
  name: string;
  grants: DraftGrant[];
  isMailed: boolean;
}

interface Invited {
  person: Person;
  invitation: InvitationWithLink | undefined;
}

interface Refused extends Address {
  reason: string;
}

/** Returns the link of a new person, at a service without an identity provider. Says why if none can be made. */
async function makeLink(personId: string, isMailed: boolean): Promise<InvitationWithLink | undefined> {
  const methods = await queryClient.ensureQueryData(signInMethodsQuery).catch(() => undefined);
  if (methods?.provider !== false) return undefined;
  const wanted = { personId, isMailed: methods.mail && isMailed };
  return roster.invitations.create.mutate(wanted).catch((error: unknown) => {
    notifyError(error);
    return undefined;
  });
}

async function invite({ name, email }: Address, { grants, isMailed }: Draft): Promise<Invited> {
  const person = await roster.people.invite.mutate({ name: name ?? email, email, grants: grantsOf(grants) });
  return { person, invitation: await makeLink(person.id, isMailed) };
}

/** The reason for which one address is refused; undefined for an error of the whole form. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { within, rest } = formErrors(error, ['name', 'email']);
  return rest === undefined ? (within('email') ?? within('name')) : undefined;
}

/** The addresses to invite. An empty one is for the service to refuse, and the name is that of one address. */
function wantedOf({ emails, name }: Draft): Address[] {
  const [first = { name: undefined, email: '' }, ...others] = addressesOf(emails);
  if (others.length > 0) return [first, ...others];
  return [{ ...first, name: first.name ?? (name.trim() || undefined) }];
}

/**
 * Invites the addresses one by one. Who is invited leaves the field at once, so that nobody is invited again after an error; what is
 * refused stays there, each with its reason. An error of the whole form, such as of the grants, ends it.
 */
function useInvite(onEnd: (invited: readonly Invited[], isDone: boolean) => void) {
  const { canEverywhere } = useRights();
  const client = useQueryClient();
  const [first] = useState<Draft>(() => {
    const officeIds = canEverywhere('people:manage') ? null : [];
    return { emails: '', name: '', grants: draftGrants([{ role: 'viewer', officeIds }]), isMailed: true };
  });
  const [draft, setDraft] = useState(first);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const inviting = useMutation({
    mutationFn: async () => {
      const invited: Invited[] = [];
      const kept: Refused[] = [];
      const left = wantedOf(draft);
      try {
        for (let address = left[0]; address !== undefined; address = left[0]) {
          try {
            invited.push(await invite(address, draft));
          } catch (error) {
            const reason = reasonOf(error);
            if (reason === undefined) throw error;
            kept.push({ ...address, reason });
          }
          left.shift();
          setDraft({ ...draft, emails: textOfAddresses([...kept, ...left]) });
          setRefused([...kept]);
        }
      } finally {
        for (const key of ['people', 'invitations']) void client.invalidateQueries({ queryKey: [key] });
        onEnd(invited, kept.length + left.length === 0);
      }
    },
  });
  const onChange = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  return { draft, isDirty: draft !== first, refused, inviting, onChange };
}

function Reasons({ refused }: { refused: readonly Refused[] }) {
  return (
    <ul>
      {refused.map(({ email, reason }) => (
        <li key={email} className="wrap-anywhere">
          {email} {reason}
        </li>
      ))}
    </ul>
  );
}

function InvitePanel({ onEnd, onClose }: { onEnd: Parameters<typeof useInvite>[0]; onClose: () => void }) {
  const { t } = useLingui();
  const methods = useSignInMethods();
  const { draft, isDirty, refused, inviting, onChange } = useInvite(onEnd);
  const errors = formErrors(inviting.error, ['grants'], { insufficient_scope: 'grants' });
  const count = addressesOf(draft.emails).length;
  return (
    <FormPanel
      title={t`Invite people`}
      submitLabel={count > 1 ? t`Invite ${plural(count, { one: '# person', other: '# people' })}` : t`Invite`}
      isDirty={isDirty}
      isPending={inviting.isPending}
      error={inviting.error}
      errors={errors}
      onSubmit={() => inviting.mutate()}
      onClose={onClose}
      {...(methods?.provider === false && {
        footerStart: (
          <p className="text-muted text-xs">
            <Trans>The link is valid for 7 days.</Trans>
          </p>
        ),
      })}
    >
      <TextAreaField
        label={t`Email`}
        isRequired
        rows={2}
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        hint={t`Several on lines of their own, or separated by commas or spaces`}
        readOnly={inviting.isPending}
        value={draft.emails}
        error={refused.length > 0 && <Reasons refused={refused} />}
        onChange={(event) => onChange({ emails: event.target.value })}
      />
      {count < 2 && (
        <TextField
          label={t`Name`}
          hint={t`Without a name, the email address is shown.`}
          maxLength={200}
          value={draft.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      )}
      <GrantsField value={draft.grants} errors={errors} onChange={(grants) => onChange({ grants })} />
      {methods?.mail === true && !methods.provider && (
        <CheckboxField
          label={t`Send the link to the email address`}
          checked={draft.isMailed}
          onChange={({ target }) => onChange({ isMailed: target.checked })}
        />
      )}
    </FormPanel>
  );
}

/**
 * The panel that invites people: their addresses, and the access that they all get. They get the links with which they sign in for the
 * first time, sent too if the service has a mail server. At a service with an identity provider there are no links. Where none can be
 * made, the person is invited all the same, and their panel says why.
 */
export function InvitePeople({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const [search] = useViewState();
  const navigate = useNavigate();
  const [made, setMade] = useState<readonly MadeLink[]>([]);
  const onEnd = (invited: readonly Invited[], isDone: boolean) => {
    setMade(invited.flatMap(({ person, invitation }) => (invitation ? [{ person, invitation }] : [])));
    const [first, ...others] = invited;
    if (others.length > 0) notify({ text: t`${invited.length} people invited` });
    if (first === undefined || !isDone) return;
    if (others.length > 0) onClose();
    else
      void navigate({
        to: '/people/$id',
        params: { id: first.person.id },
        search: { ...search, create: undefined },
      });
  };
  return (
    <>
      {isOpen && <InvitePanel onEnd={onEnd} onClose={onClose} />}
      {made.length > 0 && <LinkDialog made={made} onClose={() => setMade([])} />}
    </>
  );
}
