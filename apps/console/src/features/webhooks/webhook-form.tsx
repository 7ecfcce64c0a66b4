import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { NewWebhook, RecordEventType, Webhook, WebhookWithSecret } from '@roster/client';
import { useRights } from '../../api/caller.ts';
import { roster } from '../../api/client.ts';
import { resourceNames } from '../../api/contract/contracts.ts';
import { eventTypesOf, recordEventTypes } from '../../resources/event-types.ts';
import { resources } from '../../resources/index.ts';
import { type ItemFieldsProps, itemForms } from '../../ui/admin/item-forms.tsx';
import { SecretDialog } from '../../ui/dialogs/secret-dialog.tsx';
import { CheckboxField, TextField } from '../../ui/forms/field.tsx';
import { OfficesField } from '../../ui/forms/offices-field.tsx';
import { SelectField } from '../../ui/forms/select.tsx';

function EventTypesField({
  value,
  error,
  onChange,
}: {
  value: readonly RecordEventType[] | null;
  error: string | undefined;
  onChange: (value: RecordEventType[] | null) => void;
}) {
  const { t } = useLingui();
  const toggle = (type: RecordEventType, isChosen: boolean) =>
    onChange(recordEventTypes.filter((one) => (one === type ? isChosen : value?.includes(one))));
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label={t`Events`}
        error={error}
        value={value === null ? 'all' : 'some'}
        onChange={(chosen) => onChange(chosen === 'all' ? null : [])}
        options={[
          ['all', t`All events of records`],
          ['some', t`Some types of events`],
        ]}
      />
      {value !== null && (
        <div className="grid gap-4 sm:grid-cols-2">
          {resourceNames.map((name) => (
            <fieldset key={name} className="min-w-0">
              <legend className="font-medium text-sm">{t(resources[name].labels.events)}</legend>
              {eventTypesOf(name).map((type) => (
                <CheckboxField
                  key={type}
                  label={<code className="text-xs">{type}</code>}
                  checked={value.includes(type)}
                  onChange={(event) => toggle(type, event.target.checked)}
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
    </div>
  );
}

interface Draft {
  url: string;
  description: string;
  types: RecordEventType[] | null;
  officeIds: string[] | null;
  after: NonNullable<NewWebhook['after']>;
}

function WebhookFields({ item, draft, errors, onChange }: ItemFieldsProps<Webhook, Draft>) {
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
        hint={t`URL that receives messages`}
        value={draft.url}
        error={errors.at('url')}
        onChange={(event) => onChange({ url: event.target.value })}
      />
      <TextField
        label={t`Description`}
        maxLength={500}
        value={draft.description}
        error={errors.at('description')}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <EventTypesField
        value={draft.types}
        error={errors.within('types')}
        onChange={(types) => onChange({ types })}
      />
      <OfficesField
        label={t`Offices`}
        hint={t`Events of these offices, their branches and their records`}
        value={draft.officeIds}
        error={errors.within('officeIds')}
        {...(isLimited && { allLabel: t`All of your offices` })}
        onChange={(officeIds) => onChange({ officeIds })}
      />
      {item === undefined && (
        <SelectField
          label={t`Begins`}
          value={draft.after}
          onChange={(chosen) => onChange({ after: chosen })}
          options={[
            ['latest', t`With the next change`],
            ['0', t`From the start of the log, including all events still available`],
          ]}
        />
      )}
    </>
  );
}

function NewSecret({ created, onClose }: { created: WebhookWithSecret; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <SecretDialog title={t`The secret of the webhook`} secret={created.secret} onClose={onClose}>
      <p>
        <Trans>
          The receiver uses the secret to verify that messages come from this service, as defined by Standard
          Webhooks.
        </Trans>
      </p>
    </SecretDialog>
  );
}

const valuesOf = ({ after: _, description, ...values }: Draft) => ({
  ...values,
  description: description.trim() === '' ? null : description,
});

export const { CreateDialog: CreateWebhook, EditDialog: EditWebhookDialog } = itemForms({
  resource: 'webhooks',
  labels: {
    create: msg`Create a webhook`,
    submit: msg`Create`,
    edit: (_webhook: Webhook) => msg`Change the webhook`,
    clash: msg`Someone else changed this webhook. Save again to replace their change with yours.`,
  },
  fields: ['url', 'description', 'types', 'officeIds'],
  // A caller may not have delivered what it may not read.
  ofCodes: { insufficient_scope: 'types' },
  empty: (): Draft => ({ url: '', description: '', types: null, officeIds: null, after: 'latest' }),
  draftOf: ({ url, description, types, officeIds }) => ({
    url,
    description: description ?? '',
    types,
    officeIds,
    after: 'latest',
  }),
  valuesOf,
  Fields: WebhookFields,
  create: (draft) => {
    const { officeIds, ...values } = valuesOf(draft);
    // Without offices it has those of its creator.
    const limit = officeIds === null ? {} : { officeIds };
    return roster.webhooks.create.mutate({ ...values, ...limit, after: draft.after });
  },
  read: (id) => roster.webhooks.get.query({ id }),
  update: (id, patch) => roster.webhooks.update.mutate({ id, ...patch }),
  Created: NewSecret,
});
