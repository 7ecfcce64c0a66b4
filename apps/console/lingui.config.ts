import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

/** What can be seen before anything is opened: its texts are loaded with the page, all others with the first view, dialog or menu. */
const first = [
  ...['main.tsx', 'router.tsx', 'shell/*.tsx', 'ui/*.{ts,tsx}', '{api,resources}/*'],
  ...[
    'ui/{browser,popups}/*',
    'features/fields/{durations,field-labels,filter-labels,scheduled-labels}.ts',
    'features/record/actor-name.tsx',
    'features/directory/{list,list-tools,page,views}/**/*',
  ],
].map((path) => `<rootDir>/src/${path}`);

/**
 * The languages of the page. A new one is a line here and in `src/ui/browser/locale.ts`, and the catalogues that `npm run messages` makes
 * in `src/locales`.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'pt'],
  // Lines of origin would change in every commit.
  format: formatter({ lineNumbers: false }),
  catalogs: [
    { path: '<rootDir>/src/locales/first/{locale}', include: first },
    { path: '<rootDir>/src/locales/{locale}', include: ['<rootDir>/src'], exclude: first },
  ],
});
