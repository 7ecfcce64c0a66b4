import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { options, setUps } from './vitest.shared.ts';

/** All packages in one run, for coverage over all of them; each package has a configuration of its own for its tests. */
export default defineConfig({
  test: {
    ...options,
    globalSetup: setUps.database,
    include: ['{apps,packages,tools}/*/{src,test}/**/*.test.ts', 'scripts/*.test.ts'],
    coverage: {
      // It costs a fifth of the time; `npm run coverage` asks for it, and so does .ci/run.
      enabled: process.env.ROSTER_TEST_COVERAGE === 'true',
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/testing/**', '**/*.fixture.ts', 'packages/client/src/contract.ts'],
      reporter: ['text-summary'],
      thresholds: { lines: 90 },
    },
  },
});
