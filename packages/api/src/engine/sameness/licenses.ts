import { regionCode } from './codes.ts';

interface NumberedLicense {
  number: string;
  region: string | null;
}

/** After NFKC in capitals. The database function `license_number_key` has the same set. */
const signs =
  /[\t\n\r\u0020-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u2212\u2215\u3000-\u3003\u3008-\u3020\u3030]+/g;

/** Letters and digits, in capitals: `l-1` becomes `L1`. */
export function licenseNumberKey(number: string): string {
  const capitals = number.normalize('NFKC').toUpperCase().normalize('NFC');
  return capitals.replaceAll(signs, '') || capitals;
}

export function licenseKey({ number, region }: NumberedLicense): string {
  return `${licenseNumberKey(number)} ${regionCode(region ?? '')}`;
}

export function isSameLicense(one: NumberedLicense, other: NumberedLicense): boolean {
  if (licenseNumberKey(one.number) !== licenseNumberKey(other.number)) return false;
  return one.region === null || other.region === null || regionCode(one.region) === regionCode(other.region);
}
