import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Person } from '@roster/client';
import { roster } from '../../api/client.ts';
import { editDialog, type ItemFieldsProps } from '../../ui/admin/item-forms.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { type DraftGrant, draftGrants, GrantsField, grantsOf } from './grants-field.tsx';

interface Draft {
  name: string;
  email: string;
  grants: DraftGrant[];
}

function PersonFields({ draft, errors, onChange }: ItemFieldsProps<Person, Draft>) {
  const { t } = useLingui();
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
    </>
  );
}

export const EditPersonDialog = editDialog({
  resource: 'people',
  labels: {
    edit: (person: Person) => msg`Change ${person.name}`,
    clash: msg`Someone else changed this person. Save again to replace their change with yours.`,
  },
  fields: ['name', 'email', 'grants'],
  // Errors of rights and of the last administrator are shown at the grants, and that of a taken address at it.
  ofCodes: { insufficient_scope: 'grants', last_admin: 'grants', person_email_taken: 'email' },
  draftOf: ({ name, email, grants }): Draft => ({ name, email, grants: draftGrants(grants) }),
  valuesOf: ({ name, email, grants }) => ({ name, email, grants: grantsOf(grants) }),
  Fields: PersonFields,
  read: (id) => roster.people.get.query({ id }),
  update: (id, patch) => roster.people.update.mutate({ id, ...patch }),
});
