import { join } from 'node:path';
import process from 'node:process';
import { lingui } from '@lingui/vite-plugin';
import { defineConfig } from 'vitest/config';
import { testsWith } from '../../vitest.shared.ts';

const { test } = testsWith('database');
const build = join(import.meta.dirname, 'test/support/build.ts');
// The bounds of the speed hold on a machine that does nothing else: `npm run performance`.
const isMeasured = process.env.ROSTER_TEST_PERFORMANCE === 'true';
const performance = 'test/performance.test.ts';

export default defineConfig({
  // Modules with messages are tested as they are built.
  plugins: [lingui({ macroTransform: true, cwd: import.meta.dirname })],
  test: {
    ...test,
    // Every test fails for a warning, such as one about a text without a translation.
    setupFiles: [join(import.meta.dirname, 'test/support/warnings.ts')],
    globalSetup: [test?.globalSetup ?? [], build].flat(),
    ...(isMeasured ? { include: [performance] } : { exclude: [performance] }),
  },
});
