import { lingui } from '@lingui/vite-plugin';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The server that `npm run dev` passes calls to. */
const SERVICE = 'http://127.0.0.1:3000';

export default defineConfig({
  base: '/console/',
  plugins: [
    react({ compiler: true }),
    lingui({ macroTransform: true, cwd: import.meta.dirname }),
    tailwind(),
  ],
  build: {
    target: 'es2023',
    // The policy of the page allows no `data:` scripts or fonts, and a file of its own is cached on its own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: Object.fromEntries(['/trpc', '/events', '/sign-in', '/sign-out'].map((path) => [path, SERVICE])),
  },
});
