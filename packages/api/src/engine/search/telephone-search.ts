import { type RawBuilder, sql } from 'kysely';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { columnOf } from '../fields/columns.ts';
import { type Fields, telephoneNames } from '../fields/field.ts';
import type { Param } from '../sql/column-mapping.ts';

/** The digits that a search must have to be one for a telephone; an index has the last so many of each telephone. */
const DIGITS_MIN = 7;

/** A search for a telephone. */
export interface TelephoneSearch {
  /** The columns that are telephones, in the order of the index. */
  columns: string[];
  /** The digits of the search without zeros before them. */
  digits: string;
  /** The digits without the country code, if the search has one; else all. */
  national: string;
}

/** Reads a search as a telephone; undefined if it is none, or the records have none. */
export function parseTelephoneSearch(text: string, fields: Fields | undefined): TelephoneSearch | undefined {
  const trimmed = text.normalize('NFKC').trim();
  if (fields === undefined || !/^\+?[\d\s().\-‐–/]+$/.test(trimmed)) return undefined;
  const digits = trimmed.replaceAll(/\D/g, '').replace(/^0+/, '');
  const columns = telephoneNames({ fields }).map(columnOf);
  if (digits.length < DIGITS_MIN || columns.length === 0) return undefined;
  const parsed = trimmed.startsWith('+')
    ? parsePhoneNumberFromString(trimmed, { extract: false })
    : undefined;
  const national = parsed?.nationalNumber.replace(/^0+/, '');
  return { columns, digits, national: national && national.length >= DIGITS_MIN ? national : digits };
}

/** The digits of a stored telephone in any form, without an extension, in the words of the index. */
const digitsOf = (column: string) =>
  `regexp_replace(substring(${column} from '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g')`;

/**
 * Whether a telephone is the searched one. Of the two, one may lack the country code, the area code or the zeros before it; the index
 * finds the last digits of both.
 */
export function matchesTelephone(
  { columns }: Pick<TelephoneSearch, 'columns'>,
  param: Param,
): RawBuilder<boolean> {
  const ends = columns.map((column) => sql.raw(`right(${digitsOf(column)}, ${DIGITS_MIN})`));
  const [digits, national] = [sql`${param('q digits')}::text`, sql`${param('q national')}::text`];
  const same = columns.map((column) => {
    const stored = sql.raw(digitsOf(column));
    return sql`length(${stored}) >= ${sql.lit(DIGITS_MIN)} and (
      right(${stored}, length(${digits})) = right(${digits}, length(${stored})) or ltrim(${stored}, '0') = ${national})`;
  });
  return sql`(array[${sql.join(ends)}] && array[${param('q end')}::text] and (${sql.join(same, sql` or `)}))`;
}

/** The values of the parameters of `matchesTelephone`. */
export function telephoneValues({ digits, national }: TelephoneSearch): Record<string, string> {
  return { 'q digits': digits, 'q national': national, 'q end': digits.slice(-DIGITS_MIN) };
}
