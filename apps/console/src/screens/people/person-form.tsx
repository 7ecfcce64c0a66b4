import { useLingui } from '@lingui/react/macro';
import type { Grant, InvitationWithLink, Person } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { roster } from '../../api/client.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { type FormErrors, formErrors } from '../../components/dialogs/form-errors.ts';
import { messageOf } from '../../components/error-text.tsx';
import { CheckboxField, TextField } from '../../components/forms/field.tsx';
import { ChangedMeanwhileError, useGuardedUpdate } from '../../components/forms/guarded-update.ts';
import { notify } from '../../components/notices.tsx';
import { useViewState } from '../../page/view-state.ts';
import { type DraftGrant, draftGrants, GrantsField, grantsOf } from './grants-field.tsx';
import { LinkDialog, type MadeLink, useSignInMethods } from './invitation.tsx';

interface Draft {
  name: string;
  email: string;
  grants: DraftGrant[];
}

/** The errors at the fields: that of rights, and of the last administrator, at the grants, and of a taken address at it. */
function personErrors(error: Error | null): FormErrors {
  return formErrors(error, ['name', 'email', 'grants'], {
    insufficient_scope: 'grants',
    last_admin: 'grants',
    person_email_taken: 'email',
  });
}

function PersonFields({
  draft,
  errors,
  onChange,
}: {
  draft: Draft;
  errors: FormErrors;
  onChange: (draft: Draft) => void;
}) {
  const { t } = useLingui();
  return (
    <>
      <TextField
        label={t`Name`}
        isRequired
        maxLength={200}
        value={draft.name}
        error={errors.at('name')}
        onChange={(event) => onChange({ ...draft, name: event.target.value })}
      />
      <TextField
        label={t`E-mail`}
        type="email"
        isRequired
        hint={t`Where invitations go, and how an identity provider knows the person`}
        value={draft.email}
        error={errors.at('email')}
        onChange={(event) => onChange({ ...draft, email: event.target.value })}
      />
      <GrantsField
        value={draft.grants}
        errors={errors}
        onChange={(grants) => onChange({ ...draft, grants })}
      />
    </>
  );
}

/**
 * Invites a person and makes the link with which they sign in for the first time; sends it too if the service has a mail server. At a
 * service with an identity provider there is no link. If none can be made, the person is invited all the same, and their panel says why.
 */
function InviteDialog({
  onInvited,
  onClose,
}: {
  onInvited: (person: Person, invitation?: InvitationWithLink) => void;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const client = useQueryClient();
  const isLimited = !useRights().canEverywhere('people:manage');
  const [draft, setDraft] = useState<Draft>({
    name: '',
    email: '',
    grants: draftGrants([{ role: 'viewer', officeIds: isLimited ? [] : null }]),
  });
  const [first] = useState(draft);
  const methods = useSignInMethods();
  const [isMailed, setMailed] = useState(true);
  const makeLink = async (personId: string) => {
    if (methods?.provider !== false) return undefined;
    const wanted = { personId, isMailed: methods.mail && isMailed };
    return roster.invitations.create.mutate(wanted).catch((error: unknown) => {
      notify({ tone: 'danger', text: messageOf(error) });
      return undefined;
    });
  };
  const invite = useMutation({
    mutationFn: async () => {
      const person = await roster.people.invite.mutate({ ...draft, grants: grantsOf(draft.grants) });
      return { person, invitation: await makeLink(person.id) };
    },
    onSuccess: ({ person, invitation }) => {
      void client.invalidateQueries({ queryKey: ['people'] });
      onInvited(person, invitation);
    },
  });
  const errors = personErrors(invite.error);
  return (
    <FormDialog
      title={t`Invite a person`}
      submitLabel={t`Invite`}
      width="medium"
      isDirty={draft !== first}
      isPending={invite.isPending}
      error={invite.error}
      errors={errors}
      onSubmit={() => invite.mutate()}
      onClose={onClose}
    >
      <PersonFields draft={draft} errors={errors} onChange={setDraft} />
      {methods?.mail === true && !methods.provider && (
        <CheckboxField
          label={t`Send the link to the e-mail address`}
          checked={isMailed}
          onChange={({ target }) => setMailed(target.checked)}
        />
      )}
    </FormDialog>
  );
}

/** Invites a person, opens their details, and shows the link that was made for them. */
export function InvitePerson({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [search] = useViewState();
  const navigate = useNavigate();
  const [made, setMade] = useState<MadeLink>();
  return (
    <>
      {isOpen && (
        <InviteDialog
          onClose={onClose}
          onInvited={(person, invitation) => {
            setMade(invitation && { person, invitation });
            const opened = { ...search, create: undefined };
            void navigate({ to: '/people/$id', params: { id: person.id }, search: opened });
          }}
        />
      )}
      {made !== undefined && <LinkDialog made={made} onClose={() => setMade(undefined)} />}
    </>
  );
}

interface Values {
  name: string;
  email: string;
  grants: Grant[];
}

const valuesOf = ({ name, email, grants }: Person): Values => ({ name, email, grants });

/** Changes a person: the name, the address and the grants. */
export function EditPersonDialog({ item, onClose }: { item: Person; onClose: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [opened] = useState(item);
  const [draft, setDraft] = useState<Draft>(() => ({
    ...valuesOf(opened),
    grants: draftGrants(opened.grants),
  }));
  const [first] = useState(draft);
  const update = useGuardedUpdate({
    before: valuesOf(opened),
    read: () => roster.people.get.query({ id: opened.id }).then(valuesOf),
    write: (patch) => roster.people.update.mutate({ id: opened.id, ...patch }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['people'] });
      // Whoever changes their own rights sees the page with the new ones.
      void client.invalidateQueries({ queryKey: ['sessions', 'current'] });
      onClose();
    },
  });
  const clash =
    update.error instanceof ChangedMeanwhileError
      ? t`Someone else changed this person after you opened it. Save again to replace their change with yours.`
      : undefined;
  const found = personErrors(update.error);
  const errors = { ...found, rest: clash ?? found.rest };
  return (
    <FormDialog
      title={t`Change ${opened.name}`}
      submitLabel={t`Save`}
      width="medium"
      isDirty={draft !== first}
      isPending={update.isPending}
      error={update.error}
      errors={errors}
      onSubmit={() => update.mutate({ ...draft, grants: grantsOf(draft.grants) })}
      onClose={onClose}
    >
      <PersonFields draft={draft} errors={errors} onChange={setDraft} />
    </FormDialog>
  );
}
