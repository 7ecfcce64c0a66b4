import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

/** The folders whose messages every view needs; loaded at the start. */
const core = ['api', 'components', 'contract', 'fields', 'list', 'page', 'resources', 'shell'];

/** The folders inside a folder of `src`, as paths from `src`. */
function foldersIn(path: string): string[] {
  return readdirSync(join(import.meta.dirname, 'src', path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name));
}

const folders = [...foldersIn('.'), ...foldersIn('screens')].filter(
  (path) => !['screens', 'locales'].includes(path),
);

/** The catalogue that a folder's messages belong to: that of its name, which a screen and what it shares with others have in common. */
const catalogueOf = (path: string) => (core.includes(basename(path)) ? 'core' : basename(path));

const included = Map.groupBy([...folders, '*.tsx'], (path) =>
  path === '*.tsx' ? 'core' : catalogueOf(path),
);

/**
 * The languages of the page. A new one is a line here and in `src/page/locale.ts`, and the catalogues that `npm run messages`
 * makes in `src/locales`: one for what every view needs, and one for each other folder, loaded with its view.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'pt'],
  // Lines of origin would change in every commit.
  format: formatter({ lineNumbers: false }),
  catalogs: Array.from(included, ([name, paths]) => ({
    path: `<rootDir>/src/locales/${name}/{locale}`,
    include: paths.map((path) => `<rootDir>/src/${path}`),
  })),
});
