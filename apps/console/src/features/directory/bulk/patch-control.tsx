import { Trans, useLingui } from '@lingui/react/macro';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { X } from '../../../icons.tsx';
import { findRecords } from '../../../resources/find-records.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Combobox } from '../../../ui/forms/combobox.tsx';
import { DateField } from '../../../ui/forms/date-field.tsx';
import { CheckboxField, TextAreaField, TextField } from '../../../ui/forms/field.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import { choiceLabel, pathLabel } from '../../fields/field-labels.ts';
import { CountryControl } from '../../record/edit/place-controls.tsx';
import type { PatchEntry, PatchField } from './patch.ts';

interface PatchControlProps {
  resource: ResourceName;
  field: PatchField;
  entry: PatchEntry;
  isNew: boolean;
  onChange: (entry: PatchEntry) => void;
  onRemove: () => void;
}

const inputTypes: Readonly<Record<string, string>> = {
  email: 'email',
  url: 'url',
  time: 'datetime-local',
};

function ValueControl({ resource, field: { path, field }, entry, isNew, onChange }: PatchControlProps) {
  const { t, i18n } = useLingui();
  const shared = {
    label: pathLabel(i18n, resource, path),
    autoFocus: isNew,
    disabled: entry.isCleared,
    className: 'grow',
  };
  const { kind, choices, maxLength, refersTo: referred } = field;
  const set = (value: string) => onChange({ ...entry, value });
  if (referred !== undefined)
    return (
      <Combobox
        {...shared}
        value={entry.value === '' ? null : { id: entry.value, label: entry.label ?? entry.value }}
        onChange={(option) => onChange({ ...entry, value: option?.id ?? '', label: option?.label ?? '' })}
        search={findRecords(referred)}
      />
    );
  if (kind === 'country') return <CountryControl {...shared} value={entry.value} onChange={set} />;
  if (kind === 'choice' || kind === 'switch') {
    const values = kind === 'switch' ? ['true', 'false'] : (choices ?? []);
    const labelOf = (value: string) => {
      if (kind === 'switch') return value === 'true' ? t`Yes` : t`No`;
      return choiceLabel(i18n, path, value) ?? value;
    };
    return (
      <SelectField
        {...shared}
        value={entry.value}
        onChange={(chosen) => set(chosen)}
        options={[['', t`Choose …`], ...values.map((value) => [value, labelOf(value)] as const)]}
      />
    );
  }
  const example = Array.isArray(field.example) ? field.example.join(', ') : field.example;
  const text = {
    ...shared,
    maxLength: kind === 'list' ? undefined : maxLength,
    placeholder: typeof example === 'string' ? example : undefined,
    value: entry.value,
    ...(kind === 'list' && { hint: t`Separate with commas. Replaces the list of each record` }),
  };
  if (kind === 'date')
    return <DateField {...shared} value={entry.value} onChange={set} onWrong={() => set('')} />;
  if (kind === 'long-text') return <TextAreaField {...text} onChange={(event) => set(event.target.value)} />;
  return (
    <TextField {...text} type={inputTypes[kind] ?? 'text'} onChange={(event) => set(event.target.value)} />
  );
}

export function PatchControl(props: PatchControlProps) {
  const { t, i18n } = useLingui();
  const { resource, field, entry, onChange, onRemove } = props;
  const label = pathLabel(i18n, resource, field.path);
  return (
    <li className="rounded-md border border-line p-3">
      <div className="flex items-start gap-2">
        <ValueControl {...props} />
        <IconButton label={t`Leave ${label} as it is`} className="mt-6" onClick={onRemove}>
          <X aria-hidden />
        </IconButton>
      </div>
      {field.field.isRequired !== true && (
        <CheckboxField
          label={<Trans>Clear the field instead</Trans>}
          checked={entry.isCleared}
          onChange={(event) => onChange({ ...entry, isCleared: event.target.checked })}
        />
      )}
    </li>
  );
}
