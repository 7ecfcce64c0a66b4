import { defineConfig, type Plugin } from 'rolldown';
import { launcher } from '../server/scripts/launcher.ts';
import { noticesOf } from '../server/scripts/notices.ts';
import manifest from './package.json' with { type: 'json' };

/** What lies beside the code: what is run first, and whose code is in it. */
const companions: Plugin = {
  name: 'companions',
  async generateBundle(_, files) {
    const chunks = Object.values(files).filter((file) => file.type === 'chunk');
    const notices = await noticesOf(chunks.flatMap(({ moduleIds }) => moduleIds));
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.txt', source: notices });
    const node = manifest.engines.node.replace('>=', '');
    const source = launcher({ name: 'roster', node, entry: 'start.js' });
    this.emitFile({ type: 'asset', fileName: 'roster.js', source });
  },
};

/** The command as it is packed: one directory without dependencies, of which a command loads what it needs. */
export default defineConfig({
  input: { start: 'src/roster.js' },
  platform: 'node',
  transform: { target: 'node22' },
  plugins: [companions],
  output: {
    dir: 'dist',
    format: 'esm',
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    cleanDir: true,
  },
});
