import process from 'node:process';
import { PhoneCountry } from '@roster/api';

/** The first of the variables that name the locale of telephone numbers, as POSIX looks for them. */
const variables = ['LC_ALL', 'LC_TELEPHONE', 'LANG'] as const;

/** The locale that the environment names: `pt_PT.UTF-8`. Windows has no variable for it. */
function localeOf(environment: Readonly<Record<string, string | undefined>>, platform: string): string {
  const named = variables.map((name) => environment[name]).find((value) => value);
  if (named !== undefined || platform !== 'win32') return named ?? '';
  return Intl.DateTimeFormat().resolvedOptions().locale;
}

/** The country of the locale that the environment names; undefined for one without, such as `C.UTF-8`. */
export function countryOfLocale(
  environment: Readonly<Record<string, string | undefined>>,
  platform: string = process.platform,
): string | undefined {
  const [, code] =
    /^[a-z]{2,3}[_-](?:[A-Z][a-z]{3}[_-])?([A-Z]{2})(?:[.@]|$)/.exec(localeOf(environment, platform)) ?? [];
  return PhoneCountry.safeParse(code).data;
}
