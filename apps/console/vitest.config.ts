import { lingui } from '@lingui/vite-plugin';
import { defineConfig } from 'vitest/config';
import { testsWith } from '../../vitest.shared.ts';

const { test } = testsWith('directory');

/** The tests without a browser. Modules with messages are tested as they are built: Vite loads them, Node has no macros. */
export default defineConfig({
  plugins: [lingui({ macroTransform: true, cwd: import.meta.dirname })],
  test: { ...test, experimental: { viteModuleRunner: true } },
});
