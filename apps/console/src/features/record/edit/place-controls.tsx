import { useLingui } from '@lingui/react/macro';
import { countries } from '@roster/contract/countries';
import type { ReactNode } from 'react';
import { folded } from '../../../ui/folded.ts';
import { Combobox, type ComboboxOption } from '../../../ui/forms/combobox.tsx';
import { countryPlaces, placesByName } from '../../fields/places.ts';
import { type Region, regionsOf } from '../../fields/regions.ts';

/** The options with a text in their code or name; those whose name begins with it come first. */
function findIn(options: readonly ComboboxOption[], text: string): readonly ComboboxOption[] {
  const wanted = folded(text);
  const found = options.filter(({ id, label }) => [id, label].some((one) => folded(one).includes(wanted)));
  const isFirst = ({ label }: ComboboxOption) => folded(label).startsWith(wanted);
  return [...found.filter(isFirst), ...found.filter((option) => !isFirst(option))];
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

interface PlaceOptions {
  places: readonly Region[];
  /** Loads the places that a search looks in, if they are not there yet. */
  load?: () => Promise<readonly Region[]>;
}

/** A choice among places by their names, in their order. */
function PlaceControl({
  places,
  load,
  value,
  onChange,
  autoFocus,
  ...field
}: PlaceControlProps & PlaceOptions) {
  const { i18n } = useLingui();
  const optionsOf = (ones: readonly Region[]) =>
    placesByName(ones, i18n.locale).map(({ code, name }) => ({ id: code, label: name, detail: code }));
  const chosen = places.find(({ code }) => code === value);
  return (
    <Combobox
      {...field}
      autoFocus={autoFocus === true}
      value={value === '' ? null : { id: value, label: chosen?.name ?? value }}
      onChange={(option) => onChange(option?.id ?? '')}
      search={async (text) => findIn(optionsOf(load === undefined ? places : await load()), text)}
    />
  );
}

export function CountryControl({
  codes = countries,
  ...field
}: PlaceControlProps & { codes?: readonly string[] }) {
  const { i18n } = useLingui();
  return <PlaceControl {...field} places={countryPlaces(codes, i18n.locale)} />;
}

interface RegionControlProps extends PlaceControlProps {
  country: string;
  /** Undefined while they load, which a search waits for. */
  regions: readonly Region[] | undefined;
}

export function RegionControl({ country, regions = [], ...field }: RegionControlProps) {
  return <PlaceControl {...field} places={regions} load={() => regionsOf(country)} />;
}
