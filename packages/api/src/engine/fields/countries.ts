import { countries } from '@roster/fields/countries';
import { z } from 'zod';

/** Those without a numbering plan of their own: nobody lives there, or the numbers are those of another country. */
const withoutNumbers = ['AQ', 'BV', 'GS', 'HM', 'PN', 'TF', 'UM'];

/** The countries that a phone number can be of. */
export const phoneCountries: ReadonlySet<string> = new Set(
  [...countries].filter((code) => !withoutNumbers.includes(code)),
);

/** A country that phone numbers can be of, in any letter case. */
export const PhoneCountry = z
  .string()
  .toUpperCase()
  .refine((code) => phoneCountries.has(code), {
    message: 'must be the ISO 3166-1 alpha-2 code of a country with phone numbers, such as PT',
    params: { code: 'invalid_format' },
  })
  .meta({ minLength: 2, maxLength: 2, format: 'country', pattern: '^[A-Za-z]{2}$' });
