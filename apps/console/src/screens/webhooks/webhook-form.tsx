import { Trans, useLingui } from '@lingui/react/macro';
import type { NewWebhook, RecordEventType, Webhook, WebhookWithSecret } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { roster } from '../../api/client.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { type FormErrors, formErrors } from '../../components/dialogs/form-errors.ts';
import { SecretDialog } from '../../components/dialogs/secret-dialog.tsx';
import { SelectField, TextField } from '../../components/forms/field.tsx';
import { ChangedMeanwhileError, useGuardedUpdate } from '../../components/forms/guarded-update.ts';
import { OfficesField } from '../../components/forms/offices-field.tsx';
import { EventTypesField } from './event-types-field.tsx';

interface Draft {
  url: string;
  description: string;
  types: RecordEventType[] | null;
  officeIds: string[] | null;
}

const shown = ['url', 'description', 'types', 'officeIds'];
// A caller may not have delivered what it may not read.
const ofCodes = { insufficient_scope: 'types' };

function WebhookFields({
  draft,
  errors,
  onChange,
}: {
  draft: Draft;
  errors: FormErrors;
  onChange: (draft: Draft) => void;
}) {
  const { t } = useLingui();
  const isLimited = !useRights().canEverywhere('webhooks:manage');
  return (
    <>
      <TextField
        label={t`URL`}
        type="url"
        dir="ltr"
        isRequired
        placeholder="https://"
        hint={t`Where messages are sent`}
        value={draft.url}
        error={errors.at('url')}
        onChange={(event) => onChange({ ...draft, url: event.target.value })}
      />
      <TextField
        label={t`Description`}
        maxLength={500}
        value={draft.description}
        error={errors.at('description')}
        onChange={(event) => onChange({ ...draft, description: event.target.value })}
      />
      <EventTypesField
        value={draft.types}
        error={errors.within('types')}
        onChange={(types) => onChange({ ...draft, types })}
      />
      <OfficesField
        label={t`Offices`}
        hint={t`The events of these offices, of their branches and of what belongs to them`}
        value={draft.officeIds}
        error={errors.within('officeIds')}
        {...(isLimited && { allLabel: t`All of your offices` })}
        onChange={(officeIds) => onChange({ ...draft, officeIds })}
      />
    </>
  );
}

const empty: Draft = { url: '', description: '', types: null, officeIds: null };

const orNull = (text: string) => (text.trim() === '' ? null : text);

/** Creates a webhook. */
function NewWebhookDialog({
  onCreated,
  onClose,
}: {
  onCreated: (webhook: WebhookWithSecret) => void;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [draft, setDraft] = useState(empty);
  const [after, setAfter] = useState<NonNullable<NewWebhook['after']>>('latest');
  const create = useMutation({
    mutationFn: () => {
      const { url, description, types, officeIds } = draft;
      // Without offices it has those of its creator.
      const limit = officeIds === null ? {} : { officeIds };
      return roster.webhooks.create.mutate({ url, description: orNull(description), types, after, ...limit });
    },
    onSuccess: (webhook) => {
      void client.invalidateQueries({ queryKey: ['webhooks'] });
      onCreated(webhook);
    },
  });
  const errors = formErrors(create.error, shown, ofCodes);
  return (
    <FormDialog
      title={t`Create a webhook`}
      submitLabel={t`Create`}
      width="medium"
      isDirty={draft !== empty}
      isPending={create.isPending}
      error={create.error}
      errors={errors}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <WebhookFields draft={draft} errors={errors} onChange={setDraft} />
      <SelectField label={t`Begins`} value={after} onChange={(event) => setAfter(event.target.value)}>
        <option value="latest">{t`With the next change`}</option>
        <option value="0">{t`At the beginning of the log: everything that is kept is sent`}</option>
      </SelectField>
    </FormDialog>
  );
}

type Values = Pick<Webhook, 'url' | 'description' | 'types' | 'officeIds'>;

const valuesOf = ({ url, description, types, officeIds }: Webhook): Values => ({
  url,
  description,
  types,
  officeIds,
});

/** Changes what is written of a webhook: all but its state and its secret. */
export function EditWebhookDialog({ item, onClose }: { item: Webhook; onClose: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [opened] = useState(item);
  const [draft, setDraft] = useState<Draft>(() => ({
    ...valuesOf(opened),
    description: opened.description ?? '',
  }));
  const [first] = useState(draft);
  const update = useGuardedUpdate({
    before: valuesOf(opened),
    read: () => roster.webhooks.get.query({ id: opened.id }).then(valuesOf),
    write: (patch) => roster.webhooks.update.mutate({ id: opened.id, ...patch }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['webhooks'] });
      onClose();
    },
  });
  const clash =
    update.error instanceof ChangedMeanwhileError
      ? t`Someone else changed this webhook after you opened it. Save again to replace their change with yours.`
      : undefined;
  const found = formErrors(update.error, shown, ofCodes);
  const errors = { ...found, rest: clash ?? found.rest };
  return (
    <FormDialog
      title={t`Change the webhook`}
      submitLabel={t`Save`}
      width="medium"
      isDirty={draft !== first}
      isPending={update.isPending}
      error={update.error}
      errors={errors}
      onSubmit={() => update.mutate({ ...draft, description: orNull(draft.description) })}
      onClose={onClose}
    >
      <WebhookFields draft={draft} errors={errors} onChange={setDraft} />
    </FormDialog>
  );
}

/** Creates a webhook, and then shows its secret once. */
export function CreateWebhook({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const [created, setCreated] = useState<WebhookWithSecret>();
  return (
    <>
      {isOpen && (
        <NewWebhookDialog
          onClose={onClose}
          onCreated={(webhook) => {
            onClose();
            setCreated(webhook);
          }}
        />
      )}
      {created !== undefined && (
        <SecretDialog
          title={t`The secret of the webhook`}
          secret={created.secret}
          onClose={() => setCreated(undefined)}
        >
          <p>
            <Trans>
              The receiver verifies with it that messages come from this service, by the rules of Standard
              Webhooks.
            </Trans>
          </p>
        </SecretDialog>
      )}
    </>
  );
}
