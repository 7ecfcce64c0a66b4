import { regionCode } from './codes.ts';

/** The parts that identify a licence. */
interface NumberedLicense {
  number: string;
  region: string | null;
}

/**
 * White space and signs, which do not tell the numbers of licences apart, after NFKC and in capitals. The function
 * `license_number_key` of the database has the same.
 */
const signs =
  /[\t\n\r\u0020-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u2212\u2215\u3000-\u3003\u3008-\u3020\u3030]+/g;

/** The number of a licence as it is compared: its letters and digits, in capitals. `l-1` is `L1`. */
export function licenseNumberKey(number: string): string {
  const capitals = number.normalize('NFKC').toUpperCase().normalize('NFC');
  return capitals.replaceAll(signs, '') || capitals;
}

/** A licence as it is compared: its number with the region, if that is known. */
export function licenseKey({ number, region }: NumberedLicense): string {
  return `${licenseNumberKey(number)} ${regionCode(region ?? '')}`;
}

/** Whether two licences are the same one: of one number, and of one region if both are known. */
export function isSameLicense(one: NumberedLicense, other: NumberedLicense): boolean {
  if (licenseNumberKey(one.number) !== licenseNumberKey(other.number)) return false;
  return one.region === null || other.region === null || regionCode(one.region) === regionCode(other.region);
}
