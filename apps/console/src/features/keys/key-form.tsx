import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Key, KeyWithSecret, Scope } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useRights } from '../../api/caller.ts';
import { roster, rosterQuery } from '../../api/client.ts';
import { type ItemFieldsProps, itemForms } from '../../ui/admin/item-forms.tsx';
import { CodeBox, Detail, Details, Part } from '../../ui/details.tsx';
import { SecretDialog } from '../../ui/dialogs/secret-dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { OfficesField } from '../../ui/forms/offices-field.tsx';
import { OfficeNames } from '../../ui/record-name.tsx';
import { ExactTime } from '../../ui/time.tsx';
import { scopesOfRole } from '../people/roles.tsx';
import { type Expiry, expiresAtOf, expiryOf } from './expiry.ts';
import { ExpiryField } from './expiry-field.tsx';
import { permissionsText } from './permissions.ts';
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
        hint={t`What uses the key. The history shows it as who changed a record.`}
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
      <div className="grid items-start gap-4 sm:grid-cols-2">
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
      </div>
    </>
  );
}

/** The pause between two looks whether a program has used a new key, in milliseconds. */
const LOOK_MS = 3_000;

function NewSecret({ created, onClose }: { created: KeyWithSecret; onClose: () => void }) {
  const { t, i18n } = useLingui();
  const { data: key } = useQuery({
    ...rosterQuery('keys', 'get', { id: created.id }),
    refetchInterval: ({ state }) => (state.data?.lastUsedAt ? false : LOOK_MS),
  });
  const readable = created.scopes.find((scope) => scope.endsWith('s:read'))?.split(':')[0] ?? 'offices';
  return (
    <SecretDialog title={t`The secret of ${created.name}`} secret={created.secret} onClose={onClose}>
      <Part title={<Trans>Try it</Trans>}>
        <CodeBox>{`curl "${window.location.origin}/${readable}?limit=3" \\\n  -H "Authorization: Bearer $ROSTER_KEY"`}</CodeBox>
        <p role="status" className="flex items-center gap-2 text-muted">
          <span
            aria-hidden
            className={`size-2 rounded-full border-2 ${key?.lastUsedAt ? 'border-live bg-live' : 'border-control'}`}
          />
          {key?.lastUsedAt ? <Trans>The key was used.</Trans> : <Trans>Waiting for the first request</Trans>}
        </p>
      </Part>
      <Part title={<Trans>What it may do</Trans>}>
        <Details>
          <Detail label={<Trans>Permissions</Trans>}>{permissionsText(i18n, created.scopes)}</Detail>
          <Detail label={<Trans>Offices</Trans>}>
            <OfficeNames ids={created.officeIds} max={100} />
          </Detail>
          <Detail label={<Trans>Ends</Trans>}>
            {created.expiresAt === null ? <Trans>Never</Trans> : <ExactTime time={created.expiresAt} />}
          </Detail>
        </Details>
      </Part>
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
    create: msg`New API key`,
    submit: msg`Create key`,
    edit: (key: Key) => msg`Change ${key.name}`,
    clash: msg`Someone else changed this key. Save again to replace their change with yours.`,
  },
  fields: ['name', 'scopes', 'officeIds', 'expiresAt'],
  ofCodes: { insufficient_scope: 'scopes' },
  empty: ({ can }): Draft => ({
    name: '',
    scopes: scopesOfRole.viewer.every(can) ? [...scopesOfRole.viewer] : [],
    officeIds: null,
    expiry: { choice: '90', time: '' },
  }),
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
