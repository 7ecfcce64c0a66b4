import { defineConfig } from 'rolldown';
import { launcher } from '../../scripts/packaging/launcher.ts';
import { thirdPartyNotices } from '../../scripts/packaging/third-party-notices.ts';
import manifest from './package.json' with { type: 'json' };

/** The published command: one directory without dependencies, in chunks that are loaded when a command needs them. */
export default defineConfig({
  input: { start: 'src/roster.js' },
  platform: 'node',
  transform: { target: 'node22' },
  plugins: [
    thirdPartyNotices(),
    launcher({
      fileName: 'roster.js',
      name: 'roster',
      node: manifest.engines.node.replace('>=', ''),
      entry: 'start.js',
    }),
  ],
  output: {
    dir: 'dist',
    format: 'esm',
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    cleanDir: true,
  },
});
