import { Trans, useLingui } from '@lingui/react/macro';
import type { Key, KeyWithSecret, Scope } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { roster } from '../../api/client.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { type FormErrors, formErrors } from '../../components/dialogs/form-errors.ts';
import { SecretDialog } from '../../components/dialogs/secret-dialog.tsx';
import { TextField } from '../../components/forms/field.tsx';
import { ChangedMeanwhileError, useGuardedUpdate } from '../../components/forms/guarded-update.ts';
import { OfficesField } from '../../components/forms/offices-field.tsx';
import { type Expiry, expiresAtOf, expiryOf } from './expiry.ts';
import { ExpiryField } from './expiry-field.tsx';
import { ScopesField } from './scopes-field.tsx';

interface Draft {
  name: string;
  scopes: Scope[];
  officeIds: string[] | null;
  expiry: Expiry;
}

const shown = ['name', 'scopes', 'officeIds', 'expiresAt'];

/** The errors of an attempt, and of an expiry that is not complete. */
function useKeyErrors(error: Error | null, isExpiryMissing: boolean): FormErrors {
  const { t } = useLingui();
  const errors = formErrors(error, shown, { insufficient_scope: 'scopes' });
  const missing = isExpiryMissing ? t`Enter a date and a time.` : undefined;
  return {
    ...errors,
    at: (pointer) => (pointer === 'expiresAt' ? missing : undefined) ?? errors.at(pointer),
  };
}

function KeyFields({
  draft,
  before,
  errors,
  onChange,
}: {
  draft: Draft;
  before: readonly Scope[];
  errors: FormErrors;
  onChange: (draft: Draft) => void;
}) {
  const { t } = useLingui();
  const isLimited = !useRights().canEverywhere('keys:manage');
  return (
    <>
      <TextField
        label={t`Name`}
        hint={t`What the key is for, such as Website`}
        isRequired
        maxLength={100}
        value={draft.name}
        error={errors.at('name')}
        onChange={(event) => onChange({ ...draft, name: event.target.value })}
      />
      <ScopesField
        value={draft.scopes}
        before={before}
        error={errors.within('scopes')}
        onChange={(scopes) => onChange({ ...draft, scopes })}
      />
      <OfficesField
        label={t`Offices`}
        value={draft.officeIds}
        error={errors.within('officeIds')}
        {...(isLimited && { allLabel: t`All of your offices` })}
        onChange={(officeIds) => onChange({ ...draft, officeIds })}
      />
      <ExpiryField
        value={draft.expiry}
        error={errors.at('expiresAt')}
        onChange={(expiry) => onChange({ ...draft, expiry })}
      />
    </>
  );
}

const empty: Draft = { name: '', scopes: [], officeIds: null, expiry: { choice: 'never', time: '' } };

/** Creates a key. */
function NewKeyDialog({
  onCreated,
  onClose,
}: {
  onCreated: (key: KeyWithSecret) => void;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [draft, setDraft] = useState(empty);
  const [isExpiryMissing, setExpiryMissing] = useState(false);
  const create = useMutation({
    mutationFn: (expiresAt: string | null) => {
      const { name, scopes, officeIds } = draft;
      // Without offices a key is limited as its creator is.
      return roster.keys.create.mutate({ name, scopes, expiresAt, ...(officeIds !== null && { officeIds }) });
    },
    onSuccess: (key) => {
      void client.invalidateQueries({ queryKey: ['keys'] });
      onCreated(key);
    },
  });
  const errors = useKeyErrors(create.error, isExpiryMissing);
  const submit = () => {
    const expiresAt = expiresAtOf(draft.expiry);
    setExpiryMissing(expiresAt === undefined);
    if (expiresAt !== undefined) create.mutate(expiresAt);
  };
  return (
    <FormDialog
      title={t`Create a key`}
      submitLabel={t`Create`}
      width="medium"
      isDirty={draft !== empty}
      isPending={create.isPending}
      error={create.error}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <KeyFields draft={draft} before={[]} errors={errors} onChange={setDraft} />
    </FormDialog>
  );
}

/** Creates a key, and then shows its secret once. */
export function CreateKey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const [created, setCreated] = useState<KeyWithSecret>();
  return (
    <>
      {isOpen && (
        <NewKeyDialog
          onClose={onClose}
          onCreated={(key) => {
            onClose();
            setCreated(key);
          }}
        />
      )}
      {created !== undefined && (
        <SecretDialog
          title={t`The secret of ${created.name}`}
          secret={created.secret}
          onClose={() => setCreated(undefined)}
        >
          <p>
            <Trans>Programs send it with every request:</Trans>{' '}
            <code className="break-all">Authorization: Bearer {created.hint}…</code>
          </p>
        </SecretDialog>
      )}
    </>
  );
}

type Values = Pick<Key, 'name' | 'scopes' | 'officeIds' | 'expiresAt'>;

const valuesOf = ({ name, scopes, officeIds, expiresAt }: Key): Values => ({
  name,
  scopes,
  officeIds,
  expiresAt,
});

/** Changes what is written of a key: all but its secret. */
export function EditKeyDialog({ item, onClose }: { item: Key; onClose: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [opened] = useState(item);
  const [draft, setDraft] = useState<Draft>(() => ({ ...opened, expiry: expiryOf(opened.expiresAt) }));
  const [first] = useState(draft);
  const [isExpiryMissing, setExpiryMissing] = useState(false);
  const update = useGuardedUpdate({
    before: valuesOf(opened),
    read: () => roster.keys.get.query({ id: opened.id }).then(valuesOf),
    write: (patch) => roster.keys.update.mutate({ id: opened.id, ...patch }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['keys'] });
      onClose();
    },
  });
  const keyErrors = useKeyErrors(update.error, isExpiryMissing);
  const isClash = update.error instanceof ChangedMeanwhileError;
  const errors = {
    ...keyErrors,
    ...(isClash && {
      rest: t`Someone else changed this key after you opened it. Save again to replace their change with yours.`,
    }),
  };
  const submit = () => {
    const expiresAt = expiresAtOf(draft.expiry, { kept: opened.expiresAt });
    setExpiryMissing(expiresAt === undefined);
    if (expiresAt === undefined) return;
    const { name, scopes, officeIds } = draft;
    update.mutate({ name, scopes, officeIds, expiresAt });
  };
  return (
    <FormDialog
      title={t`Change ${opened.name}`}
      submitLabel={t`Save`}
      width="medium"
      isDirty={draft !== first}
      isPending={update.isPending}
      error={update.error}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <KeyFields draft={draft} before={opened.scopes} errors={errors} onChange={setDraft} />
    </FormDialog>
  );
}
