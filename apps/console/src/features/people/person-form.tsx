import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { InvitationWithLink, Person } from '@roster/client';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { queryClient, roster } from '../../api/client.ts';
import { signInMethodsQuery } from '../../api/sign-in.ts';
import { type ItemFieldsProps, itemForms } from '../../ui/admin/item-forms.tsx';
import { useViewState } from '../../ui/browser/view-state.ts';
import { notifyError } from '../../ui/error-text.tsx';
import { CheckboxField, TextField } from '../../ui/forms/field.tsx';
import { type DraftGrant, draftGrants, GrantsField, grantsOf } from './grants-field.tsx';
import { LinkDialog, useSignInMethods } from './invitation.tsx';

interface Draft {
  name: string;
  email: string;
  grants: DraftGrant[];
  isMailed: boolean;
}

function PersonFields({ item, draft, errors, onChange }: ItemFieldsProps<Person, Draft>) {
  const { t } = useLingui();
  const methods = useSignInMethods();
  return (
    <>
      <TextField
        label={t`Name`}
        isRequired
        maxLength={200}
        value={draft.name}
        error={errors.at('name')}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <TextField
        label={t`Email`}
        type="email"
        isRequired
        hint={t`Email address for invitations and sign-in with an identity provider`}
        value={draft.email}
        error={errors.at('email')}
        onChange={(event) => onChange({ email: event.target.value })}
      />
      <GrantsField value={draft.grants} errors={errors} onChange={(grants) => onChange({ grants })} />
      {item === undefined && methods?.mail === true && !methods.provider && (
        <CheckboxField
          label={t`Send the link to the email address`}
          checked={draft.isMailed}
          onChange={({ target }) => onChange({ isMailed: target.checked })}
        />
      )}
    </>
  );
}

function LinkNote() {
  const methods = useSignInMethods();
  if (methods?.provider !== false) return null;
  return (
    <p className="text-muted text-xs">
      <Trans>The link is valid for 7 days.</Trans>
    </p>
  );
}

interface Invited {
  person: Person;
  invitation: InvitationWithLink | undefined;
}

/** Makes the link of a new person, at a service without an identity provider. Says why if none can be made. */
async function makeLink(personId: string, isMailed: boolean): Promise<InvitationWithLink | undefined> {
  const methods = await queryClient.ensureQueryData(signInMethodsQuery).catch(() => undefined);
  if (methods?.provider !== false) return undefined;
  const wanted = { personId, isMailed: methods.mail && isMailed };
  return roster.invitations.create.mutate(wanted).catch((error: unknown) => {
    notifyError(error);
    return undefined;
  });
}

function OpenedPerson({ created, onClose }: { created: Invited; onClose: () => void }) {
  const [search] = useViewState();
  const navigate = useNavigate();
  const { person, invitation } = created;
  const open = useEffectEvent((id: string) =>
    navigate({ to: '/people/$id', params: { id }, search: { ...search, create: undefined } }),
  );
  useEffect(() => void open(person.id), [person.id]);
  return invitation && <LinkDialog made={{ person, invitation }} onClose={onClose} />;
}

const valuesOf = ({ name, email, grants }: Draft) => ({ name, email, grants: grantsOf(grants) });

/**
 * The dialogs that invite a person and change one: the name, the address and the grants. A new person gets the link with which they sign
 * in for the first time, sent too if the service has a mail server. At a service with an identity provider there is no link. If none can
 * be made, the person is invited all the same, and their panel says why.
 */
export const { CreateDialog: InvitePerson, EditDialog: EditPersonDialog } = itemForms({
  resource: 'people',
  labels: {
    create: msg`Invite a person`,
    submit: msg`Invite`,
    edit: (person: Person) => msg`Change ${person.name}`,
    clash: msg`Someone else changed this person. Save again to replace their change with yours.`,
  },
  fields: ['name', 'email', 'grants'],
  // That of rights and of the last administrator stand at the grants, and that of a taken address at it.
  ofCodes: { insufficient_scope: 'grants', last_admin: 'grants', person_email_taken: 'email' },
  empty: ({ canEverywhere }): Draft => {
    const officeIds = canEverywhere('people:manage') ? null : [];
    return { name: '', email: '', grants: draftGrants([{ role: 'viewer', officeIds }]), isMailed: true };
  },
  draftOf: ({ name, email, grants }) => ({ name, email, grants: draftGrants(grants), isMailed: true }),
  valuesOf,
  Fields: PersonFields,
  create: async (draft): Promise<Invited> => {
    const person = await roster.people.invite.mutate(valuesOf(draft));
    return { person, invitation: await makeLink(person.id, draft.isMailed) };
  },
  read: (id) => roster.people.get.query({ id }),
  update: (id, patch) => roster.people.update.mutate({ id, ...patch }),
  Created: OpenedPerson,
  isPanel: true,
  Foot: LinkNote,
});
