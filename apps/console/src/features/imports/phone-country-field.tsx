import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { phoneCountries } from '@roster/contract/countries';
import { countryName } from '@roster/import';
import { SelectField } from '../../ui/forms/select.tsx';
import { changeDraft, type Draft, type FilePreview } from './draft.ts';

/** The choice of the country of the office of each record. */
export const BY_OFFICE = 'byOffice';

/** The least part of the phone numbers in the beginning of a file that makes a country the likely one of those without any. */
const MAJORITY = 0.8;

type Phones = NonNullable<FilePreview['phones']>;

/**
 * The country of phone numbers without a country code: as chosen, else the one that all in the beginning of the file are of, or most if no
 * other one is known. Of several countries the office of each record decides.
 */
export function phoneCountryOf(
  { mapping }: Pick<Draft, 'mapping'>,
  phones: FilePreview['phones'],
): string | undefined {
  if (mapping.phoneCountry !== undefined) return mapping.phoneCountry;
  const known = phones?.countries.filter(({ country }) => country !== null) ?? [];
  const [first, ...others] = known;
  if (others.length > 0) return BY_OFFICE;
  if (phones === null || first === undefined || first.rows < phones.rows * MAJORITY) return undefined;
  return first.country ?? undefined;
}

interface PhoneCountryProps {
  draft: Draft;
  phones: Phones;
}

export function PhoneCountryField({ draft, phones: { rows, countries } }: PhoneCountryProps) {
  const { t, i18n } = useLingui();
  const nameOf = (code: string) => countryName(code, i18n.locale);
  const names = phoneCountries
    .map((code) => [code, nameOf(code)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, i18n.locale));
  const found = countries.map(({ country, rows: count }) => {
    const name = country === null ? t`no country` : nameOf(country);
    return countries.length > 1 ? `${name} (${i18n.number(count)})` : name;
  });
  const value = phoneCountryOf(draft, { rows, countries });
  return (
    <SelectField
      label={t`Country of phone numbers`}
      hint={
        <>
          <Plural
            value={rows}
            one="# of the first rows has no country code."
            other="# of the first rows have no country code."
          />{' '}
          {found.length > 0 && <Trans>Suggested: {found.join(', ')}</Trans>}
        </>
      }
      value={value ?? '?'}
      onChange={(chosen) => changeDraft(({ mapping }) => ({ mapping: { ...mapping, phoneCountry: chosen } }))}
      options={[
        ...(value === undefined ? [['?', t`Choose …`] as const] : []),
        [BY_OFFICE, t`Each agent's office decides`],
        ...names,
      ]}
    />
  );
}
