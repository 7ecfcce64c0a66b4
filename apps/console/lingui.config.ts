import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

/** What every view needs, loaded at the start. */
const core = ['api', 'app', 'components', 'fields', 'list', 'shell'];

/**
 * The languages of the page. A new one is a line here and in `src/app/locale.ts`, and the catalogues that `npm run messages`
 * makes: one for what every view needs, and one in each other folder, loaded with its view.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'pt'],
  // Lines of origin would change in every commit.
  format: formatter({ lineNumbers: false }),
  catalogs: [
    { path: '<rootDir>/src/locales/{locale}', include: core.map((folder) => `<rootDir>/src/${folder}`) },
    {
      path: '<rootDir>/src/{name}/locales/{locale}',
      include: ['<rootDir>/src/{name}/'],
      exclude: [...core, 'locales'].map((folder) => `**/src/${folder}/**`),
    },
  ],
});
