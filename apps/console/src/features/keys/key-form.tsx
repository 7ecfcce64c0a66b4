import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Key, KeyWithSecret, Scope } from '@roster/client';
import { useRights } from '../../api/caller.ts';
import { roster } from '../../api/client.ts';
import { type ItemFieldsProps, itemForms } from '../../ui/admin/item-forms.tsx';
import { SecretDialog } from '../../ui/dialogs/secret-dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { OfficesField } from '../../ui/forms/offices-field.tsx';
import { type Expiry, expiresAtOf, expiryOf } from './expiry.ts';
import { ExpiryField } from './expiry-field.tsx';
import { ScopesField } from './scopes-field.tsx';

interface Draft {
  name: string;
  scopes: Scope[];
  officeIds: string[] | null;
  expiry: Expiry;
}

function KeyFields({ item, draft, errors, onChange }: ItemFieldsProps<Key, Draft>) {
  const { t } = useLingui();
  const isLimited = !useRights().canEverywhere('keys:manage');
  return (
    <>
      <TextField
        label={t`Name`}
        hint={t`Purpose of the key, such as Website`}
        isRequired
        maxLength={100}
        value={draft.name}
        error={errors.at('name')}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <ScopesField
        value={draft.scopes}
        before={item?.scopes ?? []}
        error={errors.within('scopes')}
        onChange={(scopes) => onChange({ scopes })}
      />
      <OfficesField
        label={t`Offices`}
        value={draft.officeIds}
        error={errors.within('officeIds')}
        {...(isLimited && { allLabel: t`All of your offices` })}
        onChange={(officeIds) => onChange({ officeIds })}
      />
      <ExpiryField
        value={draft.expiry}
        error={errors.at('expiresAt')}
        onChange={(expiry) => onChange({ expiry })}
      />
    </>
  );
}

function NewSecret({ created, onClose }: { created: KeyWithSecret; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <SecretDialog title={t`The secret of ${created.name}`} secret={created.secret} onClose={onClose}>
      <p>
        <Trans>Programs send it with every request:</Trans>{' '}
        <code className="break-all">Authorization: Bearer {created.hint}…</code>
      </p>
    </SecretDialog>
  );
}

const valuesOf = ({ expiry, ...values }: Draft, key?: Key) => ({
  ...values,
  expiresAt: expiresAtOf(expiry, { kept: key?.expiresAt ?? null }) ?? null,
});

export const { CreateDialog: CreateKey, EditDialog: EditKeyDialog } = itemForms({
  resource: 'keys',
  labels: {
    create: msg`Create a key`,
    submit: msg`Create`,
    edit: (key: Key) => msg`Change ${key.name}`,
    clash: msg`Someone else changed this key. Save again to replace their change with yours.`,
  },
  fields: ['name', 'scopes', 'officeIds', 'expiresAt'],
  ofCodes: { insufficient_scope: 'scopes' },
  empty: (): Draft => ({ name: '', scopes: [], officeIds: null, expiry: { choice: 'never', time: '' } }),
  draftOf: ({ name, scopes, officeIds, expiresAt }) => ({
    name,
    scopes,
    officeIds,
    expiry: expiryOf(expiresAt),
  }),
  valuesOf,
  check: ({ expiry }) =>
    expiresAtOf(expiry) === undefined ? { expiresAt: msg`Enter a date and a time.` } : {},
  Fields: KeyFields,
  create: (draft) => {
    const { officeIds, ...values } = valuesOf(draft);
    // Without offices a key is limited as its creator is.
    return roster.keys.create.mutate({ ...values, ...(officeIds !== null && { officeIds }) });
  },
  read: (id) => roster.keys.get.query({ id }),
  update: (id, patch) => roster.keys.update.mutate({ id, ...patch }),
  Created: NewSecret,
});
