import { defineConfig, type Plugin } from 'rolldown';
import { launcher } from '../../scripts/packaging/launcher.ts';
import { thirdPartyNotices } from '../../scripts/packaging/third-party-notices.ts';
import manifest from './package.json' with { type: 'json' };

/** Adds the package.json that is published. It names no dependencies: the bundle contains all that the command imports. */
const publishedManifest: Plugin = {
  name: 'published-manifest',
  generateBundle() {
    const { name, version, description, license, type, engines } = manifest;
    const published = { name, version, description, license, type, bin: { roster: './roster.js' }, engines };
    // Set by the release: the provenance of a package names it.
    if ('repository' in manifest) Object.assign(published, { repository: manifest.repository });
    const source = `${JSON.stringify(published, undefined, 2)}\n`;
    this.emitFile({ type: 'asset', fileName: 'package.json', source });
  },
};

/** The published command: one directory with its package.json and without dependencies, in chunks that are loaded when a command needs them. */
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
    publishedManifest,
  ],
  output: {
    dir: 'dist',
    format: 'esm',
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    cleanDir: true,
  },
});
