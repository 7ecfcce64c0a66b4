import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** The country calling code of a country; undefined for none. */
function callingCodeOf(country: string | null): string | undefined {
  return country === null ? undefined : getCountryCallingCode(country as CountryCode);
}

/**
 * A phone number in E.164 as people read it: as it is dialled at home for one with the calling code of the home country, else the
 * international form. Anything else is returned as it is.
 *
 * @param home the default country of the directory, null for none
 */
export function readablePhone(number: string, home: string | null): string {
  const parsed = parsePhoneNumberFromString(number, { extract: false });
  if (parsed === undefined || parsed.number !== number) return number;
  return parsed.countryCallingCode === callingCodeOf(home)
    ? parsed.formatNational()
    : parsed.formatInternational();
}
