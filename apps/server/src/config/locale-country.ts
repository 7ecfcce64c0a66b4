import process from 'node:process';
import { PhoneCountry } from '@roster/api';

const variables = ['LC_ALL', 'LC_TELEPHONE', 'LANG'] as const;

/** Windows has no variable for it. */
function localeOf(environment: Readonly<Record<string, string | undefined>>, platform: string): string {
  const named = variables.map((name) => environment[name]).find((value) => value);
  if (named !== undefined || platform !== 'win32') return named ?? '';
  return Intl.DateTimeFormat().resolvedOptions().locale;
}

/** Undefined for a locale without a country, such as `C.UTF-8`. */
export function countryOfLocale(
  environment: Readonly<Record<string, string | undefined>>,
  platform: string = process.platform,
): string | undefined {
  const [, code] =
    /^[a-z]{2,3}[_-](?:[A-Z][a-z]{3}[_-])?([A-Z]{2})(?:[.@]|$)/.exec(localeOf(environment, platform)) ?? [];
  return PhoneCountry.safeParse(code).data;
}
