import { join } from 'node:path';
import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { testsWith } from '../../vitest.shared.ts';
import { browserLimits } from './test/support/patience.ts';

const { test } = testsWith('database');
const inSupport = (name: string) => join(import.meta.dirname, 'test/support', name);
// The bounds of the speed hold on a machine that does nothing else: `npm exec -- pnpm --filter @roster/console run performance`.
const isMeasured = process.env.ROSTER_TEST_PERFORMANCE === 'true';
const performance = 'test/page/performance.slow.test.ts';

/** The tests of the build in a browser: `vitest run --config vitest.browser.config.ts list` in the folder of the console. */
export default defineConfig({
  test: {
    ...test,
    ...browserLimits,
    // Every test fails for a warning, such as one about a text without a translation.
    setupFiles: [test?.setupFiles ?? [], inSupport('warnings.ts')].flat(),
    globalSetup: [test?.globalSetup ?? [], inSupport('build.ts')].flat(),
    ...(isMeasured
      ? { include: [performance] }
      : { include: ['test/**/*.slow.test.ts'], exclude: [performance] }),
  },
});
