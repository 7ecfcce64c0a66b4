import { useLingui } from '@lingui/react/macro';
import { countries } from '@roster/contract/countries';
import { countryName } from '@roster/import';
import type { ReactNode } from 'react';
import { Combobox, type ComboboxOption } from '../../../ui/forms/combobox.tsx';
import type { Region } from '../../fields/regions.ts';

const folded = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

function searchIn(options: readonly ComboboxOption[]) {
  return async (text: string): Promise<readonly ComboboxOption[]> => {
    const wanted = folded(text);
    const found = options.filter(({ id, label }) => [id, label].some((one) => folded(one).includes(wanted)));
    const isFirst = ({ label }: ComboboxOption) => folded(label).startsWith(wanted);
    return [...found.filter(isFirst), ...found.filter((option) => !isFirst(option))];
  };
}

interface PlaceControlProps {
  label: ReactNode;
  value: string;
  onChange: (code: string) => void;
  error?: string | undefined;
  hint?: ReactNode;
  isRequired?: boolean;
  autoFocus?: boolean | undefined;
  className?: string;
}

function PlaceControl({
  options,
  value,
  onChange,
  autoFocus,
  ...field
}: PlaceControlProps & { options: readonly ComboboxOption[] }) {
  const chosen = options.find(({ id }) => id === value);
  return (
    <Combobox
      {...field}
      autoFocus={autoFocus === true}
      value={value === '' ? null : (chosen ?? { id: value, label: value })}
      onChange={(option) => onChange(option?.id ?? '')}
      search={searchIn(options)}
    />
  );
}

export function CountryControl({
  codes = countries,
  ...field
}: PlaceControlProps & { codes?: readonly string[] }) {
  const { i18n } = useLingui();
  const options = codes.map((code) => ({ id: code, label: countryName(code, i18n.locale), detail: code }));
  const byName = options.toSorted((one, other) => one.label.localeCompare(other.label, i18n.locale));
  return <PlaceControl {...field} options={byName} />;
}

export function RegionControl({ regions, ...field }: PlaceControlProps & { regions: readonly Region[] }) {
  const { i18n } = useLingui();
  const options = regions
    .map(({ code, name }) => ({ id: code, label: name, detail: code }))
    .toSorted((one, other) => one.label.localeCompare(other.label, i18n.locale));
  return <PlaceControl {...field} options={options} />;
}
