import process from 'node:process';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: [
      'packages/local-postgres/src/testing/run-directory.ts',
      'packages/local-postgres/src/testing/cluster.ts',
      'packages/db/src/testing/template.ts',
    ],
    // Records of one file never meet those of another, so files run beside each other.
    fileParallelism: true,
    // More workers than the two cores we count on, because a test mostly waits for its server.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    include: ['{apps,packages,tools}/*/{src,test}/**/*.test.ts', 'scripts/*.test.ts'],
    // Nothing of ours is kept in a module, so files may share a worker and what it has loaded.
    isolate: false,
    coverage: {
      // It costs a fifth of the time; `npm run coverage` asks for it, and so does .ci/run.
      enabled: process.env.ROSTER_TEST_COVERAGE === 'true',
      provider: 'v8',
      include: ['packages/api/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/testing/**'],
      reporter: ['text-summary'],
      thresholds: { lines: 95 },
    },
  },
});
