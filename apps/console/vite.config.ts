import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lingui } from '@lingui/vite-plugin';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { precompress } from '../../scripts/packaging/precompress.ts';
import { thirdPartyNotices } from '../../scripts/packaging/third-party-notices.ts';

/** The server that `npm run dev` passes calls to. */
const SERVICE = 'http://127.0.0.1:3000';

/** Without files, the pattern that imports the samples matches nothing, which is no error to Vite. */
const requireSamples = {
  name: 'require-samples',
  buildStart() {
    for (const resource of ['offices', 'agents', 'teams'])
      if (!existsSync(join(import.meta.dirname, `../../samples/${resource}.csv`)))
        throw new Error(`samples/${resource}.csv is missing: the console could not add samples.`);
  },
};

/** In the head, the styles would keep the frame in the page from being painted; scripts wait for them wherever they are. */
const stylesAfterFrame: Plugin = {
  name: 'styles-after-frame',
  transformIndexHtml: {
    order: 'post',
    handler: (page) => {
      const [styles = ''] = /<link rel="stylesheet"[^>]*>/.exec(page) ?? [];
      return page.replace(styles, '').replace('</body>', `${styles}</body>`);
    },
  },
};

export default defineConfig({
  base: '/console/',
  plugins: [
    // Before the compiler of React, which leaves no JSX for the macros.
    lingui({ macroTransform: true, cwd: import.meta.dirname }),
    react({ compiler: true }),
    tailwind(),
    thirdPartyNotices({ 'Lucide icons': join(import.meta.dirname, 'src/icons-license.txt') }),
    precompress(),
    requireSamples,
    stylesAfterFrame,
  ],
  build: {
    target: 'es2023',
    // The policy of the page allows no `data:` scripts or fonts, and a file of its own is cached on its own.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // A view names what it imports itself; the names of all files of all views would be in the first load.
      resolveDependencies: (_, names, { hostType }) => (hostType === 'html' ? names : []),
    },
    rolldownOptions: {
      // The compiler has obeyed 'use no memo' by then, which files of the first load have whose components are rendered seldom: what
      // it adds would be bytes for nothing; a slow machine is no news to who starts the service.
      checks: { moduleLevelDirective: false, bundlerTimings: false },
      output: {
        codeSplitting: {
          // The first list needs two files: the libraries, which the next release seldom changes, and the page.
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/ },
            { name: 'roster', tags: ['$initial'] },
            // Overlays above the page: menus, dialogs, lists of choices, messages. Loaded once, after the first view.
            { name: 'overlays', test: /@(?:base-ui|floating-ui)/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(['/trpc', '/events', '/sign-in', '/sign-out'].map((path) => [path, SERVICE])),
  },
});
