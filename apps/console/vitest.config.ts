import { join } from 'node:path';
import { lingui } from '@lingui/vite-plugin';
import { defineConfig } from 'vitest/config';
import { testsWith } from '../../vitest.shared.ts';

const { test } = testsWith('database');
const build = join(import.meta.dirname, 'test/support/build.ts');

export default defineConfig({
  // Modules with messages are tested as they are built.
  plugins: [lingui({ macroTransform: true, cwd: import.meta.dirname })],
  test: { ...test, globalSetup: [test?.globalSetup ?? [], build].flat() },
});
