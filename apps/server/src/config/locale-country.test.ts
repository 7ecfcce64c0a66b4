import { expect, it } from 'vitest';
import { countryOfLocale } from './locale-country.ts';

it.each([
  [{ LANG: 'pt_PT.UTF-8' }, 'PT'],
  [{ LANG: 'pt_BR' }, 'BR'],
  [{ LANG: 'de_DE@euro' }, 'DE'],
  [{ LANG: 'sr-Latn-RS' }, 'RS'],
  [{ LANG: 'en_US.UTF-8', LC_TELEPHONE: 'es_ES.UTF-8' }, 'ES'],
  [{ LANG: 'en_US.UTF-8', LC_TELEPHONE: 'es_ES.UTF-8', LC_ALL: 'fr_FR' }, 'FR'],
  [{ LANG: 'en_US.UTF-8', LC_ALL: 'C.UTF-8' }, undefined],
  [{ LANG: 'C.UTF-8' }, undefined],
  [{ LANG: 'POSIX' }, undefined],
  [{ LANG: 'eo' }, undefined],
  [{ LANG: 'en_AQ.UTF-8' }, undefined],
  [{ LANG: '' }, undefined],
  [{}, undefined],
])('the country of the locale %j is %s', (environment, country) => {
  expect(countryOfLocale(environment, 'linux')).toBe(country);
});
