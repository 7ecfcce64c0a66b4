import { type RawBuilder, sql } from 'kysely';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { columnOf } from '../fields/columns.ts';
import { type Fields, telephoneNames } from '../fields/field.ts';
import type { Param } from '../sql/column-mapping.ts';

/** The digits needed for a telephone search. The index has this many last digits of each number. */
const DIGITS_MIN = 7;

export interface TelephoneSearch {
  columns: string[];
  digits: string;
  national: string;
}

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

const digitsOf = (column: string) =>
  `regexp_replace(substring(${column} from '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g')`;

/** Either number may lack the country code, the area code or leading zeros. */
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

export function telephoneValues({ digits, national }: TelephoneSearch): Record<string, string> {
  return { 'q digits': digits, 'q national': national, 'q end': digits.slice(-DIGITS_MIN) };
}
