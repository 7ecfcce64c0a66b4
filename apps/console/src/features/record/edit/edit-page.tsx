import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormState } from 'react-hook-form';
import { useRights } from '../../../api/caller.ts';
import { parentOf, type ResourceName } from '../../../api/contract/contracts.ts';
import { groupsOf, resources } from '../../../resources/index.ts';
import { hasComeBack } from '../../../ui/browser/view-state.ts';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { PANEL_TITLE } from '../../../ui/side-panel.tsx';
import { LastChange } from '../last-change.tsx';
import { recordPath, useRecord } from '../record-context.ts';
import { FormFields } from './form-fields.tsx';
import { RecordFormFrame } from './record-form.tsx';
import { type RecordForm, useRecordForm } from './use-record-form.ts';

const allFields = (resource: ResourceName) => groupsOf(resource).flatMap(({ fields }) => fields);

function GroupsOfFields({ resource, form }: { resource: ResourceName; form: RecordForm }) {
  const { t } = useLingui();
  return groupsOf(resource).map(({ id, label, fields }, index) => (
    <fieldset key={id} className="min-w-0">
      <legend className={legendClasses}>{t(label)}</legend>
      <FormFields resource={resource} form={form} names={fields} isFocused={index === 0 && !hasComeBack()} />
    </fieldset>
  ));
}

const legendClasses = 'mb-2 w-full border-line border-b py-1 font-semibold text-sm';

/** The fields that people change most. The first has the focus, unless someone came back: what they type then is for the page. */
function UsualFields({ resource, form }: { resource: ResourceName; form: RecordForm }) {
  const { usualFields = [] } = resources[resource];
  if (usualFields.length === 0) return null;
  return (
    <fieldset className="min-w-0">
      <legend className={legendClasses}>
        <Trans>Changed most often</Trans>
      </legend>
      <FormFields resource={resource} form={form} names={usualFields} isFocused={!hasComeBack()} />
    </fieldset>
  );
}

function FoldedGroups({ resource, form }: { resource: ResourceName; form: RecordForm }) {
  const { t } = useLingui();
  const { usualFields = [] } = resources[resource];
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const { errors } = useFormState();
  const isOpen = (id: string, fields: readonly string[]) =>
    opened.has(id) || fields.some((name) => form.changed.includes(name) || name in errors);
  return groupsOf(resource).map(({ id, label, fields }) => {
    const names = fields.filter((name) => !usualFields.includes(name));
    if (names.length === 0) return null;
    return (
      <details
        key={id}
        open={isOpen(id, names)}
        onToggle={({ currentTarget: { open } }) =>
          setOpened((before) => {
            const others = [...before].filter((one) => one !== id);
            return new Set(open ? [...others, id] : others);
          })
        }
      >
        <summary className={legendClasses}>{t(label)}</summary>
        <FormFields resource={resource} form={form} names={names} />
      </details>
    );
  });
}

export function EditPage() {
  const { resource, record } = useRecord();
  const { t } = useLingui();
  const { can } = useRights();
  const navigate = useNavigate();
  const close = async () => {
    await navigate({ to: recordPath(resource), params: { id: record.id }, search: true });
    // The form has taken the focus away with it.
    document.getElementById(PANEL_TITLE)?.focus();
  };
  const form = useRecordForm({ resource, record, fields: allFields(resource), onSaved: () => void close() });
  const isAllowed = can(`${resource}:write`);
  const [wasAllowed, setAllowed] = useState(isAllowed);
  if (isAllowed && !wasAllowed) setAllowed(true);
  // If the right is withdrawn meanwhile, what was typed stays, and saving says so.
  if (!wasAllowed) return <ErrorBox error={new Error(t`You can't change this record.`)} />;
  return (
    <div className="px-4">
      <RecordFormFrame
        resource={resource}
        record={record}
        form={form}
        label={t`Edit all fields`}
        saveLabel={<Trans>Save</Trans>}
        onClose={() => void close()}
      >
        <LastChange />
        <UsualFields resource={resource} form={form} />
        <FoldedGroups resource={resource} form={form} />
      </RecordFormFrame>
    </div>
  );
}

/** The values that a new record begins with: an agent in the office that the list shows, a branch of the office that it shows. */
function useInitial(resource: ResourceName): Record<string, string> {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const parent = parentOf(resource);
  const value = parent && search[parent.field];
  return parent && typeof value === 'string' ? { [parent.field]: value } : {};
}

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
        onClose={() => void navigate({ to: `/${resource}`, search: true })}
      >
        <GroupsOfFields resource={resource} form={form} />
      </RecordFormFrame>
    </div>
  );
}
