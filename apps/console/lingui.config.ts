import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

/**
 * The languages of the page. A new one is a line here and in `src/ui/browser/locale.ts`, and the catalogue that `npm run messages` makes
 * in `src/locales`.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'pt'],
  // Lines of origin would change in every commit.
  format: formatter({ lineNumbers: false }),
  catalogs: [{ path: '<rootDir>/src/locales/{locale}', include: ['<rootDir>/src'] }],
});
