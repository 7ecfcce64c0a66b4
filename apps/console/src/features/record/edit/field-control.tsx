import type { MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { type FieldValues, useController } from 'react-hook-form';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import type { FieldContract } from '../../../api/contract/types.ts';
import { findRecords } from '../../../resources/find-records.ts';
import { Combobox } from '../../../ui/forms/combobox.tsx';
import { DateField } from '../../../ui/forms/date-field.tsx';
import { CheckboxField, TextAreaField, TextField } from '../../../ui/forms/field.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import { choiceLabel } from '../../fields/field-labels.ts';
import { useRegions } from '../../fields/regions.ts';
import { useReferenceText } from '../reference-link.tsx';
import { CountryControl, RegionControl } from './place-controls.tsx';

const hints: Readonly<Record<string, MessageDescriptor>> = {
  displayName: msg`First and last name, unless you enter a different name`,
  nickname: msg`Common name`,
  region: msg`State or province: the part of its ISO code after the hyphen`,
  timeZone: msg`For example Europe/Lisbon`,
  website: msg`Begins with https:// or http://`,
  photoUrl: msg`Begins with https:// or http://`,
};

/** From this part of the longest text on, the characters that are left are counted. */
const COUNT_FROM = 0.8;
/** In texts that may be no longer than this, such as codes, they are not: their hint says more. */
const CODE_LENGTH_MAX = 10;

interface ControlProps {
  /** The path in the form: `phone`, `licenses.0.number`. */
  path: string;
  label: string;
  contract: FieldContract;
  hint?: string | undefined;
  autoFocus?: boolean | undefined;
  country?: string | undefined;
  /** The fields that are checked together with it. */
  together?: readonly string[];
}

/** The text at a path of the form, and what is wrong with it. */
export function useText(path: string, together: readonly string[] = []) {
  const { field, fieldState } = useController<FieldValues>({ name: path, rules: { deps: [...together] } });
  const value = String(field.value ?? '');
  return { value, error: fieldState.error?.message, onChange: (text: string) => field.onChange(text) };
}

const timeZones = (): readonly string[] => Intl.supportedValuesOf('timeZone');

/** The controls that help to type a text of each kind. The form checks texts itself, in the words of the service. */
const inputs: Readonly<Partial<Record<FieldContract['kind'], object>>> = {
  email: { inputMode: 'email', spellCheck: false },
  url: { inputMode: 'url', spellCheck: false },
  phone: { inputMode: 'tel' },
};

type ReferenceProps = Omit<ControlProps, 'country' | 'together'> & {
  resource: ResourceName;
  text: ReturnType<typeof useText>;
};

function ReferenceControl({ resource, contract, text, label, hint, autoFocus }: ReferenceProps) {
  const { value, error, onChange } = text;
  const name = useReferenceText(resource, value === '' ? null : value);
  // An inactive office takes no agents.
  const filter = contract.name === 'officeId' ? { status: 'active' } : {};
  return (
    <Combobox
      label={label}
      error={error}
      hint={hint}
      autoFocus={autoFocus === true}
      isRequired={contract.isRequired === true}
      value={value === '' ? null : { id: value, label: name }}
      onChange={(option) => onChange(option?.id ?? '')}
      search={findRecords(resource, filter)}
    />
  );
}

export function TextControl(props: ControlProps) {
  const { path, label, contract, autoFocus, country = '', together } = props;
  const { t, i18n } = useLingui();
  const regions = useRegions(country);
  const text = useText(path, together);
  const { value, error, onChange } = text;
  const { name, kind, maxLength, choices, isRequired, isNullable, refersTo } = contract;
  if (refersTo !== undefined) return <ReferenceControl {...props} text={text} resource={refersTo} />;
  const left = (maxLength ?? Number.POSITIVE_INFINITY) - value.trim().length;
  const isCounted =
    maxLength !== undefined && maxLength > CODE_LENGTH_MAX && left <= maxLength * (1 - COUNT_FROM);
  const known = hints[name];
  const counted = t`${plural(Math.max(0, left), { one: '# character left', other: '# characters left' })}`;
  const hint = known && t(known);
  const common = {
    label,
    error,
    name: path,
    value,
    autoFocus,
    ...(isRequired && { isRequired: true }),
    ...(isCounted ? { hint: counted } : hint !== undefined && { hint }),
  };
  const place = { label, error, value, autoFocus, onChange, ...(isRequired && { isRequired: true }) };
  if (kind === 'country') return <CountryControl {...place} />;
  // Also while they load: what is typed meanwhile would be lost with another control.
  if (name === 'region' && regions?.length !== 0)
    return <RegionControl {...place} country={country} regions={regions} />;
  if (choices !== undefined)
    return (
      <SelectField
        {...common}
        onChange={onChange}
        options={[
          ...(!isRequired && isNullable === true ? [['', '–'] as const] : []),
          ...choices.map((choice) => [choice, choiceLabel(i18n, name, choice) ?? choice] as const),
        ]}
      />
    );
  if (kind === 'long-text')
    return <TextAreaField {...common} rows={6} onChange={(event) => onChange(event.target.value)} />;
  if (kind === 'date') return <DateField {...common} onChange={onChange} onWrong={onChange} />;
  const list = name === 'timeZone' ? 'time-zones' : undefined;
  return (
    <>
      <TextField
        {...common}
        {...inputs[kind]}
        list={list}
        onChange={(event) => onChange(event.target.value)}
      />
      {list !== undefined && (
        <datalist id={list}>
          {timeZones().map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      )}
    </>
  );
}

export function SwitchControl({
  path,
  label,
  autoFocus,
}: {
  path: string;
  label: string;
  autoFocus?: boolean;
}) {
  const { field } = useController<FieldValues>({ name: path });
  return (
    <CheckboxField
      label={label}
      checked={field.value === true}
      autoFocus={autoFocus}
      onChange={(event) => field.onChange(event.target.checked)}
    />
  );
}
