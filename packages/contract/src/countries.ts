import json from '../generated/fields.json' with { type: 'json' };

/** The countries that an address may name: ISO 3166-1 alpha-2. */
export const countries: readonly string[] = json.countries;

/** Those that a phone number can be of. */
export const phoneCountries: readonly string[] = json.phoneCountries;
