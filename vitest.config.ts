import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{apps,packages}/*/src/**/*.test.ts', 'scripts/*.test.ts'],
    globalSetup: ['packages/db/src/testing/cluster.ts'],
    // Records of one file never meet those of another, so files run beside each other.
    fileParallelism: true,
    // Two cores are enough, and one worker a core would leave them idle while a test waits for its server.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: {
      provider: 'v8',
      include: ['packages/api/src/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['text-summary'],
      thresholds: { lines: 95 },
    },
  },
});
