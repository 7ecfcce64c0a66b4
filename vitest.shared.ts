import { join } from 'node:path';
import type { ViteUserConfig } from 'vitest/config';

const inRoot = (path: string) => join(import.meta.dirname, path);

/** Before the tests: a directory for their temporary files; with a database, PostgreSQL and a migrated template too. */
export const setUps = {
  directory: [inRoot('packages/local-postgres/src/testing/run-directory.ts')],
  get postgres() {
    return [...this.directory, inRoot('packages/local-postgres/src/testing/cluster.ts')];
  },
  get database() {
    return [...this.postgres, inRoot('packages/db/src/testing/template.ts')];
  },
};

export const options = {
  // Tests of one file never see the records of another, so files run beside each other.
  fileParallelism: true,
  // More workers than the two cores we count on, because a test mostly waits for its server.
  maxWorkers: 3,
  // No test keeps state in a module, so files may share a worker and the modules it has loaded.
  isolate: false,
  testTimeout: 30_000,
  hookTimeout: 30_000,
} satisfies NonNullable<ViteUserConfig['test']>;

/**
 * The Vitest configuration of one package.
 * @param needs what its tests need before the first one starts
 */
export function testsWith(needs: keyof typeof setUps): ViteUserConfig {
  return {
    test: { ...options, globalSetup: setUps[needs], include: ['{src,test}/**/*.test.ts'] },
  };
}
