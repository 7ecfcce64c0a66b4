import { countries } from '@roster/fields/countries';
import { z } from 'zod';

/** Countries without a numbering plan: uninhabited, or sharing another country's numbers. */
const withoutNumbers = ['AQ', 'BV', 'GS', 'HM', 'PN', 'TF', 'UM'];

export const phoneCountries: ReadonlySet<string> = new Set(
  [...countries].filter((code) => !withoutNumbers.includes(code)),
);

export const PhoneCountry = z
  .string()
  .toUpperCase()
  .refine((code) => phoneCountries.has(code), {
    message: 'must be the ISO 3166-1 alpha-2 code of a country with phone numbers, such as PT',
    params: { code: 'invalid_format' },
  })
  .meta({ minLength: 2, maxLength: 2, format: 'country', pattern: '^[A-Za-z]{2}$' });
