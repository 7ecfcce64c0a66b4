import { lingui } from '@lingui/vite-plugin';
import { defineConfig } from 'vitest/config';
import { testsWith } from '../../vitest.shared.ts';

/** The tests without a browser. Modules with messages are tested as they are built: Node has no macros. */
export default defineConfig({
  plugins: [lingui({ macroTransform: true, cwd: import.meta.dirname })],
  ...testsWith('directory', { loader: 'vite' }),
});
