import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRights } from '../api/caller.ts';
import { ErrorBox } from '../components/error-text.tsx';
import { contracts, type ResourceName } from '../contract/contracts.ts';
import { recordPath, useRecord } from '../record/record-context.ts';
import { groupsOf, resources } from '../resources/index.ts';
import { FormFields } from './form-fields.tsx';
import { RecordFormFrame } from './record-form.tsx';
import { type RecordForm, useRecordForm } from './use-record-form.ts';
import type { Json } from './values/form-values.ts';

const allFields = (resource: ResourceName) => groupsOf(resource).flatMap(({ fields }) => fields);

/** All groups of fields of a form. */
function GroupsOfFields({ resource, form }: { resource: ResourceName; form: RecordForm }) {
  const { t } = useLingui();
  return groupsOf(resource).map(({ id, label, fields }, index) => (
    <fieldset key={id} className="min-w-0">
      <legend className="mb-2 w-full border-line border-b py-1 font-semibold text-sm">{t(label)}</legend>
      <FormFields resource={resource} form={form} names={fields} isFocused={index === 0} />
    </fieldset>
  ));
}

/** The form of all fields of a record. */
export function EditPage() {
  const { resource, record } = useRecord();
  const { t } = useLingui();
  const { can } = useRights();
  const navigate = useNavigate();
  const close = async () => {
    await navigate({ to: recordPath(resource), params: { id: record.id }, search: true });
    // The form has taken the focus away with it.
    document.getElementById('record-title')?.focus();
  };
  const form = useRecordForm({ resource, record, fields: allFields(resource), onSaved: () => void close() });
  if (!can(`${resource}:write`)) return <ErrorBox error={new Error(t`You may not change this record.`)} />;
  return (
    <div className="px-4">
      <RecordFormFrame
        resource={resource}
        record={record}
        form={form}
        label={t`Edit all fields`}
        saveLabel={<Trans>Save</Trans>}
        onCancel={() => void close()}
      >
        <GroupsOfFields resource={resource} form={form} />
      </RecordFormFrame>
    </div>
  );
}

/** The values that a new record begins with: an agent in the office that the list shows, a branch of the office that it shows. */
function useInitial(resource: ResourceName): Json {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const { parentField } = contracts[resource];
  const value = search[parentField];
  return typeof value === 'string' ? { [parentField]: value } : {};
}

/** The form of a new record. */
export function NewRecordForm({ resource }: { resource: ResourceName }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const initial = useInitial(resource);
  const form = useRecordForm({
    resource,
    record: undefined,
    initial,
    fields: allFields(resource),
    onSaved: ({ id }) => void navigate({ to: recordPath(resource), params: { id }, search: true }),
  });
  return (
    <div className="px-4">
      <RecordFormFrame
        resource={resource}
        record={undefined}
        form={form}
        label={t(resources[resource].labels.create)}
        saveLabel={<Trans>Create</Trans>}
        onCancel={() => void navigate({ to: `/${resource}`, search: true })}
      >
        <GroupsOfFields resource={resource} form={form} />
      </RecordFormFrame>
    </div>
  );
}
