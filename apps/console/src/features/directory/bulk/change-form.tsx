import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { findRecords } from '../../../resources/find-records.ts';
import { resources } from '../../../resources/index.ts';
import { Combobox } from '../../../ui/forms/combobox.tsx';
import { type Options, SelectField } from '../../../ui/forms/select.tsx';
import { WhenField } from '../../../ui/forms/when-field.tsx';
import { pathLabel } from '../../fields/field-labels.ts';
import { type BulkDraft, type ChangeType, isOnAnyDay } from './bulk-change.ts';
import { type PatchEntry, patchFields } from './patch.ts';
import { PatchControl } from './patch-control.tsx';

const findOffices = findRecords('offices', { status: 'active' });

interface ChangeFormProps {
  resource: ResourceName;
  draft: BulkDraft;
  onChange: (draft: BulkDraft) => void;
}

function PatchForm({ resource, draft, onChange }: ChangeFormProps) {
  const { t, i18n } = useLingui();
  const [added, setAdded] = useState<string>();
  const fields = patchFields(resource);
  const chosen = new Set(draft.entries.map(({ path }) => path));
  const set = (entries: PatchEntry[]) => onChange({ ...draft, entries });
  const open = fields
    .filter(({ path }) => !chosen.has(path))
    .map(({ path }) => [path, pathLabel(i18n, resource, path)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, i18n.locale));
  return (
    <>
      <ul className="flex flex-col gap-3 empty:hidden">
        {draft.entries.map((entry, index) => {
          const field = fields.find(({ path }) => path === entry.path);
          return (
            field !== undefined && (
              <PatchControl
                key={entry.path}
                resource={resource}
                field={field}
                entry={entry}
                isNew={entry.path === added}
                onChange={(changed) => set(draft.entries.with(index, changed))}
                onRemove={() => set(draft.entries.toSpliced(index, 1))}
              />
            )
          );
        })}
      </ul>
      <SelectField
        label={draft.entries.length === 0 ? t`Field to change` : t`Another field`}
        value=""
        onChange={(path) => {
          setAdded(path);
          set([...draft.entries, { path, value: '', isCleared: false }]);
        }}
        options={[['', t`Choose a field …`], ...open]}
      />
    </>
  );
}

export function ChangeForm({ resource, draft, onChange }: ChangeFormProps) {
  const { t } = useLingui();
  // Focuses the new office if the dialog opens as a transfer. Choosing another action keeps the focus there.
  const [opened, setOpened] = useState<ChangeType | undefined>(draft.type);
  const types: Options<ChangeType> = [
    ...(resources[resource].actions?.includes('transfer') ? [['transfer', t`Transfer`] as const] : []),
    ['update', t`Change fields`],
    ['deactivate', t`Deactivate`],
    ['reactivate', t`Reactivate`],
    ['delete', t`Delete`],
  ];
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[11rem_1fr]">
        <SelectField
          label={t`Action`}
          value={draft.type}
          options={types}
          onChange={(type) => {
            setOpened(undefined);
            onChange({ ...draft, type });
          }}
        />
        {draft.type === 'transfer' && (
          <Combobox
            label={t`New office`}
            isRequired
            autoFocus={opened === 'transfer'}
            value={draft.office}
            onChange={(office) => onChange({ ...draft, office })}
            search={findOffices}
          />
        )}
      </div>
      {draft.type === 'update' && <PatchForm resource={resource} draft={draft} onChange={onChange} />}
      {isOnAnyDay(draft) && (
        <WhenField
          value={draft.effectiveOn}
          onChange={(effectiveOn) => onChange({ ...draft, effectiveOn })}
        />
      )}
    </>
  );
}
