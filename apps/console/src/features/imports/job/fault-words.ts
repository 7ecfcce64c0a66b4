import { useLingui } from '@lingui/react/macro';
import type { Import } from '@roster/client';
import { phoneCountries } from '@roster/contract/countries';
import { countryName } from '@roster/import';
import type { Outputs } from '../../../api/client.ts';
import { contracts, kindAt } from '../../../api/contract/contracts.ts';
import type { FieldKind } from '../../../api/contract/types.ts';
import { columnLabel } from '../../fields/import-columns.ts';

/** A row of an import, and what becomes of it. */
export type ImportRow = Outputs['imports']['rows']['items'][number];
type Fault = ImportRow['errors'][number];

/** The cell that a fault is about; undefined if the file has none. */
function cellOf({ columns }: Import, { cells, corrections }: ImportRow, column: string): string | undefined {
  const corrected = corrections.find((one) => one.column === column);
  if (corrected !== undefined) return corrected.text;
  const place = columns.findIndex(({ name }) => name === column);
  return place < 0 ? undefined : cells[place];
}

/** Words of the service about the length of a phone number. */
const LENGTH = /^is too (short|long)(?: for (.*?))?: "/;

/** Reads what is wrong with the length of a phone number, with the country in the language of the page. */
function lengthOf(detail: string, locale: string) {
  const [, length, english] = LENGTH.exec(detail) ?? [];
  if (length === undefined) return undefined;
  const code = phoneCountries.find((one) => english !== undefined && countryName(one, 'en') === english);
  return { isShort: length === 'short', country: code === undefined ? english : countryName(code, locale) };
}

/** The kind of a field of an import. A field of a licence has the kind of a part. */
function kindOf({ resource }: Import, path: string): FieldKind {
  const field = path.replace('[0]', '');
  return field.endsWith('expiresOn') ? 'date' : kindAt(resource, field);
}

/** Returns a function that words what is wrong with the rows of a group of errors, after the name of the column. */
export function useKindWords(file: Import): (group: Fault & { field: string | null }) => string {
  const { t, i18n } = useLingui();
  return ({ column, code, detail, field }) => {
    const length = lengthOf(detail, i18n.locale);
    if (length !== undefined) {
      const { isShort, country } = length;
      if (country === undefined) return isShort ? t`too short` : t`too long`;
      return isShort ? t`too short for ${country}` : t`too long for ${country}`;
    }
    const shapes: Partial<Record<FieldKind, string>> = {
      email: t`not an email address`,
      url: t`not a web address`,
      date: t`not a date`,
    };
    const words: Readonly<Record<string, string | undefined>> = {
      required: t`missing`,
      invalid_choice: t`not one of the possible values`,
      invalid_format: shapes[kindOf(file, field ?? column)],
      invalid_date: shapes.date,
      not_found: t`doesn't exist`,
      ambiguous: t`the name of several records`,
      inactive: t`inactive`,
      taken: t`used by another record`,
      repeated: t`used twice in this file`,
      cell_count: t`more or fewer cells than the header`,
    };
    return words[code] ?? detail.split(': "')[0] ?? detail;
  };
}

/** Returns a function that words what is wrong with a row for whoever has the file before them. */
export function useFaultWords(file: Import): (row: ImportRow, fault: Fault) => string {
  const { t, i18n } = useLingui();
  return (row, { column, code, detail }) => {
    const known = file.columns.find(({ name }) => name === column);
    const label = known === undefined ? columnLabel(i18n, file.resource, column) : column;
    const cell = cellOf(file, row, column)?.trim() ?? '';
    const length = lengthOf(detail, i18n.locale);
    if (length?.country !== undefined && cell !== '') {
      const { isShort, country } = length;
      return isShort
        ? t`${label}: “${cell}” is too short for ${country}`
        : t`${label}: “${cell}” is too long for ${country}`;
    }
    const shapes: Partial<Record<FieldKind, string>> = {
      email: t`${label}: “${cell}” isn't an email address`,
      url: t`${label}: “${cell}” isn't a web address`,
      date: t`${label}: “${cell}” isn't a date`,
    };
    const field = (known?.field ?? column).replace('[0]', '');
    const [, other = ''] = /\brow (\d+)/.exec(detail) ?? [];
    const { nameParts = [] } = contracts[file.resource];
    const otherName = nameParts.includes(field) ? nameParts.find((part) => part !== field) : undefined;
    const otherLabel = otherName && columnLabel(i18n, file.resource, otherName);
    const words: Readonly<Record<string, string | undefined>> = {
      required: otherLabel ? t`${label} is required unless “${otherLabel}” is set` : t`${label} is missing`,
      invalid_choice: t`${label}: “${cell}” isn't one of the possible values`,
      invalid_format: shapes[kindOf(file, field)],
      invalid_date: shapes.date,
      not_found: t`${label}: “${cell}” doesn't exist`,
      ambiguous: t`${label}: several records are called “${cell}”`,
      inactive: t`${label}: “${cell}” is inactive`,
      taken: t`${label}: another record has “${cell}”`,
      repeated: other === '' ? undefined : t`${label}: “${cell}” is also in row ${other}`,
      cell_count: t`The row has more or fewer cells than the header`,
    };
    if (column === '') return words[code] ?? detail;
    // A message about a cell needs the cell.
    const word = code === 'required' || cell !== '' ? words[code] : undefined;
    return word ?? `${label} ${detail}`;
  };
}
